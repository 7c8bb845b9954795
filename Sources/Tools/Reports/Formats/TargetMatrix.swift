/// Reports of the same suite for several targets as one page without scripts: a row for each case, a column for each target.
public struct TargetMatrix: Sendable {
  private let columns: [Column]
  /// The groups of cases in the order of the reports, with their cases.
  private let groups: [(name: String, cases: [String])]

  private struct Column {
    let title: String
    let summary: String
    let cases: [String: CaseReport]
  }

  /// Compares reports. A report without a target is named after its file.
  /// - Throws: ``ReportError`` for reports of shards, and for fewer than two reports.
  public init(_ reports: [NamedReport]) throws(ReportError) {
    guard reports.count > 1 else { throw ReportError(.merge, "a matrix has several reports") }
    if let part = reports.first(where: { $0.report.shard != nil }) {
      throw ReportError(.merge, "\(part.name) is the report of a shard, not of a whole run")
    }
    columns = reports.map { part in
      Column(
        title: part.report.settings["target"] ?? part.name, summary: part.report.summary.text,
        cases: Dictionary(part.report.cases.map { ($0.name, $0) }) { first, _ in first })
    }
    var names: [String] = []
    var cases: [String: [String]] = [:]
    var known: Set<String> = []
    for found in reports.flatMap(\.report.cases) where known.insert(found.name).inserted {
      let group = found.tags.first ?? found.place.path
      if cases[group] == nil { names.append(group) }
      cases[group, default: []].append(found.name)
    }
    groups = names.map { ($0, cases[$0] ?? []) }
  }

  /// The page in UTF-8.
  public var page: [UInt8] {
    let title = "Comparison of \(columns.count) targets"
    let heads = columns.map { "<th scope=\"col\">\(ReportText.markupLine($0.title))</th>" }.joined()
    let summaries = columns.map { "<td>\(ReportText.markupLine($0.summary))</td>" }.joined()
    let table = """
      <table>
      <thead><tr><th scope="col">case</th>\(heads)</tr></thead>
      <tbody><tr><th scope="row">total</th>\(summaries)</tr></tbody>
      \(groups.map(body).joined(separator: "\n"))
      </table>
      """
    let page = ReportPage(
      title: title, header: "<h1>\(title)</h1>", main: ReportPage.scrolling("table of all cases", table) + "\n")
    return Array(page.text.utf8)
  }

  /// The rows of a group: right of decided, then each case.
  private func body(_ group: (name: String, cases: [String])) -> String {
    let totals = columns.map { column in
      let decided = group.cases.compactMap { column.cases[$0]?.verdict }.filter { $0 == .passed || $0 == .failed }
      return "<td><strong>\(decided.filter { $0 == .passed }.count) of \(decided.count)</strong></td>"
    }
    let rows = group.cases.map { name in
      "<tr><th scope=\"row\">\(ReportText.markupLine(name))</th>\(columns.map { Self.cell($0.cases[name]) }.joined())</tr>"
    }
    let head =
      "<tr><th scope=\"rowgroup\"><strong>\(ReportText.markupLine(group.name))</strong></th>\(totals.joined())</tr>"
    return "<tbody>\n\(([head] + rows).joined(separator: "\n"))\n</tbody>"
  }

  private static func cell(_ found: CaseReport?) -> String {
    guard let found else { return "<td></td>" }
    let tone = found.verdict.isBad ? "bad" : found.verdict == .passed ? "good" : "other"
    // A suite's failure begins with its verdict, such as wrongly-accepted.
    let words = found.verdict == .failed ? found.failure.map { String($0.message.prefix { $0 != ":" }) } : nil
    let shown = words ?? found.reading?.rawValue ?? found.verdict.words
    let code = found.verdict.isBad ? found.failure?.code : nil
    return "<td><span class=\"verdict \(tone)\">\(ReportText.markupLine(shown))</span>"
      + (code.map { "<br><small>\(ReportText.markupLine($0))</small>" } ?? "") + "</td>"
  }
}
