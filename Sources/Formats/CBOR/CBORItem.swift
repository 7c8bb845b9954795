/// A view of one item in the bytes that were received. Cheap to copy; keeps the whole buffer alive.
public struct CBORItem: Sendable {
  let index: CBORIndex
  let row: Int

  init(_ index: CBORIndex, at row: Int) {
    self.index = index
    self.row = row
  }

  var node: CBORIndex.Node { index.nodes[row] }

  /// What an item is, by its major type (RFC 8949, 3.1) with the simple values told apart.
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

  /// Where the item starts, in bytes from the start of the buffer.
  public var offset: Int { Int(node.start) }

  /// The item exactly as it was received, head included.
  public var encoded: ArraySlice<UInt8> { index.bytes[Int(node.start)..<Int(node.end)] }

  /// Departures from the required encoding that the reading let pass, anywhere in the buffer.
  public var deviations: [CBORDeviation] { index.deviations }

  /// Whether this is null (RFC 8949, 3.3).
  public var isNull: Bool { kind == .null }

  private func wrongType(_ wanted: Kind) -> CBORError {
    CBORError(.wrongType, at: offset, "expected \(wanted.rawValue), found \(kind.rawValue)")
  }

  private func require(_ wanted: Kind) throws(CBORError) {
    if kind != wanted { throw wrongType(wanted) }
  }

  /// The value of an unsigned integer.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func unsigned() throws(CBORError) -> UInt64 {
    try require(.unsigned)
    return node.argument
  }

  /// The value of an integer that fits `Int`.
  /// - Throws: ``CBORError/Code/wrongType``, or ``CBORError/Code/badValue`` outside the range of `Int`.
  public func integer() throws(CBORError) -> Int {
    let node = node
    guard node.major < 2 else {
      throw CBORError(.wrongType, at: offset, "expected an integer, found \(kind.rawValue)")
    }
    guard node.argument <= UInt64(Int.max) else {
      throw CBORError(.badValue, at: offset, "the integer is outside the range of 64 bits with sign")
    }
    return node.major == 0 ? Int(node.argument) : -1 - Int(node.argument)
  }

  /// The content of a byte string.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func bytes() throws(CBORError) -> [UInt8] {
    try require(.bytes)
    return [UInt8](content)
  }

  /// The content of a byte string, without a copy when it was sent in one piece.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func byteSlice() throws(CBORError) -> ArraySlice<UInt8> {
    try require(.bytes)
    return content
  }

  /// The content of a text string.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func text() throws(CBORError) -> String {
    try require(.text)
    return String(decoding: content, as: UTF8.self)
  }

  /// The value of a boolean.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func boolean() throws(CBORError) -> Bool {
    try require(.boolean)
    return node.information == 21
  }

  /// The value of a floating-point number of any width.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func float() throws(CBORError) -> Double {
    try require(.float)
    return CBORFloatBits(information: node.information, bits: node.argument).value
  }

  /// The items of an array.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func array() throws(CBORError) -> CBORArray {
    try require(.array)
    return CBORArray(self)
  }

  /// The items of an array of exactly `count` items.
  /// - Throws: ``CBORError/Code/wrongType``, or ``CBORError/Code/badValue`` for another count.
  public func array(count: Int) throws(CBORError) -> CBORArray {
    let array = try array()
    guard array.count == count else {
      throw CBORError(.badValue, at: offset, "expected an array of \(count) items, found \(array.count)")
    }
    return array
  }

  /// The entries of a map.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func map() throws(CBORError) -> CBORMap {
    try require(.map)
    return CBORMap(self)
  }

  /// Tag number and tagged item.
  /// - Throws: ``CBORError/Code/wrongType``.
  public func tagged() throws(CBORError) -> (tag: UInt64, item: CBORItem) {
    try require(.tagged)
    return (node.argument, CBORItem(index, at: row + 1))
  }

  /// The item inside tag 24 (RFC 8949, 3.4.5.1).
  /// - Throws: ``CBORError/Code/wrongType`` when this is not tag 24, ``CBORError/Code/badEmbeddedItem`` when the
  ///   reading left it closed.
  public func embedded() throws(CBORError) -> CBORItem {
    try requireTag24()
    guard index.nodes[row + 1].next > UInt32(row + 2) else {
      throw CBORError(.badEmbeddedItem, at: offset, "the item inside tag 24 was not read")
    }
    return CBORItem(index, at: row + 2)
  }

  /// The encoded item inside tag 24, whether it was read or not.
  /// - Throws: ``CBORError/Code/wrongType`` when this is not tag 24.
  public func embeddedBytes() throws(CBORError) -> [UInt8] {
    try requireTag24()
    return [UInt8](CBORItem(index, at: row + 1).content)
  }

  private func requireTag24() throws(CBORError) {
    guard node.major == 6, node.argument == 24 else {
      throw CBORError(.wrongType, at: offset, "expected tag 24 around encoded CBOR, found \(kind.rawValue)")
    }
  }

  /// The item itself, or the one inside when it stands in the given tag.
  public func withoutTag(_ tag: UInt64) -> CBORItem {
    node.major == 6 && node.argument == tag ? CBORItem(index, at: row + 1) : self
  }

  /// Tag number, when this is a tagged item.
  public var tag: UInt64? { node.major == 6 ? node.argument : nil }

  /// The number of a simple value, booleans and null included (RFC 8949, 3.3); nil for every other kind.
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

  /// Whether the item was sent with indefinite length.
  var isIndefinite: Bool { node.isIndefinite }

  /// The items directly inside, in order: chunks, items, keys and values in turn, or the tagged item.
  var children: [CBORItem] {
    var found: [CBORItem] = []
    var child = row + 1
    while child < Int(node.next) {
      found.append(CBORItem(index, at: child))
      child = Int(index.nodes[child].next)
    }
    return found
  }
}
