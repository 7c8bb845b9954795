import Primitives
import ScenarioSearch

/// What a search reached as one page without scripts and without other files: how much came anew with the number of runs, what
/// was reached with its first run, and the faults that changed nothing.
struct ExplorePage {
  private let result: ExploreResult
  private let sum: String

  /// Creates the page.
  /// - Parameter sum: The runs, steps and faults in words.
  init(_ result: ExploreResult, sum: String) { (self.result, self.sum) = (result, sum) }

  private var reach: ExploreReach { result.reach }

  /// The page.
  var text: String {
    let (last, growth) = (reach.lastNewRun, curves)
    return ReportPage(
      title: "search for failures",
      header: """
        <h1>What a search reached</h1>
        <p>\(ReportText.markup(sum)). \(found)</p>
        <p>\(last == 0 ? "Nothing happened." : "The last new thing happened in run \(last) of \(result.runs).")</p>
        """,
      main: (growth.isEmpty
        ? "" : ReportPage.section("New with each run", "curves", [GrowthCurve.drawings(of: growth)]))
        + ExploreReach.Kind.allCases.map(section(of:)).joined()
        + (result.absentFaults.isEmpty ? "" : ReportPage.section("Faults that changed nothing", "absent", [absent])),
      style: GrowthCurve.style + "\nli code, th code { overflow-wrap: anywhere; }"
    ).text
  }

  private var found: String {
    guard let found = result.found else { return "No run fails." }
    return "Run \(found.run) fails: \(ReportText.markupLine(found.failure.headline))."
  }

  /// The number of things of each kind after 1, 2, 4 and so on runs, and after all.
  private var curves: [GrowthCurve] {
    var sizes = Array(sequence(first: 1) { $0 * 2 }.prefix { $0 < result.runs })
    sizes.append(result.runs)
    guard sizes.count > 2 else { return [] }
    return ExploreReach.Kind.allCases.map { kind in
      GrowthCurve(
        name: "\(kind.rawValue) reached in n runs",
        points: sizes.map { (Double($0), Double(reach.count(of: kind, within: $0)), nil) })
    }
  }

  private func section(of kind: ExploreReach.Kind) -> String {
    let items = reach.items(of: kind)
    guard !items.isEmpty else { return "" }
    let rows = items.map { name, run in
      "<tr><th scope=\"row\"><code>\(ReportText.markupLine(name))</code></th><td class=\"number\">\(run)</td></tr>"
    }
    let table = ReportPage.scrolling(
      "table of \(kind.rawValue)",
      ReportPage.table([.init(stringLiteral: kind.rawValue), .number("first in run")], rows))
    return ReportPage.section("\(items.count) \(kind.rawValue)", kind.rawValue, [table])
  }

  private var absent: String {
    "<ul>\n\(result.absentFaults.map { "<li><code>\(ReportText.markupLine($0))</code></li>" }.joined(separator: "\n"))\n</ul>"
  }
}
