/// Where and why a text is not JSON.
package struct JSONSyntaxError: Error, Equatable {
  package var offset: Int
  package var reason: String
}

/// A strict reader of one JSON text (RFC 8259): no byte order mark, no trailing comma, nothing after the value.
///
/// A name that comes twice keeps its first place and takes its last value, as in a script engine, unless the reader is told
/// to refuse it. An escaped half of a
/// surrogate pair is refused, since it has no UTF-8 form in which it could leave again.
package struct JSONReader {
  /// What becomes of a name that comes twice in an object.
  package enum RepeatedNames {
    case lastCounts
    case refused
  }

  private let bytes: [UInt8]
  private let repeatedNames: RepeatedNames
  private var offset = 0

  package static func read(
    _ bytes: [UInt8], repeatedNames: RepeatedNames = .lastCounts
  ) throws(JSONSyntaxError) -> JSONValue {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONSyntaxError(offset: 0, reason: "the text is not UTF-8")
    }
    var reader = JSONReader(bytes: bytes, repeatedNames: repeatedNames)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.offset == bytes.count else { throw reader.error("something follows the value") }
    return value
  }

  private init(bytes: [UInt8], repeatedNames: RepeatedNames) {
    self.bytes = bytes
    self.repeatedNames = repeatedNames
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func error(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset, reason: reason)
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
    guard depth <= CredentialLimits.jsonDepth else {
      throw error("more than \(CredentialLimits.jsonDepth) arrays and objects are nested")
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
    case nil: throw error("the text ends where a value is expected")
    default: throw error("no value starts here")
    }
  }

  private mutating func literal(_ word: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    for byte in word.utf8 {
      guard take(byte) else { throw error("\(word) is not complete") }
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
      guard take(UInt8(ascii: ",")) else { throw error("a comma or the end of the array is expected") }
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    offset += 1
    var members = JSONMembers()
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object([]) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("a member name is expected") }
      let start = offset
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("a colon is expected") }
      let isNew = members.set(name, try value(depth: depth + 1))
      guard isNew || repeatedNames == .lastCounts else {
        throw JSONSyntaxError(offset: start, reason: "a name stands twice in one object")
      }
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members.list) }
      guard take(UInt8(ascii: ",")) else { throw error("a comma or the end of the object is expected") }
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
    guard offset > start else { throw error("a digit is expected") }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    offset += 1
    var text: [UInt8] = []
    while true {
      // Texts are long and escapes are rare, so what lies between is taken at once.
      let plain = offset
      let end = bytes[plain...].firstIndex(where: JSONValue.needsEscape) ?? bytes.endIndex
      offset = end
      guard let byte = next else { throw error("a string does not end") }
      guard byte >= 0x20 else { throw error("a control character stands in a string") }
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
    guard let byte = next else { throw error("a string does not end") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = Unicode.Scalar(try codePoint()) else { throw error("half a surrogate pair") }
      text += String(Character(scalar)).utf8
    default: throw error("an unknown escape")
    }
  }

  private mutating func codePoint() throws(JSONSyntaxError) -> UInt32 {
    let first = try codeUnit()
    guard (0xd800..<0xdc00).contains(first) else { return first }
    guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw error("half a surrogate pair") }
    let second = try codeUnit()
    guard (0xdc00..<0xe000).contains(second) else { throw error("half a surrogate pair") }
    return 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)
  }

  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("four hexadecimal digits are expected")
      }
      offset += 1
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}
