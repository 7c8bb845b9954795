import Messaging
import ScenarioLanguage

extension Judge {
  /// Judges the number of messages so far.
  func judge(_ expected: MessagesExpectation) -> ExpectationFailure? {
    wrongCount(
      countedEntries(of: expected), expected: expected.count, at: StepPath("messages", "count"),
      "such a message was sent")
  }

  /// The messages so far that an expectation counts.
  func countedEntries(of expected: MessagesExpectation) -> [JournalEntry] {
    entries.filter { entry in
      guard case .message(let message) = entry.event else { return false }
      return expected.kind.map { $0 == message.kind } ?? true
        && expected.sender.map { $0 == message.sender.role.rawValue } ?? true
        && expected.recipient.map { $0 == message.recipient.role.rawValue } ?? true
        && expected.device.map { message.sender.isPart(of: $0) || message.recipient.isPart(of: $0) } ?? true
    }
  }
}
