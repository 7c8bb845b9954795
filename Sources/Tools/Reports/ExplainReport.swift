import Ecosystem
import LocatedYAML
import Messaging
import ScenarioRunner

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
      switch entry.event {
      case .selection(.asked(let request)):
        tables.append(SelectorTable(request: request, device: entry.party, time: entry.time))
      case .selection(let event):
        guard let current = tables.lastIndex(where: { $0.device == entry.party }) else { continue }
        tables[current].apps.append(event)
      default: continue
      }
    }
    if tables.isEmpty { return ["No request reached the selector."] + failures(journal) }
    return tables.map(\.lines).joined(separator: [""]).map(\.self)
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
