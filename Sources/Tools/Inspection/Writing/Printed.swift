import MobileDocument
import Primitives

/// The printed form of bytes and texts.
enum Printed {
  /// The most bytes that are printed whole: a digest, a coordinate, a key identifier.
  static let wholeBytes = 32
  /// The most characters that are printed whole: two lines of a terminal.
  static let wholeCharacters = 160
  /// The number of bytes or characters that are printed of each end of longer contents.
  static let endBytes = 8
  static let endCharacters = 40

  /// Returns bytes in the notation of RFC 8949: long ones by length and both ends, private keys by length alone.
  static func bytes(_ bytes: some BidirectionalCollection<UInt8>, full: Bool) -> String {
    if bytes.first == 0x30, PrivateKeyMaterial.holdsKey(der: Array(bytes)) {
      return PrivateKeyMaterial.notShown(byteCount: bytes.count)
    }
    if full || bytes.count <= wholeBytes { return "h'\(hexadecimal(bytes))'" }
    return "h'\(hexadecimal(bytes.prefix(endBytes)))...\(hexadecimal(bytes.suffix(endBytes)))' (\(bytes.count) bytes)"
  }

  /// Returns text in double quotes that stays on its line; long text by length and both ends.
  static func quoted(_ text: String, full: Bool) -> String {
    if PrivateKeyMaterial.mayBeIn(text) { return "a text with a private key, not shown" }
    let scalars = text.unicodeScalars
    if full || scalars.count <= wholeCharacters { return "\"\(TerminalSafe.escaped(scalars, quotes: true))\"" }
    let start = TerminalSafe.escaped(scalars.prefix(endCharacters), quotes: true)
    let end = TerminalSafe.escaped(scalars.suffix(endCharacters), quotes: true)
    return "\"\(start)...\(end)\" (\(scalars.count) characters)"
  }

  /// Returns a number as written; long numbers by length and both ends.
  static func number(_ spelling: String, full: Bool) -> String {
    if full || spelling.utf8.count <= wholeCharacters { return spelling }
    return "\(spelling.prefix(endCharacters))...\(spelling.suffix(endCharacters)) (\(spelling.utf8.count) characters)"
  }

  /// Returns text without quotes that stays on its line.
  static func onOneLine(_ text: String) -> String { TerminalSafe.text(text) }

  /// Returns a count with its noun: `1 signature`, `2 signatures`.
  static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
  }
}
