extension String {
  /// Returns whether another text has the same encoding. `==` treats an Angstrom sign and an A with a ring as equal;
  /// document types, name spaces and identifiers are compared byte by byte.
  package func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let (left, right) = (utf8.span, other.utf8.span)
    for place in left.indices where left[place] != right[place] { return false }
    return true
  }
}

extension String {
  /// The text within a sentence: its first letter is lowercase, except in a first word with further capitals or digits,
  /// such as `AES-256-GCM`.
  package var withinASentence: String {
    let isName = prefix { !$0.isWhitespace }.dropFirst().contains { $0.isUppercase || $0.isNumber }
    return isName ? self : prefix(1).lowercased() + dropFirst()
  }
}

extension UInt8 {
  /// True for a letter of ASCII.
  @inlinable package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// True for a digit of ASCII.
  @inlinable package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// The value of a hexadecimal digit of ASCII, or nil for another character.
  @inlinable package var hexadecimalValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let letter = self | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter) ? letter - UInt8(ascii: "a") + 10 : nil
  }
}

/// A text that is compared byte by byte, for sets and dictionaries.
package struct ExactText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

  package func hash(into hasher: inout Hasher) {
    let bytes = text.utf8.span
    var word: UInt64 = 0
    for place in bytes.indices {
      word = word << 8 | UInt64(bytes[place])
      if place & 7 == 7 { hasher.combine(word) }
    }
    // The last bytes, with those before them, and the length, which separates texts that are hashed one after another.
    hasher.combine(word)
    hasher.combine(bytes.count)
  }
}

/// Text from outside in a form that is safe to print: it cannot control a terminal, leave its line or hide characters.
public enum TerminalSafe {
  /// Returns text with every unsafe character written as `\u{…}`.
  public static func text(_ text: String) -> String { escaped(text.unicodeScalars) }

  /// Returns text as one line: a space for each run of white space, and every unsafe character written as `\u{…}`.
  /// - Parameter longest: The number of characters after which the text is cut.
  package static func line(_ text: String, longest: Int = .max) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return Self.text(String(line.prefix(longest))) + (line.count > longest ? "…" : "")
  }

  /// Returns characters with every unsafe one written as `\u{…}`.
  /// - Parameter quotes: Whether to escape quotation marks and backslashes too.
  package static func escaped(_ scalars: some Sequence<Unicode.Scalar>, quotes: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for scalar in scalars {
      if quotes, scalar == "\"" || scalar == "\\" {
        result.append("\\")
        result.append(scalar)
      } else if isUnsafe(scalar) {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns whether a character can control a terminal, end its line, be invisible or look like another.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7f).contains(scalar.value) { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }
}
