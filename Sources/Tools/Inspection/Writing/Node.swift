import CBOR

/// A CBOR item and its place in the printed artifact.
struct Node {
  let item: CBORItem
  /// The start of the item's buffer in the artifact: not 0 inside an opened byte string.
  let base: Int

  /// Reads one item. Items inside tag 24 are read too if possible, and stay closed otherwise.
  static func read(_ bytes: [UInt8], base: Int = 0) throws(CBORError) -> Node {
    let limits = CBORLimits.standard
    if let item = try? CBORReader.read(bytes, limits: limits, leniency: .received) {
      return Node(item: item, base: base)
    }
    return Node(
      item: try CBORReader.read(bytes, limits: limits, leniency: .received, readingEmbedded: false), base: base)
  }

  /// The start of the item.
  var offset: Int { base + item.offset }

  var kind: CBORItem.Kind { item.kind }

  /// Returns the value of a map's member with a text key; nil if this is not a map or has no such member.
  func member(_ name: String) -> Node? { (try? item.map())?[name].map(beside) }

  /// Returns the value of a map's member with an integer key.
  func member(_ label: Int) -> Node? { (try? item.map())?[label].map(beside) }

  /// The items of an array; empty if this is not an array.
  var elements: [Node] { (try? item.array())?.map(beside) ?? [] }

  /// An entry of a map.
  struct Entry {
    let key: Node
    let value: Node
  }

  /// The entries of a map; empty if this is not a map.
  var entries: [Entry] { (try? item.map())?.map { Entry(key: beside($0.key), value: beside($0.value)) } ?? [] }

  /// Returns another item of the same buffer.
  func beside(_ other: CBORItem) -> Node { Node(item: other, base: base) }

  var text: String? { try? item.text() }
  var bytes: [UInt8]? { try? item.bytes() }
  var integer: Int? { try? item.integer() }
  var boolean: Bool? { try? item.boolean() }

  /// The tag and the content of a tagged item.
  var tagged: (tag: UInt64, content: Node)? { (try? item.tagged()).map { (tag: $0.tag, content: beside($0.item)) } }

  /// Returns the item inside tag 24.
  func opened() throws(CBORError) -> Node {
    if let inside = try? item.embedded() { return beside(inside) }
    return try Node.read(try item.embeddedBytes(), base: contentBase(of: try item.tagged().item))
  }

  /// Returns the item inside a byte string.
  func readContent() throws(CBORError) -> Node { try Node.read(try item.bytes(), base: contentBase(of: item)) }

  /// Returns the start of a byte string's content, or of its head if it is in chunks.
  private func contentBase(of string: CBORItem) -> Int {
    guard let content = try? string.byteSlice(), content.endIndex == string.encoded.endIndex else {
      return base + string.offset
    }
    return base + content.startIndex
  }

  /// True if the item has an indefinite length (RFC 8949, 3.2).
  var isIndefinite: Bool {
    guard let initial = item.encoded.first else { return false }
    return initial & 0x1f == 31 && (2...5).contains(initial >> 5)
  }
}
