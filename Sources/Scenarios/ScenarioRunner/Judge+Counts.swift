import Messaging
import ScenarioLanguage

/// Numbers of messages and events.
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

  /// Judges the number of events of a kind so far.
  func judge(_ expected: TallyExpectation) -> ExpectationFailure? {
    let key = expected.subject.rawValue
    let path =
      expected.app == nil && expected.website == nil && expected.device == nil
      ? StepPath(key) : StepPath(key, "count")
    return wrongCount(countedEntries(of: expected), expected: expected.count, at: path, expected.subject.phrase)
  }

  /// The events so far that an expectation counts.
  func countedEntries(of expected: TallyExpectation) -> [JournalEntry] {
    entries.filter { entry in
      guard expected.device.map(entry.party.isPart(of:)) ?? true else { return false }
      let app: String?
      switch (expected.subject, entry.event) {
      case (.prompts, .consent(.promptShown(let name))), (.released, .consent(.requestReleased(let name))),
        (.answered, .consent(.answered(let name))):
        app = name
      case (.asked, .consent(.asked)): app = entry.party.name.split(separator: "/").last.map(String.init)
      case (.verified, .verdict(let verdict)):
        return verdict.verdict == .verified && expected.website.map { $0 == entry.party.name } ?? true
      default: return false
      }
      return expected.app.map { $0 == app } ?? true
    }
  }

  /// The failure of a number of events, or nil.
  func wrongCount(
    _ found: [JournalEntry], expected: Int, at path: StepPath, _ what: String, since: String = "so far"
  ) -> ExpectationFailure? {
    if found.count == expected { return nil }
    // The newest show which one is too many; more would hide them.
    let shown = found.suffix(6)
    return ExpectationFailure(
      at: path,
      "\(what) \(Self.times(found.count)) \(since), expected \(expected == 0 ? "never" : Self.times(expected))",
      evidence: shown.count == found.count || shown.isEmpty
        ? shown.map(countedLine) : ["the last \(shown.count):"] + shown.map(countedLine))
  }

  /// An event as one line: a message with its kind, any other with its code.
  private func countedLine(of entry: JournalEntry) -> String {
    guard case .message(let message) = entry.event else { return line(of: entry) }
    return "message \(message.number)  \(message.sender) -> \(message.recipient)  \(message.kind.rawValue)"
  }

  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}

extension TallyExpectation.Subject {
  /// The event, for messages.
  fileprivate var phrase: String {
    switch self {
    case .prompts: "the system asked about an app"
    case .asked: "an app asked for consent"
    case .released: "an app got the raw request"
    case .answered: "an app answered"
    case .verified: "a server verified a response"
    }
  }
}
