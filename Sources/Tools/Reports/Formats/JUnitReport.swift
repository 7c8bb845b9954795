/// A run as JUnit's XML, in the form that Jenkins' xUnit plugin has a schema for: a suite for each file.
///
/// | verdict | element |
/// | --- | --- |
/// | failed | `failure` |
/// | undecided, unreadable file | `error` |
/// | skipped, failed as expected | `skipped` |
enum JUnitReport {
  /// One test case, with the text of its child element.
  private struct Row {
    let name: String
    let time: ReportedTime
    var element: String?
    var type: String?
    var message = ""
    var detail = ""
  }

  private struct Suite {
    let path: String
    var rows: [Row] = []

    func count(_ element: String) -> Int { rows.count { $0.element == element } }
    var time: ReportedTime { rows.map(\.time).reduce(.zero, +) }
    var counts: String { #"tests="\#(rows.count)" failures="\#(count("failure"))" errors="\#(count("error"))""# }
  }

  /// The XML.
  static func text(of report: RunReport) -> String {
    let suites = suites(of: report)
    let all = Suite(path: "", rows: suites.flatMap(\.rows))
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    lines.append(#"<testsuites name="presentment" \#(all.counts) time="\#(seconds(all.time))">"#)
    for suite in suites {
      let path = ReportText.markupLine(suite.path)
      lines.append(
        #"  <testsuite name="\#(path)" \#(suite.counts) skipped="\#(suite.count("skipped"))" "#
          + #"time="\#(seconds(suite.time))" file="\#(path)">"#)
      for row in suite.rows { lines += element(row, in: path) }
      lines.append("  </testsuite>")
    }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The suites, in the order of the first entry of each.
  private static func suites(of report: RunReport) -> [Suite] {
    var suites: [Suite] = []
    var places: [String: Int] = [:]
    func add(_ row: Row, _ path: String) {
      let place = places[path] ?? suites.count
      if place == suites.count {
        suites.append(Suite(path: path))
        places[path] = place
      }
      suites[place].rows.append(row)
    }
    for row in report.rows {
      switch row {
      case .ended(let found): add(self.row(found), found.place.path)
      case .unreadable(let file):
        let first = file.problems.first
        add(
          Row(
            name: "the file can be read", time: ReportedTime(nanoseconds: 0), element: "error", type: first?.code,
            message: first?.message ?? "", detail: file.detail), file.path)
      }
    }
    if let reason = report.stopped {
      add(
        Row(
          name: "the run is complete", time: ReportedTime(nanoseconds: 0), element: "error", type: "stopped",
          message: reason.message), "presentment")
    }
    return suites
  }

  private static func row(_ found: CaseReport) -> Row {
    var row = Row(name: found.name, time: found.time)
    let failure = found.failure
    row.detail = failure?.detail ?? ""
    switch found.verdict {
    case .passed: break
    case .failed:
      row.element = "failure"
      row.type = failure?.code ?? "expectation"
      row.message = failure?.message ?? ""
    case .undecided:
      row.element = "error"
      row.type = "undecided"
      row.message = failure?.message ?? ""
    case .skipped, .failedAsExpected:
      row.element = "skipped"
      row.type = found.verdict.rawValue
      row.message = (found.verdict == .skipped ? "" : "\(found.verdict.words): ") + (found.reason ?? "")
    }
    return row
  }

  private static func element(_ row: Row, in path: String) -> [String] {
    let start =
      #"    <testcase name="\#(ReportText.markupLine(row.name))" classname="\#(path)" time="\#(seconds(row.time))""#
    guard let element = row.element else { return [start + "/>"] }
    let type = row.type.map { #" type="\#(ReportText.markupLine($0))""# } ?? ""
    let opening = #"      <\#(element)\#(type) message="\#(ReportText.markupLine(row.message))""#
    let content = row.detail.isEmpty ? "/>" : ">" + ReportText.markupLines(row.detail) + "</\(element)>"
    return [start + ">", opening + content, "    </testcase>"]
  }

  /// Seconds as the schema has them: at most three digits after the point.
  private static func seconds(_ time: ReportedTime) -> String { time.seconds(digits: 3) }
}
