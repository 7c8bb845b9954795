// Parts of texts for people.

extension Int {
  /// The number with a noun in the singular or the plural: `1 check`, `3 checks`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension [String] {
  /// The texts in a sentence: `A, B and C`; empty without one.
  package var listed: String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) and \(last)"
  }
}

extension String {
  /// The text, padded with spaces to a number of columns.
  package func padded(to columns: Int) -> String { self + String(repeating: " ", count: Swift.max(0, columns - count)) }

  /// The text without the spaces at its end.
  package var trimmingTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The text after spaces that make it a number of columns wide.
  package func leftPadded(to columns: Int) -> String {
    String(repeating: " ", count: Swift.max(0, columns - count)) + self
  }
}

/// Returns a table in Markdown, with an empty line after it.
package func markdownTable(_ heads: [String], _ rows: [[String]]) -> String {
  let lines = [heads, heads.map { _ in "---" }] + rows
  return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined() + "\n"
}
