import Checks
import DigitalCredentials
import Faults
import Messaging
import MobileDocument
import Telling

/// The generated parts of the pages in `docs`. `make reference` writes them.
///
/// A part is between the lines `<!-- KIND: NAME -->` and `<!-- end -->`.
public enum ReferencePages {
  /// The pages with generated parts.
  public static let names = [
    "checks.md", "exceptions.md", "faults.md", "glossary.md", "model.md", "scenarios.md", "the-bytes.md",
    "trace.md",
  ]

  /// The generated parts by the text of their marker.
  public static let parts: [(marker: String, text: String)] =
    CheckTable.all.map { ("checks: \($0.name)", text(of: $0.definitions)) }
    + [("checks: events", text(of: JournalEvent.definitions)), ("checks: tolerances", tolerances)]
    + [("profiles: origin in a frame", originsInFrames)]
    + [("parties: terms", partyTerms), ("parties: readable", partyViews)]
    + (ReferenceTables.all + TraceFormat.tables).map { ("keys: \($0.name)", "\n\($0.table)") }

  /// Returns a page with its generated parts replaced.
  public static func updated(_ page: String, named name: String) -> String {
    if name == "faults.md" { return FaultCatalogue.page }
    if name == "exceptions.md" { return ExceptionPage.text }
    var lines: [Substring] = []
    var skips = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "<!-- end -->" { skips = false }
      if !skips { lines.append(line) }
      for (marker, text) in parts where line == "<!-- \(marker) -->" {
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        skips = true
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The origin that each browser's phone gets if a frame of another site calls.
  private static var originsInFrames: String {
    var lines = ["", "| browser | the origin in the transcript |", "| --- | --- |"]
    for profile in BrowserProfile.all {
      let origin =
        switch profile.presentedOrigin {
        case .topLevel: "that of the page at the top"
        case .callingDocument: "that of the frame"
        }
      lines.append("| `\(profile.name)` | \(origin) |")
    }
    return (lines + ["", ""]).joined(separator: "\n")
  }

  private static func text(of checks: [CheckDefinition]) -> String {
    var lines = ["", "| check | outcome | meaning | clause |", "| --- | --- | --- | --- |"]
    for check in checks {
      lines.append("| `\(check.id)` | passed | \(check.title) | \(check.clause) |")
      for (name, reason) in zip(check.findings, check.reasons) {
        let outcome =
          switch reason.severity {
          case .failure: "failed"
          case .tolerance: "failed; deviates under `lenient`"
          case .deviation: "deviates"
          case .notice: "deviates, under every policy"
          }
        lines.append("| `\(name)` | \(outcome) | \(reason.message) | |")
      }
    }
    return (lines + ["", ""]).joined(separator: "\n")
  }

  /// The departures that a lenient policy accepts, with their sources.
  private static var tolerances: String {
    var lines = ["", "| deviation | meaning | seen in |", "| --- | --- | --- |"]
    for check in CheckTable.verifier.flatMap(\.definitions) {
      for (name, reason) in zip(check.findings, check.reasons) {
        guard let source = reason.source else { continue }
        lines.append("| `\(name)` | \(reason.message) | \(source) |")
      }
    }
    return (lines + ["", ""]).joined(separator: "\n")
  }

  private static var partyTerms: String {
    let rows = PartyDefinition.all.sorted { $0.term.lowercased() < $1.term.lowercased() }
      .map { "| \($0.term) | \($0.meaning) |" }
    return (["", "| term | meaning |", "| --- | --- |"] + rows + ["", ""]).joined(separator: "\n")
  }

  private static var partyViews: String {
    let rows = PartyDefinition.all.flatMap(\.views).map { view in
      "| \(view.title) | \(view.readable) |\(view.unreadable.isEmpty ? "" : " \(view.unreadable)") |"
    }
    return (["", "| party | can read | cannot read |", "| --- | --- | --- |"] + rows + ["", ""])
      .joined(separator: "\n")
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
      let roles = event.roles.isEmpty ? "any" : event.roles.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      lines.append("| `\(event.code)` | \(roles) | \(outcome) | \(event.meaning) |")
    }
    return (lines + ["", ""]).joined(separator: "\n")
  }
}
