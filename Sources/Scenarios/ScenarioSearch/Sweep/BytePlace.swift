import CBOR
import Certificates
import JSON
import Primitives
import SwiftASN1

/// The place of a byte in a message: a path through JSON, base64url, CBOR, byte strings and certificates.
struct BytePlace: Equatable {
  /// The names and positions from the outside to the inside.
  private(set) var steps: [String] = []
  /// True for a byte of the name of the last step instead of its value.
  private(set) var isInName = false

  /// The path in text: `data.deviceRequest.docRequests.0.itemsRequest`.
  var path: String { steps.joined(separator: ".") + (isInName ? " (name)" : "") }

  /// Finds the place of a byte.
  init(of byte: Int, in bytes: [UInt8]) { descend(into: bytes, at: byte, depth: 0) }

  /// The deepest nesting of texts in byte strings in texts that is followed.
  private static let maximumDepth = 12

  private mutating func descend(into bytes: [UInt8], at byte: Int, depth: Int) {
    guard depth < Self.maximumDepth, byte < bytes.count else { return }
    if let item = try? JSONReader.item(bytes, repeatedNames: .lastCounts), [.object, .array].contains(item.kind) {
      walk(item, byte, depth)
    } else if let item = try? CBORReader.read(bytes, readingEmbedded: false),
      [.map, .array, .tagged].contains(item.kind)
    {
      walk(item, byte, depth)
    } else if bytes.first == 0x30, let parts = Self.certificateParts(of: bytes) {
      if let part = parts.last(where: { $0.start <= byte }) { steps.append(part.name) }
    }
  }

  // MARK: JSON

  private mutating func walk(_ item: JSONItem, _ byte: Int, _ depth: Int) {
    switch item.kind {
    case .object:
      var end = item.offset + 1
      for (name, value) in (try? Array(item.members())) ?? [] {
        let range = value.offset..<value.offset + value.bytes.count
        if (end..<range.upperBound).contains(byte) {
          steps.append(name)
          if byte < range.lowerBound { isInName = true } else { walk(value, byte, depth) }
          return
        }
        end = range.upperBound
      }
    case .array:
      for (position, value) in ((try? Array(item.elements())) ?? []).enumerated()
      where (value.offset..<value.offset + value.bytes.count).contains(byte) {
        steps.append(String(position))
        walk(value, byte, depth)
      }
    case .string:
      guard byte > item.offset, let text = try? item.text() else { return }
      // The position in the text: escapes are shorter there than in the message.
      let before = [UInt8(ascii: "\"")] + item.bytes.dropFirst().prefix(byte - item.offset - 1) + [UInt8(ascii: "\"")]
      guard let prefix = try? JSONReader.item(before).text() else { return }
      let place = prefix.utf8.count
      if let decoded = Base64URL.decode(text) ?? Base64.decode(text) {
        descend(into: decoded, at: place * 6 / 8, depth: depth + 1)
      } else {
        descend(into: Array(text.utf8), at: place, depth: depth + 1)
      }
    default: break
    }
  }

  // MARK: CBOR

  private mutating func walk(_ item: CBORItem, _ byte: Int, _ depth: Int) {
    switch item.kind {
    case .map:
      guard let map = try? item.map() else { return }
      for (key, value) in map {
        let name = (try? key.text()) ?? (try? key.integer()).map(String.init) ?? "?"
        if key.encoded.indices.contains(byte) {
          steps.append(name)
          isInName = true
          return
        }
        if value.encoded.indices.contains(byte) {
          steps.append(name)
          walk(value, byte, depth)
          return
        }
      }
    case .array:
      guard let array = try? item.array() else { return }
      for (position, element) in array.enumerated() where element.encoded.indices.contains(byte) {
        steps.append(String(position))
        walk(element, byte, depth)
      }
    case .tagged:
      guard let inner = (try? item.tagged())?.item, inner.encoded.indices.contains(byte) else { return }
      walk(inner, byte, depth)
    case .bytes:
      guard let content = try? item.bytes() else { return }
      let start = item.encoded.endIndex - content.count
      if byte >= start { descend(into: content, at: byte - start, depth: depth + 1) }
    default: break
    }
  }

  // MARK: Certificates

  /// The three parts of a certificate or a certificate request in DER, with their first bytes (RFC 5280, 4.1; RFC 2986,
  /// 4.2); nil for other bytes.
  private static func certificateParts(of bytes: [UInt8]) -> [(name: String, start: Int)]? {
    guard let parts = try? DER.parse(bytes).children, parts.count == 3 else { return nil }
    return zip(["tbs", "signatureAlgorithm", "signature"], parts).map { ($0, $1.encodedBytes.startIndex) }
  }
}
