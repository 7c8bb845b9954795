import Checks
import Messaging

/// The tables of checks and of other events in docs/checks.md, from the declarations.
public enum CheckReference {
  /// The tables by the name of their marker in the page.
  public static let tables =
    CheckTable.all.map { (name: $0.name, text: text(of: $0.definitions)) }
    + [(name: "events", text: text(of: JournalEvent.definitions))]

  /// A page with its tables replaced.
  public static func updated(_ page: String) -> String {
    var lines: [Substring] = []
    var skips = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "<!-- end -->" { skips = false }
      if !skips { lines.append(line) }
      for (name, text) in tables where line == "<!-- checks: \(name) -->" {
        lines += text.split(separator: "\n", omittingEmptySubsequences: false)
        skips = true
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func text(of checks: [CheckDefinition]) -> String {
    var lines = ["", "| check | outcome | meaning | clause |", "| --- | --- | --- | --- |"]
    for check in checks {
      lines.append("| `\(check.id)` | passed | \(check.title) | \(check.clause) |")
      for (name, reason) in zip(check.findings, check.reasons) {
        let outcome =
          switch reason.severity {
          case .failure: "failed"
          case .deviation: "deviates"
          case .notice: "deviates, under every policy"
          }
        lines.append("| `\(name)` | \(outcome) | \(reason.message) | |")
      }
    }
    return (lines + [""]).joined(separator: "\n")
  }

  private static func text(of events: [EventDefinition]) -> String {
    var lines = ["", "| code | role | outcome | meaning |", "| --- | --- | --- | --- |"]
    for event in events {
      let outcome =
        switch event.outcome {
        case .none: "none"
        case .severity(let severity): "`\(severity.rawValue)`"
        case .word(let word): "`\(word)`"
        case .value(let description): description
        }
      let role = event.role.map { "`\($0.rawValue)`" } ?? "any"
      lines.append("| `\(event.code)` | \(role) | \(outcome) | \(event.meaning) |")
    }
    return (lines + [""]).joined(separator: "\n")
  }
}
