import Foundation

/// A run as one page without scripts and without other files: the failures with their texts, then every case.
enum HTMLReport {
  /// The page.
  /// - Parameter path: The file of the page: links are relative to its folder.
  static func text(of report: RunReport, for path: String) -> String {
    let links = Links(page: path)
    let rows = report.rows
    let problems = rows.compactMap { problem($0, links) }
    let title = "\(isGood(report) ? "passed" : "failed"): \(report.summary.text)"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(ReportText.markup(title)) – presentment</title>
      <style>
      \(style)
      </style>
      </head>
      <body>
      <header>
      <h1>\(ReportText.markup(isGood(report) ? "Passed" : "Failed"))</h1>
      <p>\(ReportText.markup(report.summary.text)).\(stopped(report))</p>
      <dl>
      \(facts(report))
      </dl>
      </header>
      <main>
      \(problems.isEmpty ? "" : section("Failures", "failures", problems))\
      \(section("All cases", "cases", [table(rows, links)]))\
      </main>
      </body>
      </html>

      """
  }

  private static func isGood(_ report: RunReport) -> Bool { report.verdict == .passed }

  private static func stopped(_ report: RunReport) -> String {
    report.stopped.map { " \($0.message.prefix(1).uppercased() + $0.message.dropFirst())." } ?? ""
  }

  private static func section(_ title: String, _ name: String, _ parts: [String]) -> String {
    """
    <section aria-labelledby="\(name)">
    <h2 id="\(name)">\(title)</h2>
    \(parts.joined(separator: "\n"))
    </section>

    """
  }

  private static func facts(_ report: RunReport) -> String {
    var facts = report.settings.sorted { $0.key < $1.key }
    if let shard = report.shard { facts.append(("shard", "\(shard)")) }
    facts.append(("time", "\(report.time.seconds(digits: 3)) s"))
    return facts.map { "<dt>\(ReportText.markupLine($0.0))</dt><dd>\(ReportText.markupLine($0.1))</dd>" }
      .joined(separator: "\n")
  }

  /// A failure, or nil for a row that is as expected.
  private static func problem(_ row: RunReport.Row, _ links: Links) -> String? {
    switch row {
    case .ended(let found):
      guard found.verdict.isBad, let failure = found.failure else { return nil }
      return article(row.number, found.verdict.words, found.name, found.place, failure.detail, links.text(of: found))
    case .unreadable(let file):
      return article(row.number, "unreadable", file.path, ReportedPlace(path: file.path), file.detail, "")
    }
  }

  private static func article(
    _ number: Int, _ verdict: String, _ name: String, _ place: ReportedPlace, _ detail: String, _ links: String
  ) -> String {
    """
    <article id="case-\(number)" aria-labelledby="title-\(number)">
    <h3 id="title-\(number)"><span class="verdict bad">\(verdict)</span> \(ReportText.markupLine(name))</h3>
    <p class="place">\(ReportText.markup(place.description))\(links.isEmpty ? "" : " · " + links)</p>
    <pre tabindex="0">\(ReportText.markupLines(detail))</pre>
    </article>
    """
  }

  private static func table(_ rows: [RunReport.Row], _ links: Links) -> String {
    """
    <div class="scroll" role="region" aria-labelledby="cases" tabindex="0">
    <table>
    <thead><tr><th scope="col">verdict</th><th scope="col">case</th><th scope="col">file</th>\
    <th scope="col" class="number">time, s</th><th scope="col" class="number">world's time, s</th>\
    <th scope="col">trace</th></tr></thead>
    <tbody>
    \(rows.map { line($0, links) }.joined(separator: "\n"))
    </tbody>
    </table>
    </div>
    """
  }

  private static func line(_ row: RunReport.Row, _ links: Links) -> String {
    switch row {
    case .ended(let found):
      let tone = found.verdict.isBad ? "bad" : found.verdict == .passed ? "good" : "other"
      let name = ReportText.markupLine(found.name)
      let reason = found.reason.map { "<br><small>because: \(ReportText.markupLine($0))</small>" } ?? ""
      return "<tr><td><span class=\"verdict \(tone)\">\(found.verdict.words)</span></td>"
        + "<th scope=\"row\">\(found.verdict.isBad ? "<a href=\"#case-\(found.number)\">\(name)</a>" : name)\(reason)</th>"
        + "<td>\(ReportText.markup(found.place.description))</td>"
        + "<td class=\"number\">\(found.time.seconds(digits: 3))</td>"
        + "<td class=\"number\">\(found.worldTime.seconds(digits: 3))</td><td>\(links.text(of: found))</td></tr>"
    case .unreadable(let file):
      return "<tr><td><span class=\"verdict bad\">unreadable</span></td>"
        + "<th scope=\"row\"><a href=\"#case-\(file.number)\">\(ReportText.markupLine(file.path))</a></th>"
        + "<td>\(ReportText.markupLine(file.path))</td><td></td><td></td><td></td></tr>"
    }
  }

  /// Contrast of at least 4.5 to 1 in both schemes.
  private static let style = """
    :root { --ground: #fff; --text: #1c1c1e; --quiet: #5b5b60; --line: #d5d5da; --code: #f4f4f6;
      --link: #0b57d0; --bad: #b3261e; --good: #146c2e; --other: #7a4f00; color-scheme: light dark; }
    @media (prefers-color-scheme: dark) { :root { --ground: #161618; --text: #ececf0; --quiet: #a6a6ad; --line: #3a3a3f;
      --code: #202023; --link: #a8c7fa; --bad: #ff9a8f; --good: #7fd699; --other: #f0c36d; } }
    body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.25rem 3rem; background: var(--ground); color: var(--text);
      font: 1rem/1.5 system-ui, sans-serif; }
    h1, h2, h3 { line-height: 1.25; }
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

/// Links from a page to files.
struct Links {
  private let folder: [String]

  /// Links in a page.
  /// - Parameter page: The file of the page, or `-` for a page in the current folder.
  init(page: String) {
    folder = Self.components(page == ReportFile.standardOutput ? "./page" : page).dropLast()
  }

  /// The links of a case to its trace page and its journal.
  func text(of found: CaseReport) -> String {
    [(found.page, "trace"), (found.trace, "journal")].compactMap { path, word in
      path.map { "<a href=\"\(reference(to: $0))\">\(word)</a>" }
    }.joined(separator: " ")
  }

  /// The reference to a file, relative to the page's folder. It has only characters that need no escape in a link.
  func reference(to path: String) -> String {
    let target = Self.components(path)
    let common = zip(folder, target).prefix { $0 == $1 }.count
    let parts = Array(repeating: "..", count: folder.count - common) + target.dropFirst(common).map(Self.encoded)
    return parts.joined(separator: "/")
  }

  private static func components(_ path: String) -> [String] {
    URL(fileURLWithPath: path).standardizedFileURL.pathComponents
  }

  private static func encoded(_ name: String) -> String {
    name.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// The unreserved characters of RFC 3986, 2.3.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
