import Messaging
import ScenarioLanguage
import Vocabulary

extension Judge {
  /// Judges the result at a terminal.
  /// - Parameter terminal: The one that the phone was held to last.
  func judge(_ expected: TerminalExpectation, view: PersonView, terminal: String?) -> ExpectationFailure? {
    guard let name = expected.name ?? terminal else {
      return ExpectationFailure("the person has not held a phone to a terminal")
    }
    if let ended = expected.ended, let failure = judge(ended: ended, at: name) { return failure }
    if let failure = judge(keeps: expected.keeps, of: "terminal", by: Party(.terminal, name)) { return failure }
    var result = WebsiteExpectation()
    result.verified = expected.verified
    result.refused = expected.refused
    result.without = expected.without
    guard result != WebsiteExpectation() else { return nil }
    guard let screen = view.screen(ofTerminal: name) else {
      return ExpectationFailure(at: StepPath("terminal", "name"), "\(name) shows nothing", evidence: latestFailures())
    }
    return judge(result, on: screen, as: "terminal")
  }

  private func judge(ended expected: String, at terminal: String) -> ExpectationFailure? {
    guard let found = outcome(at: terminal) else {
      return ExpectationFailure(
        at: StepPath("terminal", "ended"), "no session of the terminal ended without a response",
        evidence: latestFailures())
    }
    return found == expected
      ? nil
      : ExpectationFailure(
        at: StepPath("terminal", "ended"), "the session ended otherwise", note: "it ended: \(found)",
        evidence: latestFailures())
  }

  /// The outcome of the terminal's newest session, if it ended without a response.
  private func outcome(at terminal: String) -> String? {
    let own = entries.filter { $0.party == Party(.terminal, terminal) }
    let start = own.lastIndex { if case .verdict = $0.event { true } else { false } } ?? own.startIndex
    return own[start...].compactMap(\.event.note).last { $0.code == .terminalEnded }?.value
  }

  /// Another result of the same kind at a terminal.
  func corrected(
    _ expected: TerminalExpectation, view: PersonView, terminal: String?
  ) throws(Uncorrectable) -> TerminalExpectation {
    guard let name = expected.name ?? terminal else {
      throw Uncorrectable("the person has not held a phone to a terminal")
    }
    var corrected = expected
    if expected.ended != nil {
      guard let found = outcome(at: name) else { throw .otherKind("no session ended without a response") }
      corrected.ended = found
    }
    corrected.keeps = try self.corrected(keeps: expected.keeps, by: Party(.terminal, name))
    guard expected.verified != nil || expected.refused != nil || expected.without != nil else { return corrected }
    guard let screen = view.screen(ofTerminal: name) else { throw .otherKind("\(name) shows nothing") }
    corrected.verified = try Self.corrected(expected.verified, on: screen)
    corrected.refused = try Self.corrected(refusal: expected.refused, on: screen)
    try Self.requireMissing(expected.without, on: screen)
    return corrected
  }
}
