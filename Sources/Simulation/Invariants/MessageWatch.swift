import Messaging

/// Watches the numbers of messages, and that an answer answers one question of its recipient.
struct MessageWatch {
  private struct Question {
    let sender: Party
    let recipient: Party
    /// The number of answers that it may still get: one for each time that it arrives.
    var answers: Int
  }

  private let faults: InjectedFaults
  private var last = 0
  private var open: [Int: Question] = [:]

  init(_ faults: InjectedFaults) { self.faults = faults }

  /// Takes the next message of a run.
  mutating func take(_ message: Message, _ violations: inout [InvariantViolation]) {
    if message.number != last + 1 {
      violations.add(.messages, .number, "The message before has the number \(last).", at: [message])
    }
    last = message.number
    open[message.number] = Question(
      sender: message.sender, recipient: message.recipient,
      answers: faults.duplicatedMessages.contains(message.number) ? 2 : 1)
    guard let answered = message.answers else { return }
    let question = open[answered]
    if var question {
      question.answers -= 1
      open[answered] = question.answers > 0 ? question : nil
    }
    if question?.sender != message.recipient || question?.recipient != message.sender {
      violations.add(.messages, .answer, "It answers message \(answered).", at: [message])
    }
  }
}
