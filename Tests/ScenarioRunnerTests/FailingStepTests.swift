import BatchRuns
import CrossCheckTrait
import Reports
import Testing

@testable import ScenarioLanguage
@testable import ScenarioRunner

/// Steps with an expected failure.
@Suite("Steps that fail", .crossChecked) struct FailingStepTests {
  private func run(_ steps: [String]) throws -> (verdict: RunReport.Verdict, text: String) {
    let folder = try BatchRunTests.folderWithWorld()
    let start = ["person: { visits: spaceship-rentals }", "person: { taps: Verify Identity }"]
    try folder.write(
      "failing.yaml",
      "scenario: Failing\nworld: spaceport\nsteps:\n" + (start + steps).map { "  - { \($0) }\n" }.joined())
    let printed = BatchRunTests.run(BatchRun(paths: [folder.path]))
    return (printed.verdict, printed.output.joined(separator: "\n") + printed.errors)
  }

  @Test(
    "a step that fails as expected passes, and the case continues",
    arguments: [
      "person: { picks: Other Wallet }, fails: the selector does not offer Other Wallet",
      "selector: { shows: [Wallet] }, fails: the selector", "consent: { certified: true }, fails: no app asks",
    ])
  func asItMust(step: String) throws {
    let ran = try run([step, "person: { picks: Wallet }", "consent: { requester: Spaceship Rentals }"])
    #expect(ran.verdict == .passed, "\(ran.text)")
    let next = try run([step, "person: { picks: Wallet }", "consent: { requester: Another Site }"])
    #expect(next.verdict == .failed && next.text.contains("another requester"), "\(next.text)")
  }

  @Test(
    "a step that does not fail, or fails differently, fails the case",
    arguments: [
      ("person: { picks: Wallet }, fails: the selector does not offer Wallet", "the step does not fail"),
      ("person: { picks: Other Wallet }, fails: no selector is open", "the step fails differently"),
    ])
  func otherwise(step: String, headline: String) throws {
    let ran = try run([step])
    #expect(ran.verdict == .failed && ran.text.contains(headline), "\(ran.text)")
  }

  @Test("the expected failure must be text", arguments: ["''", "true", "[]", "~"])
  func inWords(text: String) throws {
    #expect(try run(["person: { picks: Wallet }, fails: \(text)"]).verdict == .undecided)
  }
}
