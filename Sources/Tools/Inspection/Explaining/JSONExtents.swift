import JSON

/// The extents of a value in a JSON text, and of those in it. A member's value extends over its name.
struct JSONExtents {
  /// The bytes of the value, with its name.
  let range: Range<Int>?
  /// The value without its name; nil for one without a place.
  private let item: JSONItem?

  /// The extents of a text; none if it cannot be read.
  init(_ bytes: [UInt8]) {
    let limits = JSONLimits(bytes: .max, depth: JSONReader.maximumDepth, values: .max)
    let item = try? JSONReader.item(bytes, limits: limits, repeatedNames: .lastCounts)
    self.init(item, from: item?.offset)
  }

  /// No extents.
  static let none = JSONExtents(nil, from: nil)

  private init(_ item: JSONItem?, from start: Int?) {
    self.item = item
    range = item.map { item in (start ?? item.offset)..<item.offset + item.bytes.count }
  }

  /// The extents of an array's elements; empty for another value.
  var elements: [JSONExtents] { (try? item?.elements())?.map { JSONExtents($0, from: $0.offset) } ?? [] }

  /// The extents of an object's members by name; empty for another value. Of members with one name the last counts.
  var members: [String: JSONExtents] {
    guard let item, let members = try? item.members() else { return [:] }
    var found: [String: JSONExtents] = [:]
    var end = item.offset + 1
    let bytes = item.bytes
    for member in members {
      // Between two members are a comma and white space, then the name.
      let start = bytes[(end - item.offset)...].firstIndex(of: UInt8(ascii: "\"")).map { item.offset + $0 }
      found[member.name] = JSONExtents(member.item, from: start)
      end = member.item.offset + member.item.bytes.count
    }
    return found
  }

  /// Returns the place of a string's content, for bytes in an encoding.
  func content(as encoding: Explanation.Encoding) -> (range: Range<Int>, encoding: Explanation.Encoding)? {
    guard let item, item.kind == .string else { return nil }
    return (item.offset + 1..<item.offset + item.bytes.count - 1, encoding)
  }
}
