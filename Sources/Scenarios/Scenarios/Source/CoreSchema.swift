/// What a plain scalar means in YAML 1.2's core schema (YAML 1.2.2, section 10.3.2).
enum CoreSchema {
  static func value(of text: String) -> SourceScalar.Value {
    switch text {
    case "", "~", "null", "Null", "NULL": .null
    case "true", "True", "TRUE": .boolean(true)
    case "false", "False", "FALSE": .boolean(false)
    default: number(text) ?? .text(text)
    }
  }

  private static func number(_ text: String) -> SourceScalar.Value? {
    // Most scalars are words, and a word is no number by its first byte.
    guard let first = text.utf8.first, isDigit(first) || "+-.".utf8.contains(first) else { return nil }
    if text.hasPrefix("0x") { return based(text.dropFirst(2), radix: 16) }
    if text.hasPrefix("0o") { return based(text.dropFirst(2), radix: 8) }
    return decimal(text)
  }

  private static func based(_ digits: Substring, radix: Int) -> SourceScalar.Value? {
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.hexDigitValue ?? radix) < radix }) else { return nil }
    if let value = Int(digits, radix: radix) { return .integer(value) }
    return .number(digits.reduce(0.0) { $0 * Double(radix) + Double($1.hexDigitValue ?? 0) })
  }

  private static func decimal(_ text: String) -> SourceScalar.Value? {
    let unsigned = text.first == "+" || text.first == "-" ? text.dropFirst() : text[...]
    switch unsigned {
    case ".inf", ".Inf", ".INF": return .number(text.first == "-" ? -.infinity : .infinity)
    case ".nan", ".NaN", ".NAN": return unsigned.count == text.count ? .number(.nan) : nil
    default: break
    }
    var rest = unsigned.utf8[...]
    let whole = takeDigits(&rest)
    if whole > 0, rest.isEmpty { return Int(text).map { .integer($0) } ?? Double(text).map { .number($0) } }
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
    }
    guard whole + fraction > 0 else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard takeDigits(&rest) > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    return Double(text).map { .number($0) }
  }

  private static func takeDigits(_ rest: inout Substring.UTF8View) -> Int {
    let digits = rest.prefix(while: isDigit).count
    rest.removeFirst(digits)
    return digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
