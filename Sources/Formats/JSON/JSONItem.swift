import Primitives

/// A view of one value in a JSON text. Cheap to copy; keeps the whole text alive.
package struct JSONItem: Sendable {
  let index: JSONIndex
  let row: Int

  init(_ index: JSONIndex, at row: Int) {
    self.index = index
    self.row = row
  }

  var node: JSONIndex.Node { index.nodes[row] }

  /// The kinds of values (RFC 8259, 3).
  package enum Kind: UInt8, Sendable {
    case null, boolean, number, string, array, object

    /// The kind with its article, for messages.
    package var text: String {
      switch self {
      case .null: "null"
      case .boolean: "a boolean"
      case .number: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    }
  }

  /// The kind of the value.
  package var kind: Kind { node.kind }

  /// The place of the value in bytes from the start of the text.
  package var offset: Int { node.offset }

  /// The value exactly as received.
  package var bytes: [UInt8] { Array(index.bytes[node.offset..<Int(node.end) + (kind == .string ? 1 : 0)]) }

  /// An error at this value.
  package func error(_ message: String, _ code: JSONError.Code = .badValue) -> JSONError {
    JSONError(code, at: offset, message)
  }

  private func require(_ wanted: Kind) throws(JSONError) -> JSONIndex.Node {
    let node = node
    guard node.kind == wanted else {
      throw JSONError(.wrongType, at: node.offset, "expected \(wanted.text), found \(node.kind.text)")
    }
    return node
  }

  /// Returns the value of a string.
  /// - Throws: ``JSONError/Code/wrongType``.
  package func text() throws(JSONError) -> String { index.text(of: try require(.string)) }

  /// Returns the value of a boolean.
  /// - Throws: ``JSONError/Code/wrongType``.
  package func boolean() throws(JSONError) -> Bool {
    _ = try require(.boolean)
    return isTrue
  }

  var isTrue: Bool { index.bytes[Int(node.start)] == UInt8(ascii: "t") }

  /// Returns the digits of a number as they are spelled.
  /// - Throws: ``JSONError/Code/wrongType``.
  package func spelling() throws(JSONError) -> String { index.spelling(of: try require(.number)) }

  /// Returns an integer, which has neither fraction nor exponent.
  /// - Throws: ``JSONError/Code/wrongType``, or ``JSONError/Code/badValue`` outside the range of the type.
  package func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(JSONError) -> Number {
    let spelling = try spelling()
    guard let number = Number(spelling) else { throw error("expected an integer of \(Number.bitWidth) bits") }
    return number
  }

  /// Returns the bytes of a string in base64url.
  /// - Throws: ``JSONError/Code/wrongType``, or ``JSONError/Code/badValue`` for another text.
  package func base64URL() throws(JSONError) -> [UInt8] {
    guard let bytes = index.base64URL(of: try require(.string)) else {
      throw error("the text \(Base64URL.violation(in: try text()) ?? "is not base64url")")
    }
    return bytes
  }

  /// Returns the bytes of a string in base64 with padding.
  /// - Throws: ``JSONError/Code/wrongType``, or ``JSONError/Code/badValue`` for another text.
  package func base64() throws(JSONError) -> [UInt8] {
    guard let bytes = Base64.decode(try text()) else { throw error("the text is not base64") }
    return bytes
  }

  /// The items of an array.
  /// - Throws: ``JSONError/Code/wrongType``.
  package func elements() throws(JSONError) -> JSONElements {
    _ = try require(.array)
    return JSONElements(self)
  }

  /// The names and items of an object, in the order of the text.
  /// - Throws: ``JSONError/Code/wrongType``.
  package func members() throws(JSONError) -> JSONMembers {
    _ = try require(.object)
    return JSONMembers(self)
  }

  /// Returns the name and the item of the only member of an object.
  /// - Throws: ``JSONError/Code/wrongType``, or ``JSONError/Code/badValue`` for another number of members.
  package func onlyMember() throws(JSONError) -> (name: String, item: JSONItem) {
    let members = Array(try members())
    guard let member = members.first, members.count == 1 else {
      throw error("expected an object with one member, found \(members.count)")
    }
    return member
  }

  /// Returns the row of a member's value, or nil if the object lacks it or has null.
  private func row(of name: String) throws(JSONError) -> Int? {
    let end = Int(try require(.object).next)
    let name = name.utf8Span.span
    var row = row + 1
    while row < end {
      if index.hasText(index.nodes[row], name) { return index.nodes[row + 1].kind == .null ? nil : row + 1 }
      row = Int(index.nodes[row + 1].next)
    }
    return nil
  }

  /// Returns the path from this value to the one at a place in the text, for example `steps[0].seed`; empty for this value.
  package func path(to offset: Int) -> String {
    func covers(_ item: JSONItem) -> Bool { (item.offset..<Int(item.node.end)).contains(offset) }
    switch kind {
    case .object:
      guard let (name, item) = JSONMembers(self).first(where: { covers($0.item) }) else { return "" }
      let rest = item.path(to: offset)
      return rest.isEmpty || rest.hasPrefix("[") ? name + rest : "\(name).\(rest)"
    case .array:
      guard let (number, item) = JSONElements(self).enumerated().first(where: { covers($0.element) }) else { return "" }
      let rest = item.path(to: offset)
      return rest.isEmpty || rest.hasPrefix("[") ? "[\(number)]\(rest)" : "[\(number)].\(rest)"
    default: return ""
    }
  }

  private func missing(_ name: String) -> JSONError { error("the member '\(name)' is missing", .missingMember) }
}

/// The members of an object.
extension JSONItem {
  /// Returns the item of a member, or nil if the object lacks it or has null.
  /// - Throws: ``JSONError/Code/wrongType`` if this is not an object.
  package func optionalItem(_ name: String) throws(JSONError) -> JSONItem? {
    try row(of: name).map { JSONItem(index, at: $0) }
  }

  /// Returns the item of a required member.
  /// - Throws: ``JSONError/Code/missingMember``, or ``JSONError/Code/wrongType`` if this is not an object.
  package func item(_ name: String) throws(JSONError) -> JSONItem {
    guard let row = try row(of: name) else { throw missing(name) }
    return JSONItem(index, at: row)
  }

  /// Returns the value of a required member.
  /// - Throws: ``JSONError``.
  package func member<Value: JSONReadable>(_ name: String) throws(JSONError) -> Value { try Value(json: item(name)) }

  /// Returns the value of a member, or nil if the object lacks it or has null.
  /// - Throws: ``JSONError``.
  package func optionalMember<Value: JSONReadable>(_ name: String) throws(JSONError) -> Value? {
    guard let item = try optionalItem(name) else { return nil }
    return try Value(json: item)
  }

  // Most members are texts, which are read without the cost of a generic call.

  /// Returns the text of a required member.
  /// - Throws: ``JSONError``.
  package func member(_ name: String) throws(JSONError) -> String {
    guard let row = try row(of: name) else { throw missing(name) }
    return try text(at: row)
  }

  /// Returns the text of a member, or nil if the object lacks it or has null.
  /// - Throws: ``JSONError``.
  package func optionalMember(_ name: String) throws(JSONError) -> String? {
    guard let row = try row(of: name) else { return nil }
    return try text(at: row)
  }

  /// Returns the bytes of a required member in base64url.
  /// - Throws: ``JSONError``, with ``JSONError/Code/badValue`` for another text.
  package func base64URLMember(_ name: String) throws(JSONError) -> [UInt8] { try item(name).base64URL() }

  private func text(at row: Int) throws(JSONError) -> String {
    let node = index.nodes[row]
    guard node.kind == .string else { return try JSONItem(index, at: row).text() }
    return index.text(of: node)
  }
}

/// The items of an array.
package struct JSONElements: Sequence, IteratorProtocol {
  private let index: JSONIndex
  private var row: Int
  private let end: Int

  init(_ item: JSONItem) {
    index = item.index
    row = item.row + 1
    end = Int(item.node.next)
  }

  /// The number of the items that are left.
  package var count: Int {
    var count = 0
    var row = row
    while row < end {
      count += 1
      row = Int(index.nodes[row].next)
    }
    return count
  }

  /// The next item.
  package mutating func next() -> JSONItem? {
    guard row < end else { return nil }
    defer { row = Int(index.nodes[row].next) }
    return JSONItem(index, at: row)
  }
}

/// The members of an object, in the order of the text.
package struct JSONMembers: Sequence, IteratorProtocol {
  private let index: JSONIndex
  private var row: Int
  private let end: Int

  init(_ item: JSONItem) {
    index = item.index
    row = item.row + 1
    end = Int(item.node.next)
  }

  /// The next member.
  package mutating func next() -> (name: String, item: JSONItem)? {
    guard row < end else { return nil }
    defer { row = Int(index.nodes[row + 1].next) }
    return (index.text(of: index.nodes[row]), JSONItem(index, at: row + 1))
  }
}
