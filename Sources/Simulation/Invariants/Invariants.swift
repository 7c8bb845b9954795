import Ecosystem
import Messaging

/// Judges the invariants over a whole run.
public enum Invariants {
  /// Returns the invariants that do not hold in a run, in the order in which the run shows it.
  ///
  /// The journal is the only evidence: what the parties did outside their messages and decisions is not judged.
  ///
  /// - Parameters:
  ///   - journal: everything that happened in the run, which has ended.
  ///   - world: the description of its world.
  public static func violations(in journal: Journal, world: WorldDescription) -> [InvariantViolation] {
    violations(in: journal.entries, world: world)
  }

  /// Returns the invariants that do not hold in the lines of a journal.
  public static func violations(in entries: [JournalEntry], world: WorldDescription) -> [InvariantViolation] {
    let faults = InjectedFaults(entries)
    return everyViolation(in: entries, world: world).filter { violation in
      !InvariantExemption.all.contains { $0.excuses(violation, in: faults) }
    }
  }

  /// The same with the violations that a fault excuses.
  static func everyViolation(in entries: [JournalEntry], world: WorldDescription) -> [InvariantViolation] {
    let faults = InjectedFaults(entries)
    var disclosure = DisclosureWatch(world, faults)
    var plaintext = PlaintextWatch(world)
    var sessions = SessionWatch()
    var messages = MessageWatch()
    var waiting = WaitingWatch()
    var violations: [InvariantViolation] = []
    for entry in entries {
      switch entry.event {
      case .message(let message):
        let observed = ObservedMessage(message)
        messages.take(message, &violations)
        sessions.take(observed, &violations)
        disclosure.take(observed, &violations)
        plaintext.take(message, &violations)
        waiting.take(observed)
      case .note(let note):
        waiting.take(note, by: entry.party)
        sessions.take(note, by: entry.party)
      default: break
      }
    }
    waiting.end(&violations)
    return violations
  }
}

/// The faults that changed something in a run.
struct InjectedFaults {
  /// Identifiers of the faults.
  private(set) var identifiers: Set<String> = []
  /// Numbers of the messages that a fault altered.
  private(set) var alteredMessages: Set<Int> = []

  init(_ entries: [JournalEntry]) {
    for case .fault(let fault) in entries.lazy.map(\.event) where fault.effect == .applied {
      identifiers.insert(fault.fault)
      if let number = fault.messageNumber { alteredMessages.insert(number) }
    }
  }
}
