import Foundation
import SecondOpinionTrait
import Testing

@testable import Scenarios

@Suite("Every shipped scenario", .secondOpinion)
struct ShippedScenarioTests {
  @Test("passes, whatever its seed", arguments: ShippedScenarios.files)
  func passes(file: String) throws {
    let problems = ProblemCollector()
    let cases = ScenarioReader.read(file, problems)
    let scenarios = try #require(cases, "\(problems.rendered())")
    for scenario in scenarios {
      for seed in [scenario.seed, 1_000_003] {
        let result = ScenarioRun.run(scenario, seed: seed)
        if case .failed(let failure) = result.outcome {
          Issue.record("\(failure.rendered(for: result))")
        }
        #expect(result.isPassed)
      }
    }
  }

  @Test("says why what it expects is right", arguments: ShippedScenarios.files)
  func saysWhy(file: String) throws {
    let problems = ProblemCollector()
    for scenario in try #require(ScenarioReader.read(file, problems)) {
      #expect(!(scenario.because ?? "").isEmpty)
    }
  }

  @Test("is found")
  func found() {
    #expect(ShippedScenarios.files.contains { $0.hasSuffix("/headline.yaml") })
    #expect(!ShippedScenarios.files.contains { $0.contains("/worlds/") })
  }
}
