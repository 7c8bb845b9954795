import Checks
import Messaging
import MobileDocument

extension CheckResult {
  /// The message, with the display names of the elements that its evidence names.
  var words: String {
    let names = evidence.lazy.filter { $0.field == "element" }.flatMap { [$0.expected, $0.found].compactMap(\.self) }
    return ElementWords.labelled(message, names.compactMap(ElementWords.Name.init))
  }
}

extension Note {
  /// The message, with the display names of the elements that its facts name.
  var words: String {
    let kept = facts.compactMap(Kept.Element.init)
    return ElementWords.labelled(message, kept.map { .init(nameSpace: $0.nameSpace, identifier: $0.identifier) })
  }
}

/// The display names of elements in texts of the journal.
enum ElementWords {
  /// The name of an element in evidence.
  struct Name {
    let nameSpace: String
    let identifier: String

    init(nameSpace: String, identifier: String) { (self.nameSpace, self.identifier) = (nameSpace, identifier) }

    /// Reads a name space and an identifier; nil for another text.
    init?(_ text: String) {
      let parts = text.split(separator: " ")
      guard parts.count == 2 else { return nil }
      self.init(nameSpace: String(parts[0]), identifier: String(parts[1]))
    }

    var label: String { DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier) }
  }

  /// Returns a text with labels in place of the identifiers of elements. A word is an identifier if nothing but a comma or
  /// a colon follows it.
  static func labelled(_ text: String, _ elements: [Name]) -> String {
    guard !elements.isEmpty else { return text }
    let labels = Dictionary(elements.map { ($0.identifier, $0.label) }) { first, _ in first }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { part in
      let word = part.prefix { !",:".contains($0) }
      return labels[String(word)].map { $0 + part[word.endIndex...] } ?? String(part)
    }.joined(separator: " ")
  }
}
