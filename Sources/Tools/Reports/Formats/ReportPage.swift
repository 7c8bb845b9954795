/// The frame of a page without scripts and without other files: head, styles, header and main part.
package struct ReportPage {
  /// The title, as plain text.
  let title: String
  /// The content of `header`, as HTML.
  let header: String
  /// The content of `main`, as HTML.
  let main: String
  /// Styles of this kind of page, besides the common ones.
  let style: String

  /// Creates a page.
  package init(title: String, header: String, main: String, style: String = "") {
    (self.title, self.header, self.main, self.style) = (title, header, main, style)
  }

  /// The page.
  package var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>\(ReportText.markup(title)) – presentment</title>
    <style>
    \(Self.commonStyle)\(style.isEmpty ? "" : "\n" + style)
    </style>
    </head>
    <body>
    <header>
    \(header)
    </header>
    <main>
    \(main)\
    </main>
    </body>
    </html>

    """
  }

  /// A section with a heading, as HTML.
  /// - Parameter name: The identifier of the heading.
  package static func section(_ title: String, _ name: String, _ parts: [String]) -> String {
    """
    <section aria-labelledby="\(name)">
    <h2 id="\(name)">\(title)</h2>
    \(parts.joined(separator: "\n"))
    </section>

    """
  }

  /// A column of a table.
  package struct Column: ExpressibleByStringLiteral {
    let title: String
    var isNumber = false

    package init(stringLiteral title: String) { self.title = title }

    /// A column of numbers, whose cells have the class `number`.
    package static func number(_ title: String) -> Column {
      var column = Column(stringLiteral: title)
      column.isNumber = true
      return column
    }
  }

  /// A table, as HTML.
  /// - Parameter rows: The rows as HTML.
  package static func table(_ columns: [Column], _ rows: [String]) -> String {
    let heads = columns.map { "<th scope=\"col\"\($0.isNumber ? " class=\"number\"" : "")>\($0.title)</th>" }
    return """
      <table>
      <thead><tr>\(heads.joined())</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      """
  }

  /// A wide table, which scrolls on its own, as HTML.
  /// - Parameter label: What the table is, different from every heading.
  package static func scrolling(_ label: String, _ table: String) -> String {
    """
    <div class="scroll" role="region" aria-label="\(label)" tabindex="0">
    \(table)
    </div>
    """
  }

  /// Contrast of at least 4.5 to 1 in both schemes.
  private static let commonStyle = """
    :root { --ground: #fff; --text: #1c1c1e; --quiet: #5b5b60; --line: #d5d5da; --code: #f4f4f6;
      --link: #0b57d0; --bad: #b3261e; --good: #146c2e; --other: #7a4f00; color-scheme: light dark; }
    @media screen and (prefers-color-scheme: dark) { :root { --ground: #161618; --text: #ececf0; --quiet: #a6a6ad;
      --line: #3a3a3f; --code: #202023; --link: #a8c7fa; --bad: #ff9a8f; --good: #7fd699; --other: #f0c36d; } }
    @media print { :root { color-scheme: light; } }
    body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.25rem 3rem; background: var(--ground); color: var(--text);
      font: 1rem/1.5 system-ui, sans-serif; }
    h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
    h3 { font-size: 1.05rem; margin: 1.5rem 0 0.25rem; }
    a { color: var(--link); }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; color: var(--quiet); }
    dd { margin: 0; overflow-wrap: anywhere; }
    pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem; overflow-x: auto;
      font: 0.875rem/1.45 ui-monospace, monospace; }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
    th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); }
    tbody th { font-weight: inherit; }
    td { overflow-wrap: anywhere; }
    .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .place, small { color: var(--quiet); margin: 0; overflow-wrap: anywhere; }
    .verdict { font-weight: 600; white-space: nowrap; }
    .bad { color: var(--bad); } .good { color: var(--good); } .other { color: var(--other); }
    """
}
