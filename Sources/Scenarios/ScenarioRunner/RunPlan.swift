import Checks
import MobileDocument
import ScenarioLanguage
import SimulationKernel

/// Many cases to run, each in a world of its own, several worlds at a time.
public struct RunPlan: Sendable {
  /// Cases in the order in which they are reported.
  public var scenarios: [Scenario]
  /// Seed for all cases instead of their own.
  public var seed: UInt64?
  /// Seeds under each of which every case runs, instead of ``seed``; nil for one seed.
  public var seeds: SeedRange?
  /// The number of worlds that run at the same time, each on a thread of its own.
  public var jobs: Int
  /// Keeps the journals in the results after they were reported. Thousands of journals are gigabytes.
  public var keepsJournals: Bool
  /// Another implementation that checks every signature and certificate chain again; nil for none.
  public var crossCheck: CrossCheckLedger.Comparison?
  /// How often each case runs. Every run of a case must be the same, byte for byte.
  public var repetitions = 1
  /// Ends the run, or one of its cases, early.
  public var control = RunControl()
  /// Called on the thread of each case before it runs.
  public var started: @Sendable (Scenario) -> Void = { _ in }

  /// Creates a plan.
  public init(
    scenarios: [Scenario], seed: UInt64? = nil, jobs: Int = 1, keepsJournals: Bool = true,
    crossCheck: CrossCheckLedger.Comparison? = nil
  ) {
    self.scenarios = scenarios
    self.seed = seed
    self.jobs = jobs
    self.keepsJournals = keepsJournals
    self.crossCheck = crossCheck
  }

  /// Runs every case and returns the results in the order of the plan, for any number of jobs. A run that was stopped
  /// returns the results of the cases that it ran.
  ///
  /// - Parameter finished: called for each case in the order of the plan, as soon as all before it have ended too.
  public func run(finished: @escaping @Sendable (CaseResult) -> Void = { _ in }) -> [CaseResult] {
    if let seeds { return run(seeds: seeds, finished: finished) }
    let board = WorkBoard<CaseResult?>(count: scenarios.count) { [keepsJournals] result in
      guard let result else { return nil }
      finished(result)
      return keepsJournals ? result : result.withoutJournal
    }
    let results = board.run(threads: min(jobs, scenarios.count)) { [self] board in
      while !control.isStopped
        && board.next({ number in
          control.run { limits in
            started(scenarios[number])
            return run(scenarios[number], seed: seed, limits)
          }
        })
      {}
    }
    return results.compactMap(\.self)
  }

  /// Runs a case as often as it has to, until a run differs from the first one.
  func run(_ scenario: Scenario, seed: UInt64?, _ limits: RunLimits) -> CaseResult {
    var result = ScenarioRun.run(scenario, seed: seed, crossCheck: crossCheck, limits: limits)
    guard repetitions > 1 else { return result }
    let first = result.journal.trace()
    for repetition in 2...repetitions where limits.reason == nil {
      let again = ScenarioRun.run(scenario, seed: seed, crossCheck: crossCheck, limits: limits)
      result.duration += again.duration
      guard again.journal.trace() != first, limits.reason == nil else { continue }
      result.outcome = .undecided(
        "run \(repetition) of \(repetitions) differs from the first, though the seed is the same")
      break
    }
    return result
  }
}
