extension Inspector {
  /// Longest text for a person to look at, and longest beginning of what is shown as it is, in bytes: more than anybody reads
  /// on a screen, and little enough to draw it at once.
  public static let shownBytes = 64 << 10

  /// What is in some bytes for a person to look at: named and annotated where it is something that is known, and as text
  /// where it is not. What is longer than ``shownBytes`` ends there with a line that says so.
  public static func shown(_ bytes: [UInt8]) -> String {
    guard case .success(let text) = inspect(bytes) else { return cut(bytes) }
    return cut(Array(text.utf8))
  }

  private static func cut(_ text: [UInt8]) -> String {
    guard text.count > shownBytes else { return String(decoding: text, as: UTF8.self) }
    var end = shownBytes
    // Not within a character (RFC 3629, 3).
    while end > shownBytes - 4, text[end] & 0xc0 == 0x80 { end -= 1 }
    return "\(String(decoding: text[..<end], as: UTF8.self))\n… and \(text.count - end) bytes more"
  }
}
