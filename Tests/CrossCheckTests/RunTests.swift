import COSE
import Checks
import CrossCheck
import MobileDocument
import Reports
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("A run with a second opinion")
struct RunTests {
  private static func headline() -> BatchRun { BatchRun(paths: [ShippedScenarios.folder + "/headline.yaml"]) }

  @Test("says how much was judged, in the last line and only when it was asked for")
  func summary() {
    #expect(printed(Self.headline()).output.last == "1 passed, 0 failed")
    var batch = Self.headline()
    batch.crossCheck = CrossChecker.check
    let run = printed(batch)
    #expect(run.verdict == .passed)
    let pattern = /1 passed, 0 failed; a second opinion on ([0-9]+) signatures and ([0-9]+) certificate chains/
    #expect(run.output.last?.wholeMatch(of: pattern) != nil, "\(run.output)")
  }

  /// Decides otherwise about some claims.
  private static func contrary(_ isMeant: @escaping @Sendable (VerificationClaim) -> Bool) -> CrossCheckLedger.Comparison
  {
    { CrossChecker.check(isMeant($0) ? $0.reversed : $0) }
  }

  @Test("fails with a code of its own, at the step in which the signature was checked")
  func signature() throws {
    var batch = Self.headline()
    batch.crossCheck = Self.contrary { claim in
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
    #expect(run.output.last?.hasPrefix("0 passed, 1 failed; a second opinion on ") == true)
  }

  @Test("fails at the scenario's name when it was checked before the first step")
  func beforeTheFirstStep() throws {
    var batch = Self.headline()
    batch.crossCheck = Self.contrary { claim in
      if case .signature(let claim) = claim, case .certificateRequest = claim.subject { true } else { false }
    }
    let text = printed(batch).output.joined(separator: "\n")
    #expect(text.contains("headline.yaml:1:11  libcrypto decides otherwise"), "\(text)")
  }

  @Test("fails about chains too")
  func chain() throws {
    var batch = Self.headline()
    batch.crossCheck = Self.contrary { if case .chain = $0 { true } else { false } }
    let text = printed(batch).output.joined(separator: "\n")
    #expect(text.contains("[cross-check.chain]"), "\(text)")
  }
}
