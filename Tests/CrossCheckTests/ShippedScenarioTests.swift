import Checks
import CrossCheck
import Foundation
import Messaging
import MobileDocument
import Reports
import ScenarioLanguage
import ScenarioRunner
import ShippedScenarios
import Testing
import Vocabulary

@Suite("Cross-check of every shipped scenario")
struct ShippedScenarioTests {
  /// The least number of claims, counted from the journal's checks of signatures and chains.
  private static func floor(_ result: CaseResult) -> (signatures: Int, chains: Int) {
    var (signatures, chains) = (0, 0)
    for entry in result.journal.entries {
      if let note = entry.event.note, note.code == .sandboxParsed {
        signatures += note.facts.count { $0.name == "out: reader chain" }
      }
      guard let made = entry.event.check else { continue }
      switch made.check {
      case "issuer.signature", "device.signature":
        if made.status != .notReached { signatures += 1 }
      case "reader-authority.request":
        if made.status == .passed || made.reason == "signature" { signatures += 1 }
      case "sandbox.reader-signature":
        if entry.party.role == .sandbox, made.status == .failed { signatures += 1 }
      case "issuer.trust":
        if made.status != .notReached { chains += 1 }
      default: break
      }
    }
    return (signatures, chains)
  }

  @Test("libcrypto agrees under another seed and sees every check of the journal")
  func agrees() async throws {
    let results = try await ShippedScenarios.resultsWithOtherSeed().filter {
      $0.scenario.skip == nil && $0.scenario.expectedFailure == nil
    }
    #expect(!results.contains { $0.scenario.seed == ShippedScenarios.otherSeed })
    var sum = CrossCheckTally()
    for result in results {
      if case .failed(let failure) = result.outcome { Issue.record("\(failure.rendered(for: result))") }
      #expect(result.isPassed)
      let tally = try #require(result.crossCheckTally)
      let floor = Self.floor(result)
      #expect(tally.disagreements == 0)
      #expect(tally.signatures >= floor.signatures, "\(result.scenario.path) \(result.scenario.name)")
      #expect(tally.chains >= floor.chains, "\(result.scenario.path) \(result.scenario.name)")
      sum = sum + tally
    }
    #expect(results.count > 250)
    #expect(sum.signatures > 8 * results.count && sum.chains > results.count, "\(sum)")
    #expect(sum.notComparable < sum.chains / 10)
  }

  @Test("Sees each signature and chain of the headline, in process and in a sandbox process")
  func headline() throws {
    for place in [nil, .inProcess, .process] as [WorldDescription.SandboxPlace?] {
      let scenario = try ShippedScenarios.headline()
      let placed = place.map(scenario.parsing) ?? scenario
      let tally = try #require(ScenarioRun.run(placed, crossCheck: CrossChecker.check).crossCheckTally)
      // Signatures: two certificate requests, two reader signatures in the sandbox and again in the app, the issuer's and
      // the device's. Chains: the reader's for the view and for the response, and the document signer's.
      #expect(tally.signatures >= 8 && tally.chains >= 3 && tally.notComparable == 0, "\(tally)")
    }
  }

  @Test("The option changes no byte of a trace")
  func traces() throws {
    let cases = try ShippedScenarios.cases(in: ShippedScenarios.folder + "/reader") + [ShippedScenarios.headline()]
    let without = RunPlan(scenarios: cases).run()
    let with = RunPlan(scenarios: cases, RunSettings(crossCheck: CrossChecker.check)).run()
    #expect(without.count > 5 && without.count == with.count)
    for (left, right) in zip(without, with) {
      let isSame = left.journal.trace() == right.journal.trace()
      #expect(isSame && left.crossCheckTally == nil && right.crossCheckTally != nil, "\(left.scenario.path)")
    }
  }
}
