import Primitives

/// A rule of JSON that a text breaks.
package struct JSONSyntaxError: CodedError, Equatable {
  /// The rules.
  package enum Code: String, Sendable, CaseIterable {
    /// Not the grammar of JSON (RFC 8259, 2), or half of a surrogate pair.
    case syntax = "json.syntax"
    /// Bytes that are not UTF-8 (RFC 8259, 8.1).
    case encoding = "json.encoding"
    /// A name that an object repeats (RFC 8259, 4).
    case repeatedName = "json.repeated-name"
    /// Nesting beyond the limit of the reader.
    case tooDeep = "json.too-deep"
  }

  /// The broken rule.
  package let code: Code
  /// The place of the failure, in bytes from the start of the text.
  package let offset: Int
  /// A human-readable description of the failure.
  package let message: String

  /// The place of the failure.
  package var location: String? { "byte \(offset)" }
}

/// A strict reader of one JSON text (RFC 8259): no byte order mark, no trailing comma, nothing after the value.
///
/// A repeated name keeps its first position and takes its last value, as in a script engine, unless the caller asks to refuse
/// repeated names. An escaped half of a surrogate pair is refused, since UTF-8 cannot represent it.
package struct JSONReader {
  /// The treatment of a name that an object repeats.
  package enum RepeatedNames {
    case lastCounts
    case refused
  }

  /// The deepest nesting of arrays and objects: 128.
  ///
  /// Reading is recursive and may run on a small thread stack. Real requests need fewer than twenty levels.
  package static let maximumDepth = 128

  private let bytes: [UInt8]
  private let repeatedNames: RepeatedNames
  private let maximumDepth: Int
  private var offset = 0

  /// Reads one JSON text.
  package static func read(
    _ bytes: [UInt8], repeatedNames: RepeatedNames = .lastCounts, maximumDepth: Int = Self.maximumDepth
  ) throws(JSONSyntaxError) -> JSONValue {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONSyntaxError(code: .encoding, offset: 0, message: "the text is not UTF-8")
    }
    var reader = JSONReader(bytes: bytes, repeatedNames: repeatedNames, maximumDepth: maximumDepth)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.offset == bytes.count else { throw reader.error("unexpected text after the value") }
    return value
  }

  private init(bytes: [UInt8], repeatedNames: RepeatedNames, maximumDepth: Int) {
    self.bytes = bytes
    self.repeatedNames = repeatedNames
    self.maximumDepth = maximumDepth
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func error(_ message: String, _ code: JSONSyntaxError.Code = .syntax) -> JSONSyntaxError {
    JSONSyntaxError(code: code, offset: offset, message: message)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { offset += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    guard depth <= maximumDepth else {
      throw error("arrays and objects are nested deeper than \(maximumDepth) levels", .tooDeep)
    }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .boolean(true))
    case UInt8(ascii: "f"): return try literal("false", .boolean(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    case nil: throw error("unexpected end of the text")
    default: throw error("expected a value")
    }
  }

  private mutating func literal(_ word: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    for byte in word.utf8 {
      guard take(byte) else { throw error("expected '\(word)'") }
    }
    return value
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    offset += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { throw error("expected a comma or the end of the array") }
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    offset += 1
    var members = JSONMembers()
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object([]) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("expected a member name") }
      let start = offset
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("expected a colon") }
      let isNew = members.set(name, try value(depth: depth + 1))
      guard isNew || repeatedNames == .lastCounts else {
        throw JSONSyntaxError(code: .repeatedName, offset: start, message: "an object repeats a member name")
      }
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members.list) }
      guard take(UInt8(ascii: ",")) else { throw error("expected a comma or the end of the object") }
    }
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = offset
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = offset
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
    guard offset > start else { throw error("expected a digit") }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    offset += 1
    var text: [UInt8] = []
    while true {
      // Texts are long and escapes are rare, so the bytes up to the next escape are copied at once.
      let plain = offset
      let end = bytes[plain...].firstIndex(where: JSONValue.needsEscape) ?? bytes.endIndex
      offset = end
      guard let byte = next else { throw error("unterminated string") }
      guard byte >= 0x20 else { throw error("unescaped control character in a string") }
      let run = bytes[plain..<end]
      offset += 1
      if byte == UInt8(ascii: "\"") {
        return String(decoding: text.isEmpty ? run : ArraySlice(text + run), as: UTF8.self)
      }
      text += run
      try escape(into: &text)
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    guard let byte = next else { throw error("unterminated string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = Unicode.Scalar(try codePoint()) else { throw error("unpaired surrogate") }
      text += String(Character(scalar)).utf8
    default: throw error("unknown escape sequence")
    }
  }

  private mutating func codePoint() throws(JSONSyntaxError) -> UInt32 {
    let first = try codeUnit()
    guard (0xd800..<0xdc00).contains(first) else { return first }
    guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw error("unpaired surrogate") }
    let second = try codeUnit()
    guard (0xdc00..<0xe000).contains(second) else { throw error("unpaired surrogate") }
    return 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)
  }

  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("expected four hexadecimal digits")
      }
      offset += 1
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

/// The members of an object during reading.
private struct JSONMembers {
  /// Objects with fewer members are searched linearly, which is faster than an index for real requests.
  private static let indexedCount = 16

  private(set) var list: [JSONValue.Member] = []
  private var places: [[UInt8]: Int] = [:]

  /// Sets a member. A repeated name keeps its position and takes the new value.
  /// - Returns: Whether the name is new.
  mutating func set(_ name: String, _ value: JSONValue) -> Bool {
    if let place = place(of: name) {
      list[place].value = value
      return false
    }
    list.append(.init(name: name, value: value))
    if list.count == Self.indexedCount {
      for (place, member) in list.enumerated() { places[Array(member.name.utf8)] = place }
    } else if list.count > Self.indexedCount {
      places[Array(name.utf8)] = list.count - 1
    }
    return true
  }

  private func place(of name: String) -> Int? {
    list.count < Self.indexedCount ? list.firstIndex { $0.name.isExactly(name) } : places[Array(name.utf8)]
  }
}
