import Foundation
import ShippedScenarios
import Synchronization
import Testing

@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("Same seed, same bytes")
struct DeterminismTests {
  @Test("a hundred runs of the headline are the same")
  func headlineRepeats() throws {
    let scenario = try ShippedScenarios.headline()
    let first = ScenarioRun.run(scenario, seed: 7).journal.trace()
    #expect(first.count > 10_000)
    let repeated = RunPlan(scenarios: Array(repeating: scenario, count: 100), RunSettings(seed: 7, jobs: 2)).run()
    #expect(repeated.count == 100)
    #expect(repeated.allSatisfy { $0.journal.trace() == first })
  }

  /// Two jobs and a sandbox in a process of its own on one side, one job and parsing in this process on the other.
  /// `PlaybackTests` compares every case with a play in this process; here is one file of each folder, as a run.
  @Test("a scenario is the same with one job and with two, with a sandbox's process and without")
  func jobsAndProcessesDoNotMatter() async throws {
    var folders: Set<String> = []
    let files = ShippedScenarios.files.filter { file in
      folders.insert(URL(fileURLWithPath: file).deletingLastPathComponent().path).inserted
    }
    let two = try await ShippedScenarios.results().filter { files.contains($0.scenario.path) }
    let here = two.map { $0.scenario.parsing(.inProcess) }
    #expect(two.contains { $0.scenario.world.devices.contains { $0.sandbox == .process } })
    let one = RunPlan(scenarios: here).run()
    #expect(one.count == two.count && folders.count > 20)
    for (left, right) in zip(one, two) {
      #expect(left.scenario.name == right.scenario.name)
      #expect(left.isPassed == right.isPassed, "\(left.scenario.path)")
      // Compared outside the expectation, which would print megabytes.
      let isSame = left.journal.trace() == right.journal.trace()
      #expect(isSame, "\(left.scenario.path)")
    }
  }

  @Test(
    "a scenario is the same with jobs and processes, and without, under other seeds",
    arguments: [2, 6_151, 1 << 40] as [UInt64])
  func jobsAndProcessesDoNotMatter(underSeed seed: UInt64) throws {
    var folders: Set<String> = []
    let first = try ShippedScenarios.cases().filter { scenario in
      folders.insert(URL(fileURLWithPath: scenario.path).deletingLastPathComponent().path).inserted
    }
    let one = RunPlan(scenarios: first, RunSettings(seed: seed, sandbox: .inProcess)).run()
    let two = RunPlan(scenarios: first, RunSettings(seed: seed, sandbox: .process, jobs: 2)).run()
    #expect(one.count == two.count && folders.count > 20)
    for (left, right) in zip(one, two) {
      #expect(left.isPassed && right.isPassed, "\(left.scenario.path)")
      let isSame = left.journal.trace() == right.journal.trace()
      #expect(isSame, "\(left.scenario.path)")
    }
  }

  @Test("another seed gives other bytes and the same verdicts")
  func seedsDiffer() async throws {
    let (own, other) = (try await ShippedScenarios.results(), try await ShippedScenarios.resultsWithOtherSeed())
    #expect(own.count == other.count)
    for (left, right) in zip(own, other) {
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
    let plan = RunPlan(scenarios: Array(repeating: scenario, count: 8), RunSettings(jobs: 3))
    let finished = Mutex(0)
    let results = plan.run { _, _ in finished.withLock { $0 += 1 } }
    #expect(results.count == 8)
    #expect(finished.withLock { $0 } == 8)
  }
}
