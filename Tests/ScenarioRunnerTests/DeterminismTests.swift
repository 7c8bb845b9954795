import Foundation
import Synchronization
import Testing

@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("Same seed, same bytes")
struct DeterminismTests {
  /// Every shipped scenario with one seed, in two jobs.
  private static let seven = Result {
    RunPlan(scenarios: try ShippedScenarios.cases(), seed: 7, jobs: 2).run()
  }

  @Test("a hundred runs of the headline are the same")
  func headlineRepeats() throws {
    let scenario = try ShippedScenarios.headline()
    let first = ScenarioRun.run(scenario, seed: 7).journal.trace()
    #expect(first.count > 10_000)
    let repeated = RunPlan(scenarios: Array(repeating: scenario, count: 100), seed: 7, jobs: 2).run()
    #expect(repeated.count == 100)
    #expect(repeated.allSatisfy { $0.journal.trace() == first })
  }

  @Test("every shipped scenario is the same with one job and with two")
  func jobsDoNotMatter() throws {
    let cases = try ShippedScenarios.cases()
    let one = RunPlan(scenarios: cases, seed: 7, jobs: 1).run()
    let two = try Self.seven.get()
    #expect(one.count == cases.count && two.count == cases.count)
    for (left, right) in zip(one, two) {
      #expect(left.scenario.name == right.scenario.name)
      // Compared outside the expectation, which would print megabytes.
      let isSame = left.journal.trace() == right.journal.trace()
      #expect(isSame, "\(left.scenario.path)")
    }
  }

  @Test("another seed gives other bytes and the same verdicts")
  func seedsDiffer() throws {
    let cases = try ShippedScenarios.cases()
    let seven = try Self.seven.get()
    let eight = RunPlan(scenarios: cases, seed: 8, jobs: 2).run()
    for (left, right) in zip(seven, eight) {
      // A skipped case has no trace, and a fixed seed stays the same.
      if left.scenario.skip != nil || left.scenario.isSeedFixed { continue }
      let differs = left.journal.trace() != right.journal.trace()
      #expect(differs, "\(left.scenario.path)")
      #expect(left.isPassed == right.isPassed, "\(left.scenario.path)")
    }
  }

  @Test("results come in the order of the plan")
  func order() throws {
    let scenario = try ShippedScenarios.headline()
    let plan = RunPlan(scenarios: Array(repeating: scenario, count: 8), jobs: 3)
    let finished = Mutex(0)
    let results = plan.run { _ in finished.withLock { $0 += 1 } }
    #expect(results.count == 8)
    #expect(finished.withLock { $0 } == 8)
  }
}
