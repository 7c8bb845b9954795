import Checks
import Messaging
import Primitives

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
