import JSON

/// A run in the Test Anything Protocol, version 14: https://testanything.org/tap-version-14-specification.html
///
/// | verdict | line |
/// | --- | --- |
/// | passed | `ok` |
/// | failed, undecided, unreadable file | `not ok` |
/// | skipped | `ok … # SKIP reason` |
/// | failed as expected | `not ok … # TODO reason` |
enum TAPReport {
  /// The lines.
  static func text(of report: RunReport) -> String {
    let rows = report.rows
    var lines = ["TAP version 14", "1..\(rows.count)\(rows.isEmpty ? " # SKIP no case" : "")"]
    for (place, row) in rows.enumerated() {
      switch row {
      case .ended(let found): lines += point(found, place + 1)
      case .unreadable(let file): lines += point(file, place + 1)
      }
    }
    if let reason = report.stopped { lines.append("Bail out! \(reason.message)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func point(_ found: CaseReport, _ number: Int) -> [String] {
    let description = "\(number) - \(title("\(found.place.path): \(found.name)"))"
    switch found.verdict {
    case .passed: return ["ok \(description)"]
    case .skipped: return ["ok \(description) # SKIP \(escaped(found.reason ?? ""))"]
    case .failed, .undecided, .failedAsExpected:
      let directive = found.verdict == .failedAsExpected ? " # TODO \(escaped(found.reason ?? ""))" : ""
      let diagnostics = found.failure.map { failure in
        block(
          severity: found.verdict == .failedAsExpected ? "todo" : found.verdict == .failed ? "fail" : "undecided",
          message: failure.message, code: failure.code, at: failure.place, detail: failure.detail)
      }
      return ["not ok \(description)\(directive)"] + (diagnostics ?? [])
    }
  }

  private static func point(_ file: UnreadableFile, _ number: Int) -> [String] {
    let first = file.problems.first
    return ["not ok \(number) - \(title("\(file.path): the file can be read"))"]
      + block(
        severity: "unreadable", message: first?.message ?? "", code: first?.code,
        at: first?.place ?? ReportedPlace(path: file.path), detail: file.detail)
  }

  /// A description. Some readers take an escaped number sign for the begin of a directive, so it has another one.
  private static func title(_ text: String) -> String { escaped(text.replacing("#", with: "\u{FF03}")) }

  /// A text in a description or a reason. The characters with a meaning there are escaped.
  private static func escaped(_ text: String) -> String {
    ReportText.line(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  /// The diagnostics of a line: YAML, set in by two spaces.
  private static func block(
    severity: String, message: String, code: String?, at place: ReportedPlace, detail: String
  ) -> [String] {
    var lines = ["---", "message: \(quoted(ReportText.line(message)))", "severity: \(severity)"]
    if let code { lines.append("code: \(quoted(ReportText.line(code)))") }
    lines += ["at:", "  file: \(quoted(ReportText.line(place.path)))"]
    if let line = place.line { lines.append("  line: \(line)") }
    if let column = place.column { lines.append("  column: \(column)") }
    lines += self.detail(ReportText.lines(detail))
    return (lines + ["..."]).map { "  " + $0 }
  }

  /// The member `detail`: lines as they are, or quoted if a reader of TAP would not take them so.
  private static func detail(_ lines: [String]) -> [String] {
    let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    let lines = lines.map { String($0.dropFirst(margin)) }
    // Without an indicator that few readers know, the first line tells how far the text is set in. Readers of TAP end the
    // block at a line with three dots, wherever it begins, and Perl's does not read an empty line.
    let isPlain = lines.first?.first != " " && !lines.contains { $0.isEmpty || $0.drop { $0 == " " }.hasPrefix("...") }
    return isPlain
      ? ["detail: |"] + lines.map { "  " + $0 }
      : ["detail: \(quoted(lines.joined(separator: "\n")))"]
  }

  /// A text in double quotes, in which JSON and YAML agree.
  private static func quoted(_ text: String) -> String { JSONCoding.text(text) }
}
