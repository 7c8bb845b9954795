import Messaging
import Primitives
import ScenarioSearch

/// The map of a sweep as one page without scripts and without other files: every byte of every message, in the color of the
/// party that notices an altered bit in it.
struct SweepPage {
  private let report: SweepReport
  private let view: SweepReport.View?
  /// The kinds of findings with their colors: the parties first, those that notice most before the others.
  private let keys: [Key]

  /// The map of a report.
  init(_ report: SweepReport, view: SweepReport.View?) {
    (self.report, self.view) = (report, view)
    var counts: [Key: Int] = [:]
    for hop in report.hops {
      for (line, count) in hop.counts { counts[Key(line), default: 0] += count }
    }
    keys = counts.sorted { ($0.key.type.place, -$0.value, $0.key.name) < ($1.key.type.place, -$1.value, $1.key.name) }
      .map(\.key)
  }

  /// The page.
  var text: String {
    let scenario = report.result.subject.scenario
    return ReportPage(
      title: "sweep of \(scenario.name)",
      header: """
        \(view?.navigation ?? "")<h1>Who notices each altered byte</h1>
        <p>\(ReportText.markup(report.sums)).</p>
        <dl>
        <dt>scenario</dt><dd>\(ReportText.markupLine(scenario.name))</dd>
        <dt>file</dt><dd>\(ReportText.markupLine(scenario.path))</dd>
        <dt>seed</dt><dd>\(report.result.subject.seed)</dd>
        <dt>sandboxes</dt><dd>\(report.place.rawValue)</dd>
        \(stride)</dl>
        """,
      main: ReportPage.section("Colors", "colors", [legend])
        + ReportPage.section("Messages", "messages", [overview])
        + report.hops.map(section).joined()
        + (report.usedReasons.isEmpty ? "" : ReportPage.section("Reasons", "reasons", [reasons])),
      style: style
    ).text
  }

  /// The bytes that were not altered, and how to alter all; empty if every byte was.
  private var stride: String {
    guard report.result.stride > 1 else { return "" }
    let all = view.map { ", \(ReportText.markupLine($0.allBytes)) alters every byte" } ?? ""
    return "<dt>bytes</dt><dd>a bit of one byte of \(report.result.stride) was flipped\(all)</dd>\n"
  }

  // MARK: Colors

  /// A kind of finding that has a color.
  private struct Key: Hashable {
    let type: SweepReport.Class
    let party: String?

    init(_ line: SweepReport.Line) { (type, party) = (line.type, line.party) }

    /// The kind for people.
    var name: String { party.map { "noticed by \($0)" } ?? type.sum }
  }

  /// Colors of parties. Each has a contrast of 3 to 1 with the ground in both schemes.
  private static let palette = [
    "#2f7fd1", "#b86500", "#2a8f5b", "#9a55c4", "#00868a", "#b04a86", "#7a7d1f", "#5a6fd6", "#8a6d4a", "#4b8a9c",
    "#a0522d", "#68783a",
  ]

  /// The class of a kind in the style sheet. Parties beyond the palette have the last color.
  private func style(of key: Key) -> String {
    switch key.type {
    case .noticed: "p\(min(keys.firstIndex(of: key) ?? 0, Self.palette.count - 1))"
    case .seen, .unnoticed: key.type.rawValue
    case .unexplained, .violation, .undecided: "defect"
    }
  }

  private var style: String {
    Self.palette.enumerated().map { ".p\($0.offset) { fill: \($0.element); }" }.joined(separator: "\n") + """

      .seen { fill: var(--quiet); }
      .unnoticed { fill: var(--line); }
      .defect { fill: var(--bad); }
      .map { display: block; width: 100%; max-width: 48rem; height: auto; }
      .bar { display: block; width: 16rem; height: 0.75rem; }
      .swatch { width: 1rem; height: 1rem; vertical-align: -0.125rem; }
      .map path { stroke: var(--ground); stroke-width: 1; }
      .map .defect { stroke: var(--text); }
      .map path:hover { opacity: 0.6; }
      details { margin: 0.5rem 0; }
      summary { cursor: pointer; }
      @media print { details { display: none; } }
      """
  }

  private var legend: String {
    let rows = keys.map { key in
      let count = report.hops.reduce(0) { sum, hop in
        hop.counts.filter { Key($0.line) == key }.reduce(sum) { $0 + $1.count }
      }
      return "<tr><td><svg class=\"swatch\" viewBox=\"0 0 1 1\" aria-hidden=\"true\">"
        + "<rect class=\"\(style(of: key))\" width=\"1\" height=\"1\"/></svg> \(ReportText.markupLine(key.name))</td>"
        + "<td class=\"number\">\(count)</td></tr>"
    }
    return "<p>A cell is a byte of a message, \(Self.columns) in a row. Point at it to read its field and its check; a "
      + "cell without color was not altered.</p>\n"
      + ReportPage.table(["color", .number("alterations")], rows)
  }

  // MARK: Messages

  private var overview: String {
    let rows = report.hops.map { hop in
      let message = hop.message
      return "<tr><td class=\"number\">\(message.number)</td>"
        + "<th scope=\"row\"><a href=\"#message-\(message.number)\">"
        + "\(ReportText.markupLine(message.kind.rawValue))</a></th>"
        + "<td>\(Self.ends(of: message))</td><td>\(bar(of: hop))</td>"
        + "<td class=\"number\">\(message.bytes.count)</td></tr>"
    }
    let table = ReportPage.table(["message", "kind", "from and to", "outcomes", .number("bytes")], rows)
    return ReportPage.scrolling("table of messages", table)
  }

  private static func ends(of message: Message) -> String {
    ReportText.markupLine("\(message.sender) → \(message.recipient)")
  }

  /// The shares of the kinds of findings about a message.
  private func bar(of hop: SweepReport.Hop) -> String {
    let counts = keys.map { key in
      (key, hop.counts.filter { Key($0.line) == key }.reduce(0) { $0 + $1.count })
    }.filter { $0.1 > 0 }
    var x = 0
    let parts = counts.map { key, count in
      defer { x += count }
      return "<rect class=\"\(style(of: key))\" x=\"\(x)\" width=\"\(count)\" height=\"1\"/>"
    }
    let words = counts.map { "\($0.1) \($0.0.name)" }.joined(separator: ", ")
    return "<svg class=\"bar\" viewBox=\"0 0 \(max(1, hop.alterations)) 1\" preserveAspectRatio=\"none\" role=\"img\" "
      + "aria-label=\"\(ReportText.markupLine(words))\">\(parts.joined())</svg>"
  }

  private func section(of hop: SweepReport.Hop) -> String {
    let message = hop.message
    let runs = runs(of: hop)
    let others = hop.outcomes.filter { if case .flipped = $0.alteration.change { false } else { true } }
    var parts = [
      "<p>\(Self.ends(of: message)), \(message.bytes.count.counted("byte")), "
        + "\(hop.alterations.counted("alteration"))</p>"
    ]
    if !runs.isEmpty { parts += [map(of: runs, in: message), rows(of: runs)] }
    if !others.isEmpty {
      let rows = others.map { outcome in
        "<tr><th scope=\"row\">\(ReportText.markupLine(outcome.alteration.name))</th>"
          + "<td>\(ReportText.markupLine(Self.words(outcome)))</td></tr>"
      }
      parts.append(Self.details("Changes of the whole message", ReportPage.table(["change", "outcome"], rows)))
    }
    if let view, view.message == nil {
      parts.append("<p><a href=\"\(view.address(of: message.number))\">More bytes of message \(message.number)</a></p>")
    }
    let title = "\(message.number) \(ReportText.markupLine(message.kind.rawValue))"
    return ReportPage.section(title, "message-\(message.number)", parts)
  }

  private static func words(_ outcome: SweepResult.Outcome) -> String {
    SweepReport.Line(outcome.finding)?.description ?? ""
  }

  private var reasons: String {
    let rows = report.usedReasons.map { reason in
      "<tr><th scope=\"row\">\(ReportText.markupLine(reason.name))</th><td>\(ReportText.markupLine(reason.text))</td></tr>"
    }
    return "<p>An alteration may stay unnoticed for one of these reasons.</p>\n"
      + ReportPage.table(["reason", "text"], rows)
  }

  // MARK: Bytes

  /// Bytes one after the other, in the same field and with the same outcome.
  private struct Run {
    var bytes: Range<Int>
    let place: String
    let line: SweepReport.Line

    var words: String {
      let last = bytes.upperBound - 1
      return bytes.count == 1 ? "byte \(bytes.lowerBound)" : "bytes \(bytes.lowerBound) to \(last)"
    }
  }

  private func runs(of hop: SweepReport.Hop) -> [Run] {
    var runs: [Run] = []
    for outcome in hop.outcomes {
      guard case .flipped(let byte, _) = outcome.alteration.change, let line = SweepReport.Line(outcome.finding) else {
        continue
      }
      let place = report.result.place(of: outcome.alteration) ?? ""
      if let last = runs.last, last.bytes.upperBound == byte, last.place == place, last.line == line {
        runs[runs.count - 1].bytes = last.bytes.lowerBound..<byte + 1
      } else {
        runs.append(Run(bytes: byte..<byte + 1, place: place, line: line))
      }
    }
    return runs
  }

  /// The cells in a row of the map.
  private static let columns = 64
  /// The size of a cell, in units of the map.
  private static let cell = 12

  private func map(of runs: [Run], in message: Message) -> String {
    let height = (message.bytes.count + Self.columns - 1) / Self.columns * Self.cell
    let paths = runs.map { run in
      let text = [run.words, run.place, run.line.description].filter { !$0.isEmpty }.joined(separator: " · ")
      return "<path class=\"\(style(of: Key(run.line)))\" d=\"\(Self.outline(of: run.bytes))\">"
        + "<title>\(ReportText.markupLine(text))</title></path>"
    }
    return "<svg class=\"map\" viewBox=\"0 0 \(Self.columns * Self.cell) \(height)\" role=\"img\" "
      + "aria-label=\"The bytes of message \(message.number); the list below says the same\">\n"
      + paths.joined(separator: "\n") + "\n</svg>"
  }

  /// The outline of bytes that fill rows from left to right.
  private static func outline(of bytes: Range<Int>) -> String {
    let (first, last) = (bytes.lowerBound / columns, (bytes.upperBound - 1) / columns)
    let (left, right) = (bytes.lowerBound % columns * cell, ((bytes.upperBound - 1) % columns + 1) * cell)
    if first == last { return "M\(left) \(first * cell)H\(right)v\(cell)H\(left)z" }
    return "M\(left) \(first * cell)H\(columns * cell)V\(last * cell)H\(right)v\(cell)H0V\((first + 1) * cell)H\(left)z"
  }

  private func rows(of runs: [Run]) -> String {
    let rows = runs.map { run in
      "<tr><th scope=\"row\">\(run.words)</th><td>\(ReportText.markupLine(run.place))</td>"
        + "<td>\(ReportText.markupLine(run.line.description))</td></tr>"
    }
    return Self.details("Fields and outcomes", ReportPage.table(["bytes", "field", "outcome"], rows))
  }

  // MARK: Tables

  private static func details(_ summary: String, _ content: String) -> String {
    "<details><summary>\(summary)</summary>\n\(content)\n</details>"
  }
}

extension SweepReport {
  /// The map of every byte, as a page.
  package var html: String { SweepPage(self, view: nil).text }

  /// The same page as a view of a server, with links to the run and to the maps of single messages.
  package func html(in view: View) -> String { SweepPage(self, view: view).text }

  /// The place of a page on a server.
  package struct View: Sendable {
    /// The address of the run.
    let run: String
    /// The query of the map of all messages.
    let query: String
    /// The message of the map; nil for all.
    let message: Int?
    /// The command that alters every byte.
    let allBytes: String

    /// Creates a place.
    package init(run: String, query: String, message: Int?, allBytes: String) {
      (self.run, self.query, self.message, self.allBytes) = (run, query, message, allBytes)
    }

    fileprivate func address(of message: Int) -> String { ReportText.markupLine("?\(query)&message=\(message)") }

    fileprivate var navigation: String {
      let all = message == nil ? "" : " · <a href=\"\(ReportText.markupLine("?\(query)"))\">All messages</a>"
      return "<nav aria-label=\"Pages\"><a href=\"\(ReportText.markupLine(run))\">The run</a>\(all)</nav>\n"
    }
  }
}

extension SweepReport.Class {
  /// The place among the kinds of findings.
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
