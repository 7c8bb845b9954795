import BatchRuns
import COSE
import Checks
import CrossCheck
import MobileDocument
import Reports
import ScenarioLanguage
import ScenarioRunner
import ShippedScenarios
import Testing

@Suite("Run with --cross-check")
struct RunTests {
  private static func headline() -> BatchRun { BatchRun(paths: [ShippedScenarios.folder + "/headline.yaml"]) }

  @Test("The last line counts the cross-checks, only with the option")
  func summary() {
    #expect(printed(Self.headline()).output.last == "1 passed, 0 failed")
    var batch = Self.headline()
    batch.settings.crossCheck = CrossChecker.check
    let run = printed(batch)
    #expect(run.verdict == .passed)
    let pattern = /1 passed, 0 failed; cross-checked ([0-9]+) signatures and ([0-9]+) chains/
    #expect(run.output.last?.wholeMatch(of: pattern) != nil, "\(run.output)")
  }

  /// Returns a comparison that disagrees about some claims.
  private static func contrary(_ isMeant: @escaping @Sendable (VerificationClaim) -> Bool)
    -> CrossCheckLedger.Comparison
  {
    { CrossChecker.check(isMeant($0) ? $0.reversed : $0) }
  }

  @Test("A disagreement fails the step that verified the signature")
  func signature() throws {
    var batch = Self.headline()
    batch.settings.crossCheck = Self.contrary { claim in
      guard case .signature(let claim) = claim, case .message(let message, _, _, _) = claim.subject else {
        return false
      }
      return String(decoding: message, as: UTF8.self).contains("ReaderAuthenticationAll")
    }
    let run = printed(batch)
    #expect(run.verdict == .failed)
    let text = run.output.joined(separator: "\n")
    #expect(text.contains("[cross-check.signature]"), "\(text)")
    #expect(text.contains("person: { taps: Verify Identity }"))
    #expect(text.contains("because: the headline flow of the whole system"))
    #expect(text.contains("      message, SHA-256  "))
    #expect(text.contains("      expected verdict  does not verify\n      found verdict  libcrypto: verifies"))
    #expect(text.contains("headline.yaml --seed 7 --cross-check"))
    #expect(run.output.last?.hasPrefix("0 passed, 1 failed; cross-checked ") == true)
  }

  @Test("A disagreement before the first step is reported at the scenario's name")
  func beforeTheFirstStep() throws {
    var batch = Self.headline()
    batch.settings.crossCheck = Self.contrary { claim in
      if case .signature(let claim) = claim, case .certificateRequest = claim.subject { true } else { false }
    }
    let text = printed(batch).output.joined(separator: "\n")
    #expect(text.contains("headline.yaml:1:11  libcrypto disagrees"), "\(text)")
  }

  @Test("A disagreement about a chain fails the case")
  func chain() throws {
    var batch = Self.headline()
    batch.settings.crossCheck = Self.contrary { if case .chain = $0 { true } else { false } }
    let text = printed(batch).output.joined(separator: "\n")
    #expect(text.contains("[cross-check.chain]"), "\(text)")
  }
}
