import CBOR

/// The extents of the items in CBOR by their starts. A key or a value of a map extends over both.
struct CBORExtents {
  private var ranges: [Int: Range<Int>] = [:]
  private let count: Int

  /// Finds the extents; none if the bytes are not CBOR.
  init(_ bytes: [UInt8]) {
    count = bytes.count
    do {
      note(try Node.read(bytes), in: nil)
    } catch {
      guard error.code == .trailingBytes, bytes.indices.contains(error.offset),
        let first = try? Node.read(Array(bytes[..<error.offset]))
      else { return }
      note(first, in: nil)
    }
  }

  /// Returns the bytes of the item at a start; the bytes from there on if no item starts there.
  func range(at start: Int) -> Range<Int> { ranges[start] ?? min(start, count)..<count }

  private mutating func note(_ node: Node, in entry: Range<Int>?, level: Int = 0) {
    ranges[node.offset] = entry ?? node.range
    guard level < Outline.maximumLevel else { return }
    switch node.kind {
    case .array: for element in node.elements { note(element, in: nil, level: level + 1) }
    case .map:
      for entry in node.entries {
        let start = entry.key.offset
        let range = start..<max(start, entry.value.range.upperBound)
        note(entry.key, in: range, level: level + 1)
        note(entry.value, in: range, level: level + 1)
      }
    case .tagged:
      guard let content = node.tagged?.content else { return }
      note(content, in: nil, level: level + 1)
    case .bytes:
      if let content = try? node.readContent(), content.isStructure, content.base > node.offset {
        note(content, in: nil, level: level + 1)
      }
    default: break
    }
  }
}

extension Node {
  /// The bytes of the item in the artifact.
  var range: Range<Int> { offset..<offset + item.encoded.count }
}
