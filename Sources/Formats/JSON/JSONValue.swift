import Primitives

/// A JSON text as a value that is written again without a change of meaning.
///
/// Members keep their order, as in a script engine's `JSON.stringify`, and numbers keep their spelling, so the bytes
/// written depend on the bytes read and on nothing else.
package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// An object with members in an order.
  package init(members: [(String, JSONValue)]) { self = .object(members.map { Member(name: $0.0, value: $0.1) }) }

  /// An object with those of some members that have a value.
  package init(present members: [(String, JSONValue?)]) {
    self.init(members: members.compactMap { name, value in value.map { (name, $0) } })
  }

  /// The value of a member, or nil if the value is not an object or has no such member.
  package func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.isExactly(name) }?.value
  }

  /// The text of a string value.
  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The kind of the value with its article, for messages.
  package var kind: String {
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

extension JSONValue: JSONWritable {
  /// The value as compact JSON in UTF-8.
  package var bytes: [UInt8] { JSONCoding.encode(self) }

  /// The value as JSON with two spaces for each level and a line feed at the end, in UTF-8.
  package var indented: [UInt8] { JSONWriter.indented(write) }

  /// Writes the value, members in their own order and numbers in their own spelling.
  package func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .boolean(let value): value.write(to: &json)
    case .number(let spelling): json.spelled(spelling)
    case .string(let text): json.string(text)
    case .array(let elements): elements.write(to: &json)
    case .object(let members): json.object { json in for member in members { json.member(member.name, member.value) } }
    }
  }
}

extension JSONValue: JSONReadable {
  package init(json: JSONItem) { self.init(json) }
}

extension JSONValue {
  /// Reads a value. A repeated name keeps its position and takes its last value.
  package init(_ item: JSONItem) {
    let index = item.index
    switch item.kind {
    case .null: self = .null
    case .boolean: self = .boolean(item.isTrue)
    case .number: self = .number(index.spelling(of: item.node))
    case .string: self = .string(index.text(of: item.node))
    case .array: self = .array(JSONElements(item).map { JSONValue($0) })
    case .object:
      var members = DistinctMembers()
      for (name, item) in JSONMembers(item) { members.set(name, JSONValue(item)) }
      self = .object(members.list)
    }
  }
}

/// The members of an object during reading.
private struct DistinctMembers {
  /// Objects with fewer members are searched linearly, which is faster than an index for real requests.
  private static let indexedCount = 16

  private(set) var list: [JSONValue.Member] = []
  private var places: [[UInt8]: Int] = [:]

  /// Sets a member. A repeated name keeps its position and takes the new value.
  mutating func set(_ name: String, _ value: JSONValue) {
    if let place = place(of: name) {
      list[place].value = value
      return
    }
    list.append(.init(name: name, value: value))
    if list.count == Self.indexedCount {
      for (place, member) in list.enumerated() { places[Array(member.name.utf8)] = place }
    } else if list.count > Self.indexedCount {
      places[Array(name.utf8)] = list.count - 1
    }
  }

  private func place(of name: String) -> Int? {
    list.count < Self.indexedCount ? list.firstIndex { $0.name.isExactly(name) } : places[Array(name.utf8)]
  }
}
