/// The type of a JSON value, for documentation and schemas.
public indirect enum JSONType: Sendable {
  case text
  /// One of some words.
  case words([String])
  case number
  case boolean
  case list(JSONType)
  case object([Member])
  /// An object with exactly one of the members.
  case oneOf([Member])

  /// A member of an object.
  public struct Member: Sendable {
    /// The name.
    public let name: String
    /// The type of the value.
    public let type: JSONType
    /// True if objects may leave it out.
    public let isOptional: Bool
    /// The meaning, in words.
    public let meaning: String

    /// Describes a member.
    package init(_ name: String, _ type: JSONType, _ meaning: String, isOptional: Bool = false) {
      self.name = name
      self.type = type
      self.meaning = meaning
      self.isOptional = isOptional
    }
  }
}

/// A type whose values are of one type in JSON.
package protocol JSONTyped: SendableMetatype {
  /// The type of the values.
  static var jsonType: JSONType { get }
}

extension String: JSONTyped {
  package static var jsonType: JSONType { .text }
}

extension Int: JSONTyped {
  package static var jsonType: JSONType { .number }
}

extension Bool: JSONTyped {
  package static var jsonType: JSONType { .boolean }
}

extension Array: JSONTyped where Element: JSONTyped {
  package static var jsonType: JSONType { .list(Element.jsonType) }
}

extension JSONTyped where Self: CaseIterable & RawRepresentable, RawValue == String {
  package static var jsonType: JSONType { .words(allCases.map(\.rawValue)) }
}
