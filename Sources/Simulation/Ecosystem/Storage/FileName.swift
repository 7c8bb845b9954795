import MobileDocument
import Primitives

/// Names of files made of texts of any kind: what is plain stays, every other byte is written as two hexadecimal digits.
public enum FileName {
  /// The name for a text, in which no two texts are alike.
  ///
  /// - Parameters:
  ///   - escape: what stands before the two digits; never plain itself.
  ///   - plain: characters of ASCII that stay besides letters and digits.
  public static func escaped(_ text: String, with escape: Character, plain: String) -> String {
    text.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber || plain.contains(character))
      return isPlain ? String(character) : String(escape) + hexadecimal([byte])
    }.joined()
  }
}
