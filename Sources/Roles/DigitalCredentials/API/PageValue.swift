import JSON

/// A value that a script passes to the API: everything that JSON can hold, and the values that it cannot.
///
/// A page in a real browser passes its options as JSON. Scenarios and the checklist also pass values that
/// `JSON.stringify` omits or throws for.
public struct PageValue: Hashable, Sendable {
  /// The exception that `JSON.stringify` throws.
  public struct SerializationFailure: Error, Hashable, Sendable {
    /// The name of the exception.
    public var name: ExceptionName

    /// The problem, as the end of a sentence that begins with the path of the value.
    public var problem: String

    /// The failure of a value that `JSON.stringify` makes `undefined` (Infra, "serialize a JavaScript value to a JSON
    /// string").
    static func nothing(_ value: PageValue) -> SerializationFailure {
      SerializationFailure(name: .typeError, problem: "has no JSON, because it is \(value.kindInWords)")
    }
  }

  indirect enum Kind: Hashable, Sendable {
    case json(JSONValue)
    case object([Member])
    case array([PageValue])
    case undefined, function, cycle
    case bigInt(String)
    case symbol(String)
    case throwing(ExceptionName)
  }

  struct Member: Hashable, Sendable {
    var name: String
    var value: PageValue
  }

  let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// Creates a value from JSON.
  package init(_ json: JSONValue) { self.init(.json(json)) }

  /// The value `undefined`. A member with it counts as missing.
  public static let undefined = PageValue(.undefined)

  /// A function; `JSON.stringify` omits it.
  public static let function = PageValue(.function)

  /// An object with a member that is the object itself; `JSON.stringify` throws a `TypeError`.
  public static let cycle = PageValue(.cycle)

  /// A `BigInt`; `JSON.stringify` throws a `TypeError`.
  public static func bigInt(_ digits: String) -> PageValue { PageValue(.bigInt(digits)) }

  /// A symbol; `JSON.stringify` omits it, and it converts to no string.
  public static func symbol(_ description: String) -> PageValue { PageValue(.symbol(description)) }

  /// An object whose `toJSON` throws an exception.
  public static func throwing(_ name: ExceptionName = .typeError) -> PageValue { PageValue(.throwing(name)) }

  /// An object.
  public static func object(_ members: [(String, PageValue)]) -> PageValue {
    PageValue(.object(members.map { Member(name: $0.0, value: $0.1) }))
  }

  /// An array.
  public static func array(_ elements: [PageValue]) -> PageValue { PageValue(.array(elements)) }

  /// A string.
  public static func string(_ text: String) -> PageValue { PageValue(.json(.string(text))) }
}

extension PageValue {
  /// The single member of an object that replaces a value outside JSON.
  public enum Marker: String, CaseIterable, Sendable {
    /// A `BigInt`, by its digits.
    case bigInt = "$bigint"
    /// A symbol, by its description.
    case symbol = "$symbol"
    /// An object whose `toJSON` throws, by the name of the exception.
    case throwing = "$throws"
    /// An object that contains itself; any value.
    case cycle = "$cycle"
    /// `undefined`; any value.
    case undefined = "$undefined"
    /// A function; any value.
    case function = "$function"
  }

  /// Creates a value from JSON in which objects with a single member, a ``Marker``, replace values outside JSON. For example
  /// `{"data": {"$bigint": "123"}}` is an object with a `BigInt`.
  package init(marked json: JSONValue) {
    switch json {
    case .null, .boolean, .number, .string: self.init(json)
    case .array(let elements): self.init(.array(elements.map(PageValue.init(marked:))))
    case .object(let members):
      if members.count == 1, let member = members.first, let marker = Marker(rawValue: member.name) {
        self.init(marker, member.value.text ?? "")
      } else {
        self.init(.object(members.map { Member(name: $0.name, value: PageValue(marked: $0.value)) }))
      }
    }
  }

  private init(_ marker: Marker, _ text: String) {
    switch marker {
    case .bigInt: self = .bigInt(text)
    case .symbol: self = .symbol(text)
    case .throwing: self = .throwing(text.isEmpty ? .typeError : ExceptionName(text))
    case .cycle: self = .cycle
    case .undefined: self = .undefined
    case .function: self = .function
    }
  }

  /// The value as JSON, as `JSON.stringify` makes it (ECMAScript, "SerializeJSONProperty").
  /// - Returns: Nil for a value that is omitted.
  package func json() throws(SerializationFailure) -> JSONValue? {
    switch kind {
    case .json(let value): return value
    case .undefined, .function, .symbol: return nil
    case .bigInt: throw SerializationFailure(name: .typeError, problem: "has a BigInt, which JSON cannot hold")
    case .cycle: throw SerializationFailure(name: .typeError, problem: "contains itself, which JSON cannot hold")
    case .throwing(let name): throw SerializationFailure(name: name, problem: "has a toJSON that throws \(name)")
    case .array(let elements):
      var values: [JSONValue] = []
      for element in elements { values.append(try element.json() ?? .null) }
      return .array(values)
    case .object(let members):
      var values: [JSONValue.Member] = []
      for member in members {
        if let value = try member.value.json() { values.append(.init(name: member.name, value: value)) }
      }
      return .object(values)
    }
  }
}

extension PageValue {
  /// The value of a member, or nil if the value has no such member, or one that is `undefined`.
  func member(_ name: String) -> PageValue? {
    switch kind {
    case .json(let value): return value.member(name).map({ PageValue($0) })
    case .object(let members):
      guard let value = members.last(where: { $0.name == name })?.value, value != .undefined else { return nil }
      return value
    case .array, .undefined, .function, .cycle, .bigInt, .symbol, .throwing: return nil
    }
  }

  /// The elements of an array, or nil for another value.
  var elements: [PageValue]? {
    switch kind {
    case .json(.array(let elements)): elements.map { PageValue($0) }
    case .array(let elements): elements
    default: nil
    }
  }

  /// The text of a string, or nil for another value.
  var text: String? {
    guard case .json(let value) = kind else { return nil }
    return value.text
  }

  /// Indicates whether a script sees an object: Web IDL's `object` covers arrays and functions too.
  var isScriptObject: Bool {
    switch kind {
    case .json(let value): value.isScriptObject
    case .object, .array, .function, .cycle, .throwing: true
    case .undefined, .bigInt, .symbol: false
    }
  }

  /// Indicates whether the value is a dictionary without members to Web IDL.
  var isNullish: Bool { kind == .json(.null) || kind == .undefined }

  /// The kind of the value with its article, for messages.
  var kindInWords: String {
    switch kind {
    case .json(let value): value.kind
    case .object, .cycle, .throwing: "an object"
    case .array: "an array"
    case .undefined: "undefined"
    case .function: "a function"
    case .bigInt: "a BigInt"
    case .symbol: "a symbol"
    }
  }
}
