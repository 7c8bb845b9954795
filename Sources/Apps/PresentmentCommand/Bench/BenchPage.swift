import Reports

/// A report of `bench` as one page without scripts: curves of what grows, and a table for each topic, both beside an older
/// report if there is one.
struct BenchPage {
  private let report: BenchReport
  private let old: BenchReport?

  init(_ report: BenchReport, beside old: BenchReport?) { (self.report, self.old) = (report, old) }

  var text: String {
    let curves = GrowthCurve.all(
      report.figures.map { ($0.name, $0.comparable, old?.figure($0.name, $0.topic)?.comparable) })
    let topics = BenchTopic.allCases.filter { topic in report.figures.contains { $0.topic == topic } }
    return ReportPage(
      title: "measures",
      header: """
        <h1>What a presentment costs</h1>
        <p>\(ReportText.markupLine(report.machine)). Times are processor times; u is one P-256 signature of the same
        minutes, by which machines compare.\(old == nil ? "" : " The older report is dashed.")</p>
        """,
      main: (curves.isEmpty ? "" : ReportPage.section("Growth", "growth", [GrowthCurve.drawings(of: curves)]))
        + topics.map { ReportPage.section($0.rawValue, "topic-\($0.rawValue)", [table(of: $0)]) }.joined(),
      style: GrowthCurve.style
    ).text
  }

  // MARK: Tables

  private func table(of topic: BenchTopic) -> String {
    let titles = ["", "best", "best, u", "median, u"] + (old == nil ? [] : ["before", "ratio", ""])
    let rows = report.figures.filter { $0.topic == topic }.map(row)
    let table = ReportPage.table(titles.map { .number($0) }, rows)
    return ReportPage.scrolling(
      "table of \(topic.rawValue)", table.replacing("<th scope=\"col\" class=\"number\"></th>", with: "<td></td>"))
  }

  private func row(_ figure: BenchFigure) -> String {
    let value =
      switch figure.kind {
      case .microseconds: "\(ReportText.decimal(figure.best)) µs"
      case .bytes: "\(ReportText.decimal(figure.best / 1_024)) KiB"
      case .count, .ratio: ReportText.decimal(figure.best)
      }
    let isTime = figure.kind == .microseconds
    var cells = [
      value, isTime ? ReportText.decimal(figure.comparable) : "",
      isTime ? ReportText.decimal(figure.comparableMedian) : "",
    ].map { "<td class=\"number\">\($0)</td>" }
    if let old {
      let change = BenchReport.change(of: figure, since: old)
      cells += [change.map { ReportText.decimal($0.before) }, change.map { ReportText.decimal($0.ratio) }].map {
        "<td class=\"number\">\($0 ?? "")</td>"
      }
      let mark = change?.mark ?? ""
      cells.append("<td class=\"verdict \(mark == "worse" ? "bad" : "good")\">\(mark)</td>")
    }
    return "<tr><th scope=\"row\">\(ReportText.markupLine(figure.name))</th>\(cells.joined())</tr>"
  }
}
