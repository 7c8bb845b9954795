import Messaging
import ScenarioLanguage

extension Judge {
  /// Judges the exception of the newest call.
  func judge(_ expected: ExceptionExpectation) -> ExpectationFailure? {
    let found = latestException(in: recent, frame: expected.frame)
    guard let found else {
      return ExpectationFailure(
        at: expected.name != nil
          ? StepPath("exception", "name") : expected.code != nil ? StepPath("exception", "code") : .step,
        "no call threw since the last action")
    }
    if let name = expected.name, name != found.name {
      return threw(found.name, found, at: StepPath("exception", "name"), evidence: appsThatCannotAnswer())
    }
    if let code = expected.code, !Optional(found.code).isName(expected: code) {
      return ExpectationFailure(
        at: StepPath("exception", "code"), "the call was rejected by another rule", code: found.code,
        note: shortMessage(of: found),
        evidence: appsThatCannotAnswer())
    }
    if let text = expected.omits?.first(where: { found.message.contains($0) }) {
      return ExpectationFailure(
        at: StepPath("exception", "omits", end: .item(text)), "the exception's message says this",
        note: "it says: \(found.message)")
    }
    if let text = expected.mentions?.first(where: { !found.message.contains($0) }) {
      return ExpectationFailure(
        at: StepPath("exception", "mentions", end: .item(text)), "the exception's message does not say this",
        code: found.code,
        evidence: ["message: \(found.message)"])
    }
    return nil
  }

  /// Another exception.
  func corrected(_ expected: ExceptionExpectation) throws(Uncorrectable) -> ExceptionExpectation {
    guard let found = latestException(in: recent) else { throw .otherKind("no call threw") }
    var corrected = expected
    if expected.name != nil { corrected.name = found.name }
    corrected.code = expected.code.map { Self.corrected($0, toName: found.code) }
    corrected.mentions = try Self.corrected(expected.mentions, in: [found.message])
    if let text = expected.omits?.first(where: { found.message.contains($0) }) {
      throw Uncorrectable("the message says \(text), so the expectation would be lost")
    }
    return corrected
  }
}
