import ScenarioLanguage
import SimulationKernel

/// Many cases to run, each in a world of its own, several worlds at a time.
public struct RunPlan: Sendable {
  /// Cases in the order in which they are reported.
  public var scenarios: [Scenario]
  /// The way in which they run.
  public var settings: RunSettings
  /// Keeps the journals in the results after they were reported. Thousands of journals are gigabytes.
  public var keepsJournals: Bool
  /// Called with the index of each case, on its thread, before it runs.
  public var started: @Sendable (Int) -> Void = { _ in }

  /// Creates a plan.
  public init(scenarios: [Scenario], _ settings: RunSettings = RunSettings(), keepsJournals: Bool = true) {
    self.scenarios = scenarios
    self.settings = settings
    self.keepsJournals = keepsJournals
  }

  /// Runs every case and returns the results in the order of the plan, for any number of jobs. A run that was stopped
  /// returns the results of the cases that it ran.
  ///
  /// - Parameter finished: called for the index and the result of each case in the order of the plan, by one thread at
  ///   a time, as soon as all before it have ended too.
  public func run(finished: @escaping @Sendable (Int, CaseResult) -> Void = { _, _ in }) -> [CaseResult] {
    if let seeds = settings.seeds { return run(seeds: seeds, finished: finished) }
    let board = WorkBoard<CaseResult?>(count: scenarios.count) { [keepsJournals] number, result in
      guard let result else { return nil }
      finished(number, result)
      return keepsJournals ? result : result.withoutJournal
    }
    let results = board.run(threads: min(settings.jobs, scenarios.count)) { [self] board in
      while !settings.control.isStopped
        && board.next({ number in
          settings.control.run { limits in
            started(number)
            return run(scenarios[number], seed: settings.seed, limits)
          }
        })
      {}
    }
    return results.compactMap(\.self)
  }

  /// Runs a case as often as it has to, until a run differs from the first one or is undecided.
  func run(_ scenario: Scenario, seed: UInt64?, _ limits: RunLimits) -> CaseResult {
    let scenario = settings.applied(to: scenario)
    var result = ScenarioRun.run(scenario, seed: seed, crossCheck: settings.crossCheck, limits: limits)
    guard settings.repetitions > 1, scenario.skip == nil, !result.isUndecided else { return result }
    let first = result.journal.trace()
    for repetition in 2...settings.repetitions {
      let again = ScenarioRun.run(scenario, seed: seed, crossCheck: settings.crossCheck, limits: limits)
      result.duration += again.duration
      if let problem = problem(of: again, repetition, first, limits) {
        // A limit takes nothing away from a failure.
        if !result.isFailed || limits.reason == nil { result.outcome = .undecided(problem) }
        break
      }
    }
    return result
  }

  /// The reason why a repetition leaves its case undecided; nil if it is like the first run.
  /// - Parameter first: the trace of the first run.
  private func problem(
    of again: CaseResult, _ repetition: Int, _ first: [UInt8], _ limits: RunLimits
  ) -> String? {
    let count = settings.repetitions
    if case .undecided(let message) = again.outcome {
      return limits.reason == nil
        ? "run \(repetition) of \(count) is undecided: \(message)"
        : "\(repetition - 1) of \(count) runs were made: \(message)"
    }
    return again.journal.trace() == first
      ? nil : "run \(repetition) of \(count) differs from the first, though the seed is the same"
  }
}
