import Messaging
import Vocabulary

/// The reach of a search: each different thing that happened in a run, with the first run in which it did.
package struct ExploreReach: Sendable {
  /// A kind of thing that happens.
  package enum Kind: String, Sendable, CaseIterable {
    case faults, findings, exceptions, notes, messages
  }

  /// A thing that happened. Several parties of one role count as one.
  package struct Item: Hashable, Sendable {
    /// The kind.
    package let kind: Kind
    /// A fault; a party with a check, a code or an exception; or a message with its sender and recipient.
    package let name: String
  }

  private var firstRuns: [Item: Int] = [:]

  init() {}

  /// Takes in what happened in a run. The order in which runs end makes no difference.
  /// - Parameter number: The place of the run, from 0.
  mutating func take(_ items: Set<Item>, run number: Int) {
    for item in items { firstRuns[item] = min(firstRuns[item] ?? .max, number) }
  }

  /// The things of the first runs.
  func within(_ runs: Int) -> ExploreReach {
    var kept = self
    kept.firstRuns = firstRuns.filter { $0.value < runs }
    return kept
  }

  /// The things of a kind with the places of their first runs, from 1, in the order of the names.
  package func items(of kind: Kind) -> [(name: String, run: Int)] {
    firstRuns.filter { $0.key.kind == kind }.map { ($0.key.name, $0.value + 1) }.sorted { $0.0 < $1.0 }
  }

  /// The place of the last run in which something happened for the first time, from 1; 0 if nothing happened.
  package var lastNewRun: Int { firstRuns.values.max().map { $0 + 1 } ?? 0 }

  /// The number of things of a kind that the first runs reached.
  package func count(of kind: Kind, within runs: Int) -> Int {
    firstRuns.count { $0.key.kind == kind && $0.value < runs }
  }

  /// The things that happened in a journal.
  static func items(in journal: Journal) -> Set<Item> {
    Set(
      journal.entries.compactMap { entry in
        let party = entry.party.role.rawValue
        switch entry.event {
        case .fault(let fault): return fault.effect == .applied ? Item(kind: .faults, name: fault.fault) : nil
        case .check(let check):
          guard check.status.isFinding else { return nil }
          return Item(kind: .findings, name: "\(party): \(check.name), \(check.status.rawValue)")
        case .exception(let exception): return Item(kind: .exceptions, name: "\(exception.name): \(exception.code)")
        case .note(let note): return Item(kind: .notes, name: "\(party): \(note.code.rawValue)")
        case .message(let message):
          return Item(
            kind: .messages,
            name: "\(message.sender.role.rawValue) to \(message.recipient.role.rawValue): \(message.kind.rawValue)")
        case .step, .selection, .consent, .verdict: return nil
        }
      })
  }
}
