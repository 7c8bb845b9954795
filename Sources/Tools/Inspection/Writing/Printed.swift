import MobileDocument
import Primitives

/// Bytes and texts as they are printed.
enum Printed {
  /// Up to this many bytes are printed whole: a digest, a coordinate, a key identifier.
  static let wholeBytes = 32
  /// Up to this many characters are printed whole: what two lines of a terminal hold.
  static let wholeCharacters = 160
  /// So many bytes or characters are printed of each end of what is longer.
  static let endBytes = 8
  static let endCharacters = 40

  /// Bytes in the notation of RFC 8949; long ones by their length and both ends; private
  /// keys by their length alone.
  static func bytes(_ bytes: some BidirectionalCollection<UInt8>, full: Bool) -> String {
    if bytes.first == 0x30, PrivateKeyMaterial.holdsKey(der: Array(bytes)) {
      return PrivateKeyMaterial.notShown(byteCount: bytes.count)
    }
    if full || bytes.count <= wholeBytes { return "h'\(hexadecimal(bytes))'" }
    return "h'\(hexadecimal(bytes.prefix(endBytes)))...\(hexadecimal(bytes.suffix(endBytes)))' (\(bytes.count) bytes)"
  }

  /// Text in double quotes that stays on its line; long ones by their length and both ends.
  static func quoted(_ text: String, full: Bool) -> String {
    if PrivateKeyMaterial.mayBeIn(text) { return "a text with a private key, not shown" }
    let scalars = text.unicodeScalars
    if full || scalars.count <= wholeCharacters { return "\"\(escaped(scalars, quotes: true))\"" }
    let start = escaped(scalars.prefix(endCharacters), quotes: true)
    let end = escaped(scalars.suffix(endCharacters), quotes: true)
    return "\"\(start)...\(end)\" (\(scalars.count) characters)"
  }

  /// A number as written; long ones by their length and both ends.
  static func number(_ spelling: String, full: Bool) -> String {
    if full || spelling.utf8.count <= wholeCharacters { return spelling }
    return "\(spelling.prefix(endCharacters))...\(spelling.suffix(endCharacters)) (\(spelling.utf8.count) characters)"
  }

  /// Text without quotes that stays on its line.
  static func onOneLine(_ text: String) -> String { escaped(text.unicodeScalars, quotes: false) }

  private static func escaped(_ scalars: some Sequence<Unicode.Scalar>, quotes: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in scalars {
      if quotes, scalar == "\"" || scalar == "\\" {
        result.append("\\")
        result.append(scalar)
      } else if isUnsafe(scalar) {
        let digits = String(scalar.value, radix: 16)
        result.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Whether a character can steer a terminal, end its line, or show nothing or something else than it is.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7f).contains(scalar.value) { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
    default: return false
    }
  }

  /// A count and what is counted: `1 signature`, `2 signatures`.
  static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
  }
}
