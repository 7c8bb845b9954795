/// The failures of a run as workflow commands of GitHub Actions, which annotate the lines of scenario files.
///
/// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
enum GitHubAnnotations {
  /// One line for each case that failed or was undecided, and for each problem of an unreadable file.
  static func text(of report: RunReport) -> String {
    var lines: [String] = []
    for row in report.rows {
      switch row {
      case .ended(let found):
        guard found.verdict.isBad, let failure = found.failure else { continue }
        lines.append(line(failure.place, title: "\(found.verdict.words): \(found.name)", failure.detail))
      case .unreadable(let file):
        for problem in file.problems {
          lines.append(line(problem.place, title: "unreadable: \(file.path)", problem.detail))
        }
      }
    }
    if let reason = report.stopped { lines.append("::error title=the run is incomplete::\(data(reason.message))") }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func line(_ place: ReportedPlace, title: String, _ detail: String) -> String {
    // Without "./", a path is the one that GitHub knows in the repository.
    let path = place.path.hasPrefix("./") ? String(place.path.dropFirst(2)) : place.path
    var properties = ["file=\(property(ReportText.line(path)))"]
    if let line = place.line { properties.append("line=\(line)") }
    if let column = place.column { properties.append("col=\(column)") }
    properties.append("title=\(property(ReportText.line(title)))")
    let message = ReportText.lines(detail).joined(separator: "\n")
    return "::error \(properties.joined(separator: ","))::\(data(message))"
  }

  /// The text after the command: a percent sign and line ends are escaped.
  private static func data(_ text: String) -> String { escaped(text, "%\r\n") }

  /// The value of a property: a colon and a comma are escaped too.
  private static func property(_ text: String) -> String { escaped(text, "%\r\n:,") }

  private static func escaped(_ text: String, _ special: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if special.unicodeScalars.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
