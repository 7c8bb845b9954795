import Checks
import Messaging
import Primitives
import Vocabulary

/// Judges the invariants over a whole run.
public enum Invariants {
  /// Returns the invariants that do not hold in a run, in the order in which the run shows it.
  ///
  /// The journal is the only evidence: what the parties did outside their messages and decisions is not judged.
  ///
  /// - Parameters:
  ///   - journal: Everything that happened in the run, which has ended.
  ///   - world: The description of its world.
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
    var sessions = SessionWatch(faults)
    var messages = MessageWatch(faults)
    var waiting = WaitingWatch()
    var retention = RetentionWatch(world, faults)
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
        retention.take(observed)
      case .note(let note):
        waiting.take(note, by: entry.party)
        sessions.take(note, by: entry.party)
        retention.take(note, by: entry.party, &violations)
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
  /// Numbers of the messages with other bytes than the sender's. Their contents are not the sender's statement.
  private(set) var alteredMessages: Set<Int> = []
  /// Numbers of the messages that arrive twice.
  private(set) var duplicatedMessages: Set<Int> = []
  /// Kinds of the messages that were intercepted.
  private(set) var interceptedKinds: Set<MessageKind> = []

  init(_ entries: [JournalEntry]) {
    var intercepted: Set<Int> = []
    for entry in entries {
      switch entry.event {
      case .fault(let fault) where fault.effect == .applied:
        identifiers.insert(fault.fault)
        guard let number = fault.messageNumber else { continue }
        let interception = fault.interception
        if interception?.changesBytes ?? true { alteredMessages.insert(number) }
        if interception == .duplicated { duplicatedMessages.insert(number) }
        if interception != nil { intercepted.insert(number) }
      // The fault of a message is recorded before it.
      case .message(let message) where intercepted.contains(message.number): interceptedKinds.insert(message.kind)
      default: break
      }
    }
  }
}

/// An invariant that does not hold in a run, with the messages that show it.
public struct InvariantViolation: Sendable, Equatable {
  /// The invariant and the reason.
  public let finding: InvariantFinding
  /// The facts: names of parties, elements and pages. Never holds values of elements.
  public let detail: String
  /// Numbers of the messages to look at, in the order of the run.
  public let messages: [Int]
  /// Lines about these messages.
  public let evidence: [String]

  init(_ check: InvariantCheck, _ reason: InvariantCheck.Reason? = nil, _ detail: String, at messages: [Message]) {
    finding = InvariantFinding(check, reason)
    self.detail = detail
    self.messages = messages.map(\.number)
    evidence = messages.map { message in
      "message \(message.number)  \(message.sender.title) -> \(message.recipient.title)  \(message.kind.rawValue), "
        + "\(message.bytes.count.counted("byte"))"
    }
  }

  /// The name of the finding.
  public var name: String { finding.name }
  /// A human-readable description in one line.
  public var message: String { "\(finding.message) \(detail)" }
}

extension [InvariantViolation] {
  /// Adds a violation.
  mutating func add(
    _ check: InvariantCheck, _ reason: InvariantCheck.Reason? = nil, _ detail: String, at messages: [Message]
  ) {
    append(InvariantViolation(check, reason, detail, at: messages))
  }
}
