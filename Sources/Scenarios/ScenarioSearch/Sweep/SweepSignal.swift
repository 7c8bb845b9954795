import Messaging

/// A way in which a party shows that it noticed something: a failed check, an exception, a refusal, an accepted deviation
/// or an app that the selector hides.
package struct SweepSignal: Sendable, Hashable {
  /// The party.
  package let party: Party
  /// The name of the check, or the code of another event; a deviation says so.
  package let name: String
  /// The part that the event is about; nil for the whole.
  let subject: String?

  /// The signal of an event, or nil.
  init?(_ entry: JournalEntry) {
    switch entry.event {
    case .check(let result) where result.status == .deviates:
      self.init(entry.party, result.name + " deviates", result.subject)
    case .check(let result) where result.status == .failed: self.init(entry.party, result.name, result.subject)
    case .selection(.hidden(let app, let finding, _)): self.init(entry.party, finding.name, app)
    case let event where event.isFailure: self.init(entry.party, event.code ?? event.kind.rawValue, nil)
    default: return nil
    }
  }

  private init(_ party: Party, _ name: String, _ subject: String?) {
    self.party = party
    self.name = name
    self.subject = subject
  }
}

/// The signals of an unaltered run, which do not count as noticing.
struct UsualSignals: Sendable {
  private var counts: [SweepSignal: Int] = [:]

  /// The signals of a run.
  init(of replay: Replay) {
    for entry in replay.entries {
      if let signal = SweepSignal(entry) { counts[signal, default: 0] += 1 }
    }
  }

  /// The first signal of an altered run that the unaltered run lacks.
  func firstBeyond(_ replay: Replay) -> SweepSignal? {
    var left = counts
    for entry in replay.entries {
      guard let signal = SweepSignal(entry) else { continue }
      guard let count = left[signal], count > 0 else { return signal }
      left[signal] = count - 1
    }
    return nil
  }
}
