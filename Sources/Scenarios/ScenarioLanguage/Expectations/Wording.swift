import MobileDocument
import Primitives

/// Parts of the sentences about expectations.
enum Wording {
  /// Parts of a sentence about one subject.
  static func sentence(_ subject: String, _ parts: [String?], otherwise: String) -> String {
    let parts = parts.compactMap(\.self)
    return "\(subject) \(parts.isEmpty ? otherwise : parts.joined(separator: ", "))"
  }

  /// Names in a sentence: `A, B and C`.
  static func list(_ names: [String]) -> String {
    names.isEmpty ? "nothing" : names.listed
  }

  /// Elements in a sentence, with the names that a consent sheet shows.
  static func elements(_ identifiers: [String]) -> String {
    list(identifiers.map { DataElementCatalogue.label(identifier: $0) })
  }

  /// Texts in quotation marks; nil if the expectation has none.
  static func quoted(_ texts: [String]?) -> String? {
    texts.map { texts in list(texts.map { "\u{201C}\($0)\u{201D}" }) }
  }
}
