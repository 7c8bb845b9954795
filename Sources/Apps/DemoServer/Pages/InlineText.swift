/// A text of a declaration: Markdown with code and links, as tables in `docs` have it.
struct InlineText {
  private let source: String

  init(_ source: String) { self.source = source }

  /// The text with the names of its links only.
  var withoutLinks: String { source.replacing(/\[([^\]]+)\]\([^)]*\)/) { String($0.output.1) } }

  /// The text as HTML, without links.
  var html: String {
    withoutLinks.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { position, part in
      let escaped = Self.escaped(part)
      return position.isMultiple(of: 2) ? escaped : "<code>\(escaped)</code>"
    }.joined()
  }

  private static func escaped(_ text: Substring) -> String {
    String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
