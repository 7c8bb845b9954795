import Primitives

/// A JSON text and a flat table of the values in it. ``JSONReader`` makes it once; every ``JSONItem`` is a view into it, so
/// that reading a message copies no more than the message keeps.
final class JSONIndex: Sendable {
  /// One value, or the name of a member: a row of the table.
  struct Node: Sendable {
    /// The kind of the value.
    var kind: JSONItem.Kind
    /// Indicates whether a string has escape sequences.
    var isEscaped: Bool
    /// The first byte of the value; of a string the one after the quotation mark.
    var start: UInt32
    /// The first byte after the value; of a string the quotation mark.
    var end: UInt32
    /// The row of the next value outside this one.
    var next: UInt32

    /// The place of the value in bytes from the start of the text.
    var offset: Int { Int(start) - (kind == .string ? 1 : 0) }
  }

  let bytes: [UInt8]
  let nodes: [Node]

  init(bytes: [UInt8], nodes: [Node]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  /// A string as it is spelled, without quotation marks; any other value whole.
  private func content(of node: Node) -> ArraySlice<UInt8> { bytes[Int(node.start)..<Int(node.end)] }

  /// The bytes of a string's text.
  private func textBytes(of node: Node) -> ArraySlice<UInt8> {
    node.isEscaped ? JSONEscape.removed(from: content(of: node))[...] : content(of: node)
  }

  func spelling(of node: Node) -> String { String(decoding: content(of: node), as: UTF8.self) }

  func text(of node: Node) -> String { String(decoding: textBytes(of: node), as: UTF8.self) }

  /// Returns the bytes that a string has in base64url, or nil for another text.
  func base64URL(of node: Node) -> [UInt8]? { Base64URL.decode(textBytes(of: node).span) }

  /// Returns whether a string has exactly a text, which is in UTF-8.
  @inline(__always) func hasText(_ node: Node, _ wanted: Span<UInt8>) -> Bool {
    if node.isEscaped {
      let text = JSONEscape.removed(from: content(of: node))
      return Self.hasBytes(wanted, in: text, from: 0, to: text.count)
    }
    return Self.hasBytes(wanted, in: bytes, from: Int(node.start), to: Int(node.end))
  }

  @inline(__always) private static func hasBytes(_ wanted: Span<UInt8>, in bytes: [UInt8], from start: Int, to end: Int)
    -> Bool
  {
    guard end - start == wanted.count else { return false }
    for place in wanted.indices where wanted[place] != bytes[start + place] { return false }
    return true
  }

  /// The place of the first name that an object repeats, in bytes from the start of the text; nil without one.
  var repeatedNameOffset: Int? {
    for row in nodes.indices where nodes[row].kind == .object {
      if let name = repeatedName(ofObject: row) { return nodes[name].offset }
    }
    return nil
  }

  /// Objects with more members are searched by a set. For fewer, comparing each name with the earlier ones is faster.
  private static let comparedCount = 24

  private func repeatedName(ofObject row: Int) -> Int? {
    var count = 0
    var name = row + 1
    while name < nodes[row].next {
      var earlier = row + 1
      while earlier < name {
        if hasEqualTexts(nodes[earlier], nodes[name]) { return name }
        earlier = Int(nodes[earlier + 1].next)
      }
      count += 1
      if count > Self.comparedCount { return repeatedName(ofLargeObject: row) }
      name = Int(nodes[name + 1].next)
    }
    return nil
  }

  private func repeatedName(ofLargeObject row: Int) -> Int? {
    var seen: Set<ArraySlice<UInt8>> = []
    var name = row + 1
    while name < nodes[row].next {
      guard seen.insert(textBytes(of: nodes[name])).inserted else { return name }
      name = Int(nodes[name + 1].next)
    }
    return nil
  }

  private func hasEqualTexts(_ first: Node, _ second: Node) -> Bool {
    if first.isEscaped || second.isEscaped { return textBytes(of: first) == textBytes(of: second) }
    let places = Int(first.start)..<Int(first.end)
    let distance = Int(second.start) - places.lowerBound
    return second.end - second.start == places.count && places.allSatisfy { bytes[$0] == bytes[$0 + distance] }
  }
}
