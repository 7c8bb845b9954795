import CBOR

/// An item of CBOR and where it stands in the artifact that is printed.
struct Node {
  let item: CBORItem
  /// Where the buffer of the item starts in the artifact: not 0 inside a byte string that was opened.
  let base: Int

  init(_ item: CBORItem, base: Int) {
    self.item = item
    self.base = base
  }

  /// Reads one item. What stands in tag 24 is read with it when it can be; when not, it stays closed.
  static func read(_ bytes: [UInt8], base: Int = 0) throws(CBORError) -> Node {
    let limits = CBORLimits.standard
    if let item = try? CBORReader.read(bytes, limits: limits, leniency: .received) { return Node(item, base: base) }
    return Node(
      try CBORReader.read(bytes, limits: limits, leniency: .received, readingEmbedded: false), base: base)
  }

  /// Where the item starts.
  var offset: Int { base + item.offset }

  var kind: CBORItem.Kind { item.kind }

  /// The value of a member of a map with text keys; nil when this is no map or has no such member.
  func member(_ name: String) -> Node? { (try? item.map())?[name].map(beside) }

  /// The value of a member of a map with integer keys.
  func member(_ label: Int) -> Node? { (try? item.map())?[label].map(beside) }

  /// The items of an array; none when this is no array.
  var elements: [Node] { (try? item.array())?.map(beside) ?? [] }

  /// The entries of a map; none when this is no map.
  var entries: [(key: Node, value: Node)] {
    (try? item.map())?.map { (key: beside($0.key), value: beside($0.value)) } ?? []
  }

  /// Another item of the same buffer.
  func beside(_ other: CBORItem) -> Node { Node(other, base: base) }

  var text: String? { try? item.text() }
  var bytes: [UInt8]? { try? item.bytes() }
  var integer: Int? { try? item.integer() }
  var boolean: Bool? { try? item.boolean() }

  /// Tag and content of a tagged item.
  var tagged: (tag: UInt64, content: Node)? {
    (try? item.tagged()).map { (tag: $0.tag, content: beside($0.item)) }
  }

  /// The item inside tag 24.
  func opened() throws(CBORError) -> Node {
    if let inside = try? item.embedded() { return beside(inside) }
    return try Node.read(try item.embeddedBytes(), base: contentBase(of: try item.tagged().item))
  }

  /// The item that a byte string holds.
  func readContent() throws(CBORError) -> Node {
    try Node.read(try item.bytes(), base: contentBase(of: item))
  }

  /// Where the content of a byte string starts. One that came in chunks has no single place; its head is as good.
  private func contentBase(of string: CBORItem) -> Int {
    guard let content = try? string.byteSlice(), content.endIndex == string.encoded.endIndex else {
      return base + string.offset
    }
    return base + content.startIndex
  }

  /// Whether the item has indefinite length (RFC 8949, 3.2).
  var isIndefinite: Bool {
    guard let initial = item.encoded.first else { return false }
    return initial & 0x1f == 31 && (2...5).contains(initial >> 5)
  }
}
