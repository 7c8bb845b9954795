import Ecosystem
import LocatedYAML
import ScenarioRunner
import SimulationKernel

/// Explains how a part of the system came to its decisions in a case. A function of the journal.
public enum ExplainReport {
  /// The subject of an explanation.
  public enum Topic: String, CaseIterable, Sendable {
    /// The apps that the selector offered and hid, with reasons.
    case selector
  }

  /// Columns of the report; longer lines are wrapped.
  static let width = 100

  /// The explanation of a case, lines of at most 100 columns where texts allow.
  public static func text(of result: CaseResult, about topic: Topic) -> String {
    let lines =
      switch topic {
      case .selector: selector(result.journal)
      }
    return ([result.scenario.name, ""] + lines).map(SourceText.visible).joined(separator: "\n") + "\n"
  }

  /// Every selection, each a table.
  private static func selector(_ journal: Journal) -> [String] {
    var tables: [SelectorTable] = []
    for entry in journal.entries {
      guard case .decision(let made) = entry.event, made.kind == .selector else { continue }
      if made.code == JournalCode.selectorRequest.rawValue {
        tables.append(SelectorTable(request: made, time: entry.time))
      } else if let current = tables.lastIndex(where: { $0.request.party == made.party }) {
        tables[current].apps.append(made)
      }
    }
    if tables.isEmpty { return ["No request reached the selector."] + failures(journal) }
    return tables.map(\.lines).joined(separator: [""]).map(\.self)
  }

  /// The failures of requests that did not reach the selector.
  private static func failures(_ journal: Journal) -> [String] {
    journal.entries.flatMap { entry -> [String] in
      guard case .decision(let made) = entry.event,
        made.kind == .exception
          || made.outcome == "failed" && [.operatingSystem, .sandbox].contains(made.party.role)
      else { return [] }
      return "  \(made.party): \(made.message) [\(made.code)]".wrapped(to: width)
    }
  }
}
