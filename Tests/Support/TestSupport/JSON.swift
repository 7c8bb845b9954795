/// A JSON value, for reading vectors.
public indirect enum JSON: Decodable, Sendable, Equatable {
  /// Null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number.
  case number(Double)
  /// A text.
  case text(String)
  /// An array.
  case array([JSON])
  /// An object.
  case object([String: JSON])

  /// Reads any value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Vectors hold mostly texts, and each wrong guess costs a thrown error.
    if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([String: JSON].self) {
      self = .object(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      guard container.decodeNil() else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no JSON value")
      }
      self = .null
    }
  }

  /// Returns the member of an object, or nil if it is missing or this is not an object.
  public subscript(name: String) -> JSON? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The text, when it is one.
  public var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The truth value, when it is one.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The number, when it is one.
  public var number: Double? { if case .number(let value) = self { value } else { nil } }

  /// The items, when it is an array.
  public var array: [JSON]? { if case .array(let items) = self { items } else { nil } }

  /// The members, when it is an object.
  public var object: [String: JSON]? { if case .object(let members) = self { members } else { nil } }
}
