import Primitives

/// A strict reader of one JSON text (RFC 8259): UTF-8, no byte order mark, no trailing comma, nothing after the value.
///
/// An escaped half of a surrogate pair is refused, since UTF-8 cannot represent it.
package enum JSONReader {
  /// The treatment of a name that an object repeats.
  package enum RepeatedNames {
    /// The name keeps its first position and takes its last value, as in a script engine.
    case lastCounts
    /// An error.
    case refused
  }

  /// The deepest nesting of arrays and objects: 128.
  ///
  /// Reading is recursive and may run on a small thread stack. Real requests need fewer than twenty levels.
  package static let maximumDepth = 128

  /// Reads one JSON text as a value.
  /// - Throws: ``JSONError`` with the first broken rule and its place.
  package static func read(
    _ bytes: [UInt8], repeatedNames: RepeatedNames = .lastCounts, maximumDepth: Int = Self.maximumDepth
  ) throws(JSONError) -> JSONValue {
    let limits = JSONLimits(bytes: .max, depth: maximumDepth, values: .max)
    return JSONValue(try item(bytes, limits: limits, repeatedNames: repeatedNames))
  }

  /// Reads one JSON text as a view of its bytes.
  /// - Throws: ``JSONError`` with the first broken rule and its place.
  package static func item(
    _ bytes: [UInt8], limits: JSONLimits = .message, repeatedNames: RepeatedNames = .refused
  ) throws(JSONError) -> JSONItem {
    // The table stores offsets in 32 bits, whatever limit the caller sets.
    let most = min(limits.bytes, Int(UInt32.max))
    guard bytes.count <= most else {
      throw JSONError(.tooLarge, at: 0, "\(bytes.count) bytes exceed the limit of \(most)")
    }
    guard (try? UTF8Span(validating: bytes.span)) != nil else {
      throw JSONError(.encoding, at: 0, "the text is not UTF-8")
    }
    var cursor = Cursor(limits: limits, count: bytes.count)
    try cursor.readText(in: bytes.span)
    let index = JSONIndex(bytes: bytes, nodes: cursor.nodes)
    if repeatedNames == .refused, let offset = index.repeatedNameOffset {
      throw JSONError(.repeatedName, at: offset, "an object repeats a member name")
    }
    return JSONItem(index, at: 0)
  }
}

/// Walks the text once and writes a row for every value and every name.
private struct Cursor {
  let limits: JSONLimits
  var position = 0
  var nodes: [JSONIndex.Node] = []

  init(limits: JSONLimits, count: Int) {
    self.limits = limits
    // Values and names of messages have about sixteen bytes on average; one allocation is enough for most texts.
    nodes.reserveCapacity(min(count / 16 + 8, limits.values))
  }

  private func error(_ message: String, _ code: JSONError.Code = .syntax) -> JSONError {
    JSONError(code, at: position, message)
  }

  mutating func readText(in bytes: Span<UInt8>) throws(JSONError) {
    try readValue(in: bytes, depth: 0)
    skipSpace(in: bytes)
    guard position == bytes.count else { throw error("unexpected text after the value") }
  }

  private func next(in bytes: Span<UInt8>) -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace(in bytes: Span<UInt8>) {
    while let byte = next(in: bytes), byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
    guard next(in: bytes) == byte else { return false }
    position += 1
    return true
  }

  @inline(__always) private func requireRoom() throws(JSONError) {
    guard nodes.count < limits.values else { throw error("the text has more than \(limits.values) values", .tooLarge) }
  }

  /// Begins the row of a container, whose end is not known yet.
  /// - Returns: The row.
  private mutating func begin(_ kind: JSONItem.Kind) throws(JSONError) -> Int {
    try requireRoom()
    add(kind, from: position)
    return nodes.count - 1
  }

  private mutating func end(_ row: Int) {
    nodes[row].end = UInt32(position)
    nodes[row].next = UInt32(nodes.count)
  }

  /// Adds the row of a value that ends here.
  private mutating func add(_ kind: JSONItem.Kind, isEscaped: Bool = false, from start: Int) {
    nodes.append(
      JSONIndex.Node(
        kind: kind, isEscaped: isEscaped, start: UInt32(start), end: UInt32(position), next: UInt32(nodes.count + 1)))
  }

  private mutating func readValue(in bytes: Span<UInt8>, depth: Int) throws(JSONError) {
    guard depth <= limits.depth else {
      throw error("arrays and objects are nested deeper than \(limits.depth) levels", .tooDeep)
    }
    skipSpace(in: bytes)
    switch next(in: bytes) {
    case UInt8(ascii: "{"): try readObject(in: bytes, depth: depth)
    case UInt8(ascii: "["): try readArray(in: bytes, depth: depth)
    case UInt8(ascii: "\""): try readString(in: bytes)
    case UInt8(ascii: "t"): try readLiteral("true", .boolean, in: bytes)
    case UInt8(ascii: "f"): try readLiteral("false", .boolean, in: bytes)
    case UInt8(ascii: "n"): try readLiteral("null", .null, in: bytes)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): try readNumber(in: bytes)
    case nil: throw error("unexpected end of the text")
    default: throw error("expected a value")
    }
  }

  private mutating func readLiteral(_ word: String, _ kind: JSONItem.Kind, in bytes: Span<UInt8>) throws(JSONError) {
    try requireRoom()
    let start = position
    for byte in word.utf8 {
      guard take(byte, in: bytes) else { throw error("expected '\(word)'") }
    }
    add(kind, from: start)
  }

  private mutating func readArray(in bytes: Span<UInt8>, depth: Int) throws(JSONError) {
    let row = try begin(.array)
    position += 1
    skipSpace(in: bytes)
    if !take(UInt8(ascii: "]"), in: bytes) {
      while true {
        try readValue(in: bytes, depth: depth + 1)
        skipSpace(in: bytes)
        if take(UInt8(ascii: "]"), in: bytes) { break }
        guard take(UInt8(ascii: ","), in: bytes) else { throw error("expected a comma or the end of the array") }
      }
    }
    end(row)
  }

  private mutating func readObject(in bytes: Span<UInt8>, depth: Int) throws(JSONError) {
    let row = try begin(.object)
    position += 1
    skipSpace(in: bytes)
    if !take(UInt8(ascii: "}"), in: bytes) {
      while true {
        skipSpace(in: bytes)
        guard next(in: bytes) == UInt8(ascii: "\"") else { throw error("expected a member name") }
        try readString(in: bytes)
        skipSpace(in: bytes)
        guard take(UInt8(ascii: ":"), in: bytes) else { throw error("expected a colon") }
        try readValue(in: bytes, depth: depth + 1)
        skipSpace(in: bytes)
        if take(UInt8(ascii: "}"), in: bytes) { break }
        guard take(UInt8(ascii: ","), in: bytes) else { throw error("expected a comma or the end of the object") }
      }
    }
    end(row)
  }

  private mutating func readNumber(in bytes: Span<UInt8>) throws(JSONError) {
    try requireRoom()
    let start = position
    _ = take(UInt8(ascii: "-"), in: bytes)
    if !take(UInt8(ascii: "0"), in: bytes) { try readDigits(in: bytes) }
    if take(UInt8(ascii: "."), in: bytes) { try readDigits(in: bytes) }
    if take(UInt8(ascii: "e"), in: bytes) || take(UInt8(ascii: "E"), in: bytes) {
      if !take(UInt8(ascii: "+"), in: bytes) { _ = take(UInt8(ascii: "-"), in: bytes) }
      try readDigits(in: bytes)
    }
    add(.number, from: start)
  }

  private mutating func readDigits(in bytes: Span<UInt8>) throws(JSONError) {
    let start = position
    while let byte = next(in: bytes), byte.isDigit { position += 1 }
    guard position > start else { throw error("expected a digit") }
  }

  private mutating func readString(in bytes: Span<UInt8>) throws(JSONError) {
    position += 1
    try requireRoom()
    let start = position
    var isEscaped = false
    while true {
      position += JSONEscape.plainCount(bytes, from: position)
      guard let byte = next(in: bytes) else { throw error("unterminated string") }
      guard byte >= 0x20 else { throw error("unescaped control character in a string") }
      if byte == UInt8(ascii: "\"") { break }
      position += 1
      isEscaped = true
      try readEscape(in: bytes)
    }
    add(.string, isEscaped: isEscaped, from: start)
    position += 1
  }

  private mutating func readEscape(in bytes: Span<UInt8>) throws(JSONError) {
    guard let byte = next(in: bytes) else { throw error("unterminated string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    case UInt8(ascii: "u"):
      guard Unicode.Scalar(try readCodePoint(in: bytes)) != nil else { throw error("unpaired surrogate") }
    default: throw error("unknown escape sequence")
    }
  }

  private mutating func readCodePoint(in bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
    let first = try readCodeUnit(in: bytes)
    guard JSONEscape.isHighSurrogate(first) else { return first }
    guard take(UInt8(ascii: "\\"), in: bytes), take(UInt8(ascii: "u"), in: bytes) else {
      throw error("unpaired surrogate")
    }
    let second = try readCodeUnit(in: bytes)
    guard (0xdc00..<0xe000).contains(second) else { throw error("unpaired surrogate") }
    return JSONEscape.codePoint(first, second)
  }

  private mutating func readCodeUnit(in bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next(in: bytes), let digit = byte.hexadecimalValue else {
        throw error("expected four hexadecimal digits")
      }
      position += 1
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

/// Limits on the cost of reading. They keep untrusted input from causing more work than its own size justifies.
package struct JSONLimits: Sendable, Equatable {
  /// The longest text in bytes.
  package var bytes: Int
  /// The deepest nesting of arrays and objects. The outermost is at level 0.
  package var depth: Int
  /// The most values in one text. A member counts twice, with its name.
  package var values: Int

  /// Creates limits.
  package init(bytes: Int, depth: Int, values: Int) {
    self.bytes = bytes
    self.depth = depth
    self.values = values
  }

  /// The limits of a message between parties.
  ///
  /// 8 MiB are the longest response in base64url and its other members. Reading is recursive and may run on a small thread
  /// stack; real messages need fewer than twenty levels. A million values are the largest partial request.
  package static let message = JSONLimits(bytes: 8 << 20, depth: JSONReader.maximumDepth, values: 1 << 20)
}
