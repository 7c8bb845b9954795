import ScenarioLanguage
import Vocabulary

extension Judge {
  /// Judges the prompt on the screen.
  func judge(_ expected: PromptExpectation, view: PersonView) -> ExpectationFailure? {
    let found = view.prompt(on: device)?.app
    if found == expected.app { return nil }
    return ExpectationFailure(
      at: StepPath("prompt", "app"),
      expected.app.map { "no prompt for \($0) is on the screen" } ?? "a prompt is on the screen",
      note: found.map { "there is one for \($0)" }, evidence: latestFailures())
  }

  /// A prompt for another app.
  func corrected(_ expected: PromptExpectation, view: PersonView) throws(Uncorrectable) -> PromptExpectation {
    let found = view.prompt(on: device)?.app
    guard (found == nil) == (expected.app == nil) else {
      throw .otherKind(found.map { "a prompt for \($0) is on the screen" } ?? "no prompt is on the screen")
    }
    var corrected = expected
    corrected.app = found
    return corrected
  }
}
