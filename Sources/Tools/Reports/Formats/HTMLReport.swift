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
    return ReportPage(
      title: title,
      header: """
        <h1>\(ReportText.markup(isGood(report) ? "Passed" : "Failed"))</h1>
        <p>\(ReportText.markup(report.summary.text)).\(stopped(report))</p>
        <dl>
        \(facts(report))
        </dl>
        """,
      main: (problems.isEmpty ? "" : ReportPage.section("Failures", "failures", problems))
        + findings(rows) + ReportPage.section("All cases", "cases", [table(rows, links)])
    ).text
  }

  private static func isGood(_ report: RunReport) -> Bool { report.verdict == .passed }

  private static func stopped(_ report: RunReport) -> String {
    report.stopped.map { " \($0.message.prefix(1).uppercased() + $0.message.dropFirst())." } ?? ""
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

  /// The checks that found something, by the party that made them, with the number of cases and of runs.
  private static func findings(_ rows: [RunReport.Row]) -> String {
    var found: [CaseReport.Finding: (cases: Set<CaseIdentity>, runs: Int)] = [:]
    for case .ended(let report) in rows {
      for finding in report.findings {
        found[finding, default: ([], 0)].cases.insert(report.identity)
        found[finding]?.runs += 1
      }
    }
    guard !found.isEmpty else { return "" }
    let sorted = found.sorted {
      ($0.key.party, $0.key.check, $0.key.status.rawValue) < ($1.key.party, $1.key.check, $1.key.status.rawValue)
    }
    let lines = sorted.map { finding, count in
      "<tr><td>\(ReportText.markupLine(finding.party))</td>"
        + "<th scope=\"row\"><code>\(ReportText.markupLine(finding.check))</code></th>"
        + "<td>\(finding.status == .failed ? "refused" : "accepted")</td>"
        + "<td class=\"number\">\(count.cases.count)</td><td class=\"number\">\(count.runs)</td></tr>"
    }
    let table = ReportPage.scrolling(
      "table of findings",
      ReportPage.table(["party", "check", "and", .number("cases"), .number("runs")], lines))
    return ReportPage.section("Who noticed what", "findings", [table])
  }

  private static func table(_ rows: [RunReport.Row], _ links: Links) -> String {
    ReportPage.scrolling(
      "table of all cases",
      ReportPage.table(
        ["verdict", "case", "file", .number("time, s"), .number("world's time, s"), "trace"],
        rows.map { line($0, links) }))
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
}

/// Links from a page to files.
struct Links {
  private let folder: [String]

  /// Links in a page.
  /// - Parameter page: The file of the page, or `-` for a page in the current folder.
  init(page: String) { folder = Self.components(page == ReportFile.standardOutput ? "./page" : page).dropLast() }

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
