import JSON

/// The table of words in a language for web pages: each text by its English one.
package struct WordTable: JSONObjectWritable, Sendable {
  private let language: Language

  /// Creates a table; nil for English, which the scripts of the pages have.
  package init?(of language: Language) {
    guard language != .english else { return nil }
    self.language = language
  }

  package func writeMembers(to json: inout JSONWriter) { for row in rows { json.member(row.english, row.text) } }

  /// The texts, each once, in the order of the English ones.
  package var rows: [(english: String, text: String)] {
    Dictionary(ScreenWord.allCases.map { ($0.english, $0.text(in: language)) }) { first, _ in first }
      .map { (english: $0.key, text: $0.value) }
      .sorted { $0.english.utf8.lexicographicallyPrecedes($1.english.utf8) }
  }
}

/// The tables of several languages, by their tags.
package struct WordTables: JSONObjectWritable, Sendable {
  private let languages: [Language]

  /// Creates the tables of the languages of some screens; nil if all are English.
  package init?(of languages: Set<Language>) {
    self.languages = Language.allCases.filter { $0 != .english && languages.contains($0) }
    if self.languages.isEmpty { return nil }
  }

  package func writeMembers(to json: inout JSONWriter) {
    for language in languages { json.member(language.rawValue, WordTable(of: language)) }
  }
}
