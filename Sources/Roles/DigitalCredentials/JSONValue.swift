/// One JSON text as a value that can be written again without change of meaning.
///
/// Members keep the order in which they came, as a script engine's `JSON.stringify` does, and numbers keep their
/// spelling, so the bytes that leave depend on the bytes that came and on nothing else.
package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }

    /// String equality is Unicode equivalence; JSON names are equal only when their code points are.
    func isNamed(_ other: String) -> Bool {
      name.utf8.count == other.utf8.count && name.utf8.elementsEqual(other.utf8)
    }
  }

  /// The value of a member; nil when this is no object or has no such member.
  package func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.isNamed(name) }?.value
  }

  /// The text of a string value.
  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// Whether a script would see an object: WebIDL's `object` covers arrays too.
  var isScriptObject: Bool {
    switch self {
    case .array, .object: true
    case .null, .boolean, .number, .string: false
    }
  }

  /// What the value is, for a message.
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
