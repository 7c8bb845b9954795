import LocatedYAML

/// Text from outside in reports: safe in every format, because it has no control characters and no characters that are
/// invisible or that XML and YAML refuse.
package enum ReportText {
  /// A text on one line. A line end in it becomes a visible sign.
  static func line(_ text: String) -> String { SourceText.visible(text) }

  /// The lines of a text, each of them safe.
  static func lines(_ text: String) -> [String] {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
  }

  /// A number with at most two decimals, and none from 100 on.
  package static func decimal(_ value: Double) -> String {
    value >= 100 ? String(Int(value.rounded())) : String((value * 100).rounded() / 100)
  }

  /// A text for XML and HTML, in elements and in attributes within double quotes.
  static func markup(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      // Escaped everywhere, since "]]>" is not allowed in XML.
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A text on one line for XML and HTML.
  package static func markupLine(_ text: String) -> String { markup(line(text)) }

  /// A text of several lines for XML and HTML.
  static func markupLines(_ text: String) -> String { lines(text).map(markup).joined(separator: "\n") }
}
