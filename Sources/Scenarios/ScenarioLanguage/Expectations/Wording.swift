import MobileDocument
import Primitives

/// Parts of the sentences about expectations.
enum Wording {
  /// A sentence about one subject, with several verbs.
  static func sentence(_ subject: String, _ verbs: [String?], otherwise: String) -> String {
    let verbs = verbs.compactMap(\.self)
    guard verbs.count > 1, let last = verbs.last else { return "\(subject) \(verbs.first ?? otherwise)" }
    return "\(subject) \(verbs.dropLast().joined(separator: ", ")), and \(last)"
  }

  /// A sentence with one verb at the end of its subject, and clauses.
  static func clauses(_ subject: String, _ clauses: [String?], otherwise: String) -> String {
    let clauses = clauses.compactMap(\.self)
    return "\(subject) \(clauses.isEmpty ? otherwise : clauses.joined(separator: ", "))"
  }

  /// Names in a sentence: `A, B and C`.
  static func list(_ names: [String]) -> String { names.isEmpty ? "nothing" : names.listed }

  /// Elements in a sentence, with the names that a consent sheet shows.
  static func elements(_ identifiers: [String]) -> String {
    list(identifiers.map { DataElementCatalogue.label(identifier: $0) })
  }

  /// Texts in quotation marks; nil if the expectation has none.
  static func quoted(_ texts: [String]?) -> String? {
    texts.map { texts in list(texts.map { "\u{201C}\($0)\u{201D}" }) }
  }
}
