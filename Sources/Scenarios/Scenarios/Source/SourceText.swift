import Primitives

/// Text from a file on its way to a person: safe to print, of known width, and short inside sentences.
public enum SourceText {
  /// The text with every control character replaced by a sign that shows it, so that no file can steer a terminal.
  ///
  /// Direction marks and other invisible characters are replaced too, as they can make a line look like another one.
  /// The joiners that scripts and emoji need stay.
  public static func visible(_ text: String) -> String {
    if isPlain(text) { return text }
    var result = ""
    for character in text { result += shown(character) }
    return result
  }

  /// The text in single quotes, visible and cut to `SourceLimits.quotedCharacters`.
  public static func quote(_ text: String) -> String {
    let kept = text.prefix(SourceLimits.quotedCharacters)
    return "'" + visible(String(kept)) + (kept.endIndex == text.endIndex ? "'" : "…'")
  }

  /// How many terminal cells the visible form of this text takes: two for wide East Asian characters and emoji.
  public static func width(_ text: String) -> Int {
    isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + width($1) }
  }

  /// One character as it is printed.
  static func shown(_ character: Character) -> String {
    var result = ""
    for scalar in character.unicodeScalars.prefix(SourceLimits.scalarsOfCharacter) {
      result.unicodeScalars.append(shown(scalar))
    }
    return result
  }

  /// The cells of one character as it is printed. One made of several wide parts is drawn as one.
  static func width(_ character: Character) -> Int {
    min(2, character.unicodeScalars.prefix(SourceLimits.scalarsOfCharacter).reduce(0) { $0 + width(shown($1)) })
  }

  static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x20..<0x7F: scalar
    case 0x09: "→"
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? replacement
    case 0x7F: "\u{2421}"
    case 0x200C, 0x200D: scalar
    default: isInvisible(scalar) ? replacement : scalar
    }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .unassigned: scalar.properties.isNoncharacterCodePoint
    default: false
    }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// The blocks that Unicode's East Asian Width calls wide or fullwidth, and what is drawn as emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18AFF,
      0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
      true
    case 0x1F1E6...0x1F1FF:
      false
    default:
      scalar.properties.isEmojiPresentation
    }
  }
}
