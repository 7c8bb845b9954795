/// A view of one item in the received bytes. Cheap to copy; keeps the whole buffer alive.
public struct CBORItem: Sendable {
  let index: CBORIndex
  let row: Int

  init(_ index: CBORIndex, at row: Int) {
    self.index = index
    self.row = row
  }

  var node: CBORIndex.Node { index.nodes[row] }

  /// The kinds of items: the major types (RFC 8949, 3.1), with one kind for each simple value.
  public enum Kind: String, Sendable {
    case unsigned = "an unsigned integer"
    case negative = "a negative integer"
    case bytes = "a byte string"
    case text = "a text string"
    case array = "an array"
    case map = "a map"
    case tagged = "a tagged item"
    case boolean = "a boolean"
    case null = "null"
    case undefined = "undefined"
    case float = "a floating-point number"
    case simple = "a simple value"
  }

  /// The item's kind.
  public var kind: Kind {
    let node = node
    switch node.major {
    case 0: return .unsigned
    case 1: return .negative
    case 2: return .bytes
    case 3: return .text
    case 4: return .array
    case 5: return .map
    case 6: return .tagged
    default:
      switch node.information {
      case 20, 21: return .boolean
      case 22: return .null
      case 23: return .undefined
      case 25, 26, 27: return .float
      default: return .simple
      }
    }
  }

  /// The start of the item, in bytes from the start of the buffer.
  public var offset: Int { Int(node.start) }

  /// The item exactly as received, head included.
  public var encoded: ArraySlice<UInt8> { index.bytes[Int(node.start)..<Int(node.end)] }

  /// The accepted departures from the required encoding, anywhere in the buffer.
  public var deviations: [CBORDeviation] { index.deviations }

  /// True if the item is null (RFC 8949, 3.3).
  public var isNull: Bool { kind == .null }

  private func wrongType(_ wanted: Kind) -> CBORError {
    CBORError(.wrongType, at: offset, "expected \(wanted.rawValue), found \(kind.rawValue)")
  }

  private func require(_ wanted: Kind) throws(CBORError) { if kind != wanted { throw wrongType(wanted) } }

  /// Returns the value of an unsigned integer.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func unsigned() throws(CBORError) -> UInt64 {
    try require(.unsigned)
    return node.argument
  }

  /// Returns the value of an integer that fits `Int`.
  /// - Throws: ``CBORError/Code/wrongType``, or ``CBORError/Code/badValue`` outside the range of `Int`.
  public func integer() throws(CBORError) -> Int {
    let node = node
    guard node.major < 2 else { throw CBORError(.wrongType, at: offset, "expected an integer, found \(kind.rawValue)") }
    guard node.argument <= UInt64(Int.max) else {
      throw CBORError(.badValue, at: offset, "the integer is outside the range of signed 64-bit integers")
    }
    return node.major == 0 ? Int(node.argument) : -1 - Int(node.argument)
  }

  /// Returns the content of a byte string.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func bytes() throws(CBORError) -> [UInt8] {
    try require(.bytes)
    return [UInt8](content)
  }

  /// Returns the content of a byte string, without a copy if it has a definite length.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func byteSlice() throws(CBORError) -> ArraySlice<UInt8> {
    try require(.bytes)
    return content
  }

  /// Returns the content of a text string.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func text() throws(CBORError) -> String {
    try require(.text)
    return String(decoding: content, as: UTF8.self)
  }

  /// Returns the value of a boolean.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func boolean() throws(CBORError) -> Bool {
    try require(.boolean)
    return node.information == 21
  }

  /// Returns the value of a floating-point number of any width.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func float() throws(CBORError) -> Double {
    try require(.float)
    return CBORFloatBits(information: node.information, bits: node.argument).value
  }

  /// Returns the items of an array.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func array() throws(CBORError) -> CBORArray {
    try require(.array)
    return CBORArray(self)
  }

  /// Returns the items of an array of exactly `count` items.
  /// - Throws: ``CBORError/Code/wrongType``, or ``CBORError/Code/badValue`` for another count.
  public func array(count: Int) throws(CBORError) -> CBORArray {
    let array = try array()
    guard array.count == count else {
      throw CBORError(.badValue, at: offset, "expected an array of \(count) items, found \(array.count)")
    }
    return array
  }

  /// Returns the entries of a map.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func map() throws(CBORError) -> CBORMap {
    try require(.map)
    return CBORMap(self)
  }

  /// Returns the tag number and the tagged item.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func tagged() throws(CBORError) -> (tag: UInt64, item: CBORItem) {
    try require(.tagged)
    return (node.argument, CBORItem(index, at: row + 1))
  }

  /// Returns the item inside tag 24 (RFC 8949, 3.4.5.1).
  /// - Throws: ``CBORError/Code/wrongType`` if this is not tag 24, ``CBORError/Code/badEmbeddedItem`` if the reader did
  ///   not read embedded items.
  public func embedded() throws(CBORError) -> CBORItem {
    try requireTag24()
    guard index.nodes[row + 1].next > UInt32(row + 2) else {
      throw CBORError(.badEmbeddedItem, at: offset, "the item inside tag 24 was not read")
    }
    return CBORItem(index, at: row + 2)
  }

  /// Returns the encoded item inside tag 24, even if the reader did not read it.
  /// - Throws: ``CBORError/Code/wrongType`` if this is not tag 24.
  public func embeddedBytes() throws(CBORError) -> [UInt8] {
    try requireTag24()
    return [UInt8](CBORItem(index, at: row + 1).content)
  }

  private func requireTag24() throws(CBORError) {
    guard node.major == 6, node.argument == 24 else {
      throw CBORError(.wrongType, at: offset, "expected tag 24 around encoded CBOR, found \(kind.rawValue)")
    }
  }

  /// Returns the item without the given tag, or the item itself if it does not have that tag.
  public func withoutTag(_ tag: UInt64) -> CBORItem {
    node.major == 6 && node.argument == tag ? CBORItem(index, at: row + 1) : self
  }

  /// The tag number; nil for an item without a tag.
  public var tag: UInt64? { node.major == 6 ? node.argument : nil }

  /// The argument of the head (RFC 8949, 3): of a negative integer n, -1 - n.
  package var argument: UInt64 { node.argument }

  /// The number of a simple value, including booleans and null (RFC 8949, 3.3); nil for every other kind.
  public var simpleValue: UInt8? {
    let node = node
    guard node.major == 7, !(25...27).contains(node.information) else { return nil }
    return UInt8(truncatingIfNeeded: node.argument)
  }

  /// The content of a string, chunks joined.
  var content: ArraySlice<UInt8> {
    let node = node
    guard node.isIndefinite else { return index.bytes[Int(node.content)..<Int(node.end)] }
    var joined: [UInt8] = []
    for child in children { joined += child.content }
    return joined[...]
  }

  /// True if the item has an indefinite length.
  var isIndefinite: Bool { node.isIndefinite }

  /// The items directly inside, in order: chunks, items, keys and values in turn, or the tagged item.
  var children: [CBORItem] {
    var rows = CBORRows(inside: self)
    var found: [CBORItem] = []
    while let child = rows.next() { found.append(child) }
    return found
  }
}

/// The received bytes and a flat table of the items in them. ``CBORReader`` makes it once; every ``CBORItem`` is a view
/// into it, so received bytes are never copied, re-encoded or lost.
final class CBORIndex: Sendable {
  /// One item: a row of the table.
  struct Node: Sendable {
    /// Major type, 0 to 7.
    var major: UInt8
    /// Additional information of the initial byte, 0 to 31.
    var information: UInt8
    /// The head's argument: value, length, count, tag number or the bits of a float.
    var argument: UInt64
    /// The start of the head.
    var start: UInt32
    /// The start of the content: the first byte after the head.
    var content: UInt32
    /// The first byte after the item.
    var end: UInt32
    /// The row of the next item outside this one.
    var next: UInt32

    var isIndefinite: Bool { information == 31 && major != 7 }

    mutating func complete(end: UInt32, next: UInt32) { (self.end, self.next) = (end, next) }
  }

  let bytes: [UInt8]
  let nodes: [Node]
  let deviations: [CBORDeviation]

  init(bytes: [UInt8], nodes: [Node], deviations: [CBORDeviation]) {
    self.bytes = bytes
    self.nodes = nodes
    self.deviations = deviations
  }
  /// Returns the row of the value of a text key in a map, or nil.
  func value(of key: String, inMapAt map: Int) -> Int? {
    var row = map + 1
    let end = Int(nodes[map].next)
    while row < end {
      let value = Int(nodes[row].next)
      if isText(at: row, key) { return value }
      row = Int(nodes[value].next)
    }
    return nil
  }

  /// Returns the row of the value of an integer key in a map, or nil.
  func value(of key: Int, inMapAt map: Int) -> Int? {
    let major: UInt8 = key < 0 ? 1 : 0
    let argument = UInt64(key < 0 ? -1 - key : key)
    var row = map + 1
    let end = Int(nodes[map].next)
    while row < end {
      let value = Int(nodes[row].next)
      if nodes[row].major == major, nodes[row].argument == argument { return value }
      row = Int(nodes[value].next)
    }
    return nil
  }

  /// Returns whether the item in a row is a text string with the same bytes as a text.
  private func isText(at row: Int, _ text: String) -> Bool {
    let node = nodes[row]
    guard node.major == 3 else { return false }
    guard !node.isIndefinite else { return CBORItem(self, at: row).content.elementsEqual(text.utf8) }
    guard node.argument == text.utf8.count else { return false }
    let text = text.utf8.span
    let start = Int(node.content)
    for place in text.indices where bytes[start + place] != text[place] { return false }
    return true
  }
}
