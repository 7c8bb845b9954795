import Messaging
import ScenarioLanguage

extension Judge {
  /// Judges the number of events of a kind so far.
  func judge(_ expected: TallyExpectation) -> ExpectationFailure? {
    let key = expected.subject.rawValue
    let path =
      expected.app == nil && expected.website == nil && expected.device == nil
      ? StepPath(key) : StepPath(key, "count")
    return wrongCount(
      countedEntries(of: expected), expected: expected.count, at: path, expected.subject.phrase)
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
