import Checks
import MobileDocument
import ScenarioLanguage

/// Many cases to run, each in a world of its own, several worlds at a time.
public struct RunPlan: Sendable {
  /// Cases in the order in which they are reported.
  public var scenarios: [Scenario]
  /// Seed for all cases instead of their own.
  public var seed: UInt64?
  /// The number of worlds that run at the same time, each on a thread of its own.
  public var jobs: Int
  /// Keeps the journals in the results after they were reported. Thousands of journals are gigabytes.
  public var keepsJournals: Bool
  /// Another implementation that checks every signature and certificate chain again; nil for none.
  public var crossCheck: CrossCheckLedger.Comparison?

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

  /// Runs every case and returns the results in the order of the plan, for any number of jobs.
  ///
  /// - Parameter finished: called for each case in the order of the plan, as soon as all before it have ended too.
  public func run(finished: @escaping @Sendable (CaseResult) -> Void = { _ in }) -> [CaseResult] {
    let board = WorkBoard<CaseResult>(count: scenarios.count) { [keepsJournals] result in
      finished(result)
      return keepsJournals ? result : result.withoutJournal
    }
    return board.run(threads: min(jobs, scenarios.count)) { [self] board in
      while board.next({ ScenarioRun.run(scenarios[$0], seed: seed, crossCheck: crossCheck) }) {}
    }
  }
}
