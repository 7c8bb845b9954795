import MobileDocument
import Primitives

/// File names for any text: plain characters stay, and every other byte becomes two hexadecimal digits.
public enum FileName {
  /// Returns the name for a text. Different texts have different names.
  ///
  /// - Parameters:
  ///   - escape: the character before the two digits; not plain itself.
  ///   - plain: ASCII characters that stay, besides letters and digits.
  public static func escaped(_ text: String, with escape: Character, plain: String) -> String {
    text.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber || plain.contains(character))
      return isPlain ? String(character) : String(escape) + hexadecimal([byte])
    }.joined()
  }
}
