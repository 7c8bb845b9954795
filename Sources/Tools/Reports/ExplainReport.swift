import Certificates
import Checks
import DevicePlatform
import Foundation
import LocatedYAML
import Messaging
import MobileDocument
import Primitives
import ScenarioRunner
import SimulationKernel
import Telling

/// One selection as a table: the conditions of the request, then a row for each app.
struct SelectorTable {
  let request: SelectionEvent.Request
  /// The operating system of the device.
  let device: Party
  let time: WorldClock.Instant
  /// The events of the apps.
  var apps: [SelectionEvent] = []
  /// The registrations of the operating system at that time.
  var registrations: [RegistrationTable.Row] = []

  var lines: [String] { head + held + [""] + table }

  /// The registrations, as the stage shows them.
  private var held: [String] {
    guard !registrations.isEmpty else { return [] }
    let rows = registrations.flatMap { row in
      ["  \(row.app)"]
        + row.facts.flatMap {
          "    \($0.name.padded(to: 12)) \($0.value)".wrapped(to: ExplainReport.width, hanging: 17)
        }
    }
    return ["", "  registrations"] + rows
  }

  private var head: [String] {
    let moment = DateTime(secondsSince1970: time.secondsSince1970).description
    var lines = ["\(moment.dropFirst(11).dropLast()) \(device.name): \(request.origin) asks"]
    for document in request.documents {
      let issuers = document.issuers.isEmpty ? "any issuer" : "issuers " + document.issuers.joined(separator: ", ")
      lines += field("document", "\(document.documentType), of \(issuers)")
    }
    for useCase in request.useCases { lines += field("use case", useCase.description) }
    for signer in request.signers {
      lines += field("signed by", signer.name)
      for authority in signer.authorities {
        lines += field("authority", "\(authority.keyIdentifier ?? "no key identifier"), \(authority.name)")
      }
    }
    if request.signers.isEmpty { lines.append("  unsigned") }
    return lines + reading
  }

  /// The certificates of a chain that the lists of apps are compared with.
  private var reading: [String] {
    switch Selection.AuthorityReading(rawValue: request.reading) {
    case .root: field("compared", "the authority of each chain's topmost certificate (root)")
    case .anyInChain: field("compared", "the authority of every certificate (any-in-chain)")
    case nil: []
    }
  }

  private func field(_ label: String, _ value: String) -> [String] {
    "  \(label.padded(to: 9)) \(value)".wrapped(to: ExplainReport.width, hanging: 12)
  }

  /// The checks with a column. That of the protocol has one only where it hides an app.
  private var checks: [SelectorCheck] {
    let isProtocolDecisive = apps.contains { $0.failedCheck == .exchangeProtocol }
    return SelectorCheck.allCases.filter { $0 != .exchangeProtocol || isProtocolDecisive }
  }

  private var table: [String] {
    if apps.isEmpty { return ["  The device has no apps."] }
    let headings = checks.map(\.heading)
    // Each heading takes the space before it.
    let room = ExplainReport.width - 2 - headings.reduce(0) { $0 + $1.count + 1 }
    let names = apps.map { name(of: $0).wrapped(to: room, hanging: 0) }
    let column = names.joined().map(\.count).max() ?? 0
    var lines = [row("app", headings, column: column)]
    for (app, name) in zip(apps, names) {
      lines.append(row(name[0], marks(of: app), column: column))
      lines += name.dropFirst().map { "  \($0)" }
      lines += reasons(of: app)
    }
    let isAnyOffered = apps.contains { if case .offered = $0 { true } else { false } }
    return lines + (isAnyOffered ? [] : ["  No app can answer."])
  }

  private func row(_ name: String, _ cells: [String], column: Int) -> String {
    let padded = zip(cells, checks).map { $0.padded(to: $1.heading.count) }
    let line = "  \(name.padded(to: column)) \(padded.joined(separator: " "))"
    return line.replacing(#/\ +$/#, with: "")
  }

  private func name(of app: SelectionEvent) -> String {
    switch app {
    case .offered(let app, _), .hidden(let app, _, _): app
    case .asked: ""
    }
  }

  private func marks(of app: SelectionEvent) -> [String] {
    guard case .hidden = app else { return checks.map { _ in "yes" } }
    let failed = app.failedCheck.flatMap(checks.firstIndex) ?? 0
    return checks.indices.map { $0 == failed ? "NO" : $0 < failed ? "yes" : "-" }
  }

  private func reasons(of app: SelectionEvent) -> [String] {
    func indented(_ text: String) -> [String] { "    \(text)".wrapped(to: ExplainReport.width) }
    switch app {
    case .offered(_, let registrations):
      return registrations.flatMap { indented("offered: \($0.identifier), \($0.documentType)") }
    case .hidden(_, let finding, let remedy):
      return indented("hidden: \(finding.message) [\(finding.name)]") + indented("it would appear: \(remedy)")
    case .asked: return []
    }
  }
}

extension SelectionEvent {
  /// The check that hides the app.
  fileprivate var failedCheck: SelectorCheck? {
    guard case .hidden(_, let finding, _) = self else { return nil }
    return SelectorFinding(name: finding.name)?.check
  }
}

extension SelectorCheck {
  /// The heading of the check's column.
  fileprivate var heading: String {
    switch self {
    case .appAuthorization: "authorized"
    case .exchangeProtocol: "protocol"
    case .registration: "registered"
    case .entitlement: "entitled"
    case .documentType: "requested"
    case .registrationValidity: "current"
    case .reader: "reader"
    case .issuer: "issuer"
    case .useCase: "use case"
    }
  }
}

/// Explains how a part of the system came to its decisions in a case. A function of the journal.
public enum ExplainReport {
  /// The subject of an explanation.
  public enum Topic: String, CaseIterable, Sendable {
    /// The apps that the selector offered and hid, with reasons.
    case selector
    /// The checks that each party made, with their results.
    case checks
  }

  /// Columns of the report; longer lines are wrapped.
  static let width = 100

  /// The explanation of a case, lines of at most 100 columns where texts allow.
  public static func text(of result: CaseResult, about topic: Topic) -> String {
    let lines =
      switch topic {
      case .selector: selector(result.journal)
      case .checks: checks(result.journal)
      }
    return ([result.scenario.name, ""] + lines).map(SourceText.visible).joined(separator: "\n") + "\n"
  }

  /// Every selection, each a table.
  private static func selector(_ journal: Journal) -> [String] {
    var tables: [SelectorTable] = []
    let entries = journal.entries
    for (position, entry) in entries.enumerated() {
      switch entry.event {
      case .selection(.asked(let request)):
        tables.append(SelectorTable(request: request, device: entry.party, time: entry.time))
      case .selection(let event):
        guard let current = tables.lastIndex(where: { $0.device == entry.party }) else { continue }
        tables[current].apps.append(event)
        tables[current].registrations = RegistrationTable(of: entries[...position], on: entry.party).rows
      default: continue
      }
    }
    if tables.isEmpty { return ["No request reached the selector."] + failures(journal) }
    return tables.map(\.lines).joined(separator: [""]).map(\.self)
  }

  /// Every check, in groups that one party made between two messages.
  private static func checks(_ journal: Journal) -> [String] {
    var lines: [String] = []
    var maker: Party?
    for entry in journal.entries {
      switch entry.event {
      case .message: maker = nil
      case .check(let result):
        if maker != entry.party {
          let moment = DateTime(secondsSince1970: entry.time.secondsSince1970).description
          lines += (lines.isEmpty ? [] : [""]) + ["\(moment.dropFirst(11).dropLast()) \(entry.party)"]
          maker = entry.party
        }
        let line = "  \(result.mark) \(result.name.padded(to: 32)) \(entry.event.phrase)"
        let evidence = result.status == .failed ? Narrative(entry).evidence.flatMap(\.named) : []
        lines += line.wrapped(to: width, hanging: 7)
        lines += evidence.flatMap { "       \($0.name): \($0.value)".wrapped(to: width, hanging: 9) }
      default: continue
      }
    }
    return lines.isEmpty ? ["No party made a check."] : lines
  }

  /// The failures of requests that did not reach the selector.
  private static func failures(_ journal: Journal) -> [String] {
    journal.entries.flatMap { entry -> [String] in
      let isOfSystem = [.operatingSystem, .sandbox].contains(entry.party.role)
      guard entry.event.exception != nil || entry.event.isFailure && isOfSystem else { return [] }
      return "  \(entry.party): \(entry.event.phrase) [\(entry.event.code ?? "")]".wrapped(to: width)
    }
  }
}

extension CheckResult {
  /// The status in four columns of a report.
  var mark: String {
    switch status {
    case .passed: "ok  "
    case .notReached: "-   "
    case .deviates: "note"
    case .failed: "NO  "
    }
  }
}
