import Primitives

/// Diagnostic notation (RFC 8949, 8), in the style of its appendix A.
extension CBORItem {
  /// The item in diagnostic notation on one line, with the bytes inside tag 24: `24(h'01')`.
  public var diagnostic: String { Diagnostic.text(of: self, opensEmbedded: false) }

  /// The item in diagnostic notation on one line, with the item inside tag 24: `24(<<1>>)`.
  public var diagnosticWithEmbedded: String { Diagnostic.text(of: self, opensEmbedded: true) }
}

/// Writes items in diagnostic notation.
private struct Diagnostic {
  let opensEmbedded: Bool
  var text = ""

  static func text(of item: CBORItem, opensEmbedded: Bool) -> String {
    var diagnostic = Diagnostic(opensEmbedded: opensEmbedded)
    diagnostic.describe(item)
    return diagnostic.text
  }

  private mutating func describe(_ item: CBORItem) {
    let node = item.node
    switch item.kind {
    case .unsigned: text += String(node.argument)
    case .negative: text += CBORValue.decimal(ofNegative: node.argument)
    case .bytes, .text: describeString(item)
    case .array: describeItems(item, open: "[", close: "]")
    case .map: describeItems(item, open: "{", close: "}")
    case .tagged: describeTagged(item)
    case .boolean: text += node.information == 21 ? "true" : "false"
    case .null: text += "null"
    case .undefined: text += "undefined"
    case .simple: text += "simple(\(node.argument))"
    case .float: text += diagnosticNumber(CBORFloatBits(information: node.information, bits: node.argument).value)
    }
  }

  private mutating func describeString(_ item: CBORItem) {
    let isBytes = item.node.major == 2
    if item.isIndefinite {
      let chunks = item.children
      text += chunks.isEmpty ? (isBytes ? "''_" : "\"\"_") : "(_ "
      for (position, chunk) in chunks.enumerated() {
        if position > 0 { text += ", " }
        describe(chunk)
      }
      if !chunks.isEmpty { text += ")" }
    } else if isBytes {
      text += "h'" + hexadecimal(item.content) + "'"
    } else {
      text += quoted(String(decoding: item.content, as: UTF8.self))
    }
  }

  private mutating func describeItems(_ item: CBORItem, open: String, close: String) {
    text += item.isIndefinite ? open + "_ " : open
    let isMap = item.node.major == 5
    for (position, child) in item.children.enumerated() {
      if position > 0 { text += isMap && position % 2 == 1 ? ": " : ", " }
      describe(child)
    }
    text += close
  }

  private mutating func describeTagged(_ item: CBORItem) {
    let number = item.node.argument
    let content = CBORItem(item.index, at: item.row + 1)
    if (number == 2 || number == 3), content.node.major == 2 {
      text += decimalOfBignum(content.content, negative: number == 3)
      return
    }
    text += "\(number)("
    if opensEmbedded, let embedded = try? item.embedded() {
      text += "<<"
      describe(embedded)
      text += ">>"
    } else {
      describe(content)
    }
    text += ")"
  }
}

/// Returns text in double quotes, escaped as in JSON so that it stays on its line.
func quoted(_ content: String) -> String {
  var text = "\""
  for scalar in content.unicodeScalars {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where leavesLine(scalar):
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text + "\""
}

/// Returns whether a character can end its line or change the reading direction.
private func leavesLine(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029: true
  default: scalar.properties.isBidiControl
  }
}

extension CBORValue {
  /// Returns -1 - argument in decimal digits; the argument may use all 64 bits (RFC 8949, 3.1, major type 1).
  public static func decimal(ofNegative argument: UInt64) -> String {
    argument == .max ? "-18446744073709551616" : "-" + String(argument + 1)
  }
}

/// Returns a bignum (RFC 8949, 3.4.3) in decimal digits, or its bytes if it has too many digits to be readable.
private func decimalOfBignum(_ content: ArraySlice<UInt8>, negative: Bool) -> String {
  // 64 bytes are 155 decimal digits. Longer numbers are not readable, and the conversion is quadratic.
  guard content.count <= 64 else { return (negative ? "3(h'" : "2(h'") + hexadecimal(content) + "')" }
  var digits: [UInt8] = [0]
  func multiplyAndAdd(_ factor: Int, _ summand: Int) {
    var carry = summand
    for position in digits.indices {
      let value = Int(digits[position]) * factor + carry
      digits[position] = UInt8(value % 10)
      carry = value / 10
    }
    while carry > 0 {
      digits.append(UInt8(carry % 10))
      carry /= 10
    }
  }
  for byte in content { multiplyAndAdd(256, Int(byte)) }
  if negative { multiplyAndAdd(1, 1) }
  let text = String(decoding: digits.reversed().map { $0 + 48 }, as: UTF8.self)
  return negative ? "-" + text : text
}

/// Returns a number in the style of RFC 8949's examples: always with a point or an exponent.
private func diagnosticNumber(_ value: Double) -> String {
  if value.isNaN { return "NaN" }
  if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
  var digits = value.magnitude.description
  var exponent = 0
  if let mark = digits.firstIndex(where: { $0 == "e" || $0 == "E" }) {
    exponent = Int(digits[digits.index(after: mark)...]) ?? 0
    digits = String(digits[..<mark])
  }
  var parts = digits.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  if parts.count == 1 { parts.append("0") }
  let sign = value.sign == .minus ? "-" : ""
  if exponent >= 0 && exponent < 21 && exponent >= parts[1].count || exponent == 0 {
    let fraction = parts[1]
    if exponent == 0 { return sign + parts[0] + "." + fraction }
    let whole = parts[0] + fraction + String(repeating: "0", count: exponent - fraction.count)
    return sign + whole + ".0"
  }
  if exponent < 0 && exponent >= -6 {
    let fraction = parts[1] == "0" ? "" : parts[1]
    return sign + "0." + String(repeating: "0", count: -exponent - 1) + parts[0] + fraction
  }
  return sign + parts[0] + "." + parts[1] + "e" + (exponent < 0 ? "-" : "+") + String(abs(exponent))
}
