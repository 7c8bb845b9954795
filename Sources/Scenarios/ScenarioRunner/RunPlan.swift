import Checks
import Recordings
import ScenarioLanguage
import SimulationKernel
import Vocabulary

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
  /// - Parameter finished: Called for the index and the result of each case in the order of the plan, by one thread at
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
    var result = ScenarioRun.run(
      scenario, seed: seed, crossCheck: settings.crossCheck, limits: limits, outside: settings.outside)
    result.commonArguments = settings.commonArguments
    guard settings.repetitions > 1, scenario.skip == nil, !result.isUndecided else { return result }
    let first = result.journal.trace()
    for repetition in 2...settings.repetitions {
      let again = ScenarioRun.run(
        scenario, seed: seed, crossCheck: settings.crossCheck, limits: limits, outside: settings.outside)
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
  /// - Parameter first: The trace of the first run.
  private func problem(of again: CaseResult, _ repetition: Int, _ first: [UInt8], _ limits: RunLimits) -> String? {
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

/// The way in which the cases of a run are run.
public struct RunSettings: Sendable {
  /// Seed of every world instead of the scenarios' own.
  public var seed: UInt64?
  /// Seeds under each of which every case runs, instead of ``seed``; nil for one seed.
  public var seeds: SeedRange?
  /// The place where the sandbox of every device parses requests, in place of the scenarios' own.
  public var sandbox: WorldDescription.SandboxPlace?
  /// The number of worlds that run at the same time, each on a thread of its own.
  public var jobs: Int
  /// How often each case runs. Every run of a case must be the same, byte for byte.
  public var repetitions: Int
  /// Another implementation that checks every signature and certificate chain again; nil for none.
  public var crossCheck: CrossCheckLedger.Comparison?
  /// Ends the run, or one of its cases, early.
  public var control: RunControl
  /// Calls the servers and starts the wallets outside the worlds; nil where nothing does.
  public var outside: (any OutsideSource)?
  /// Further arguments of the command that runs a case again: those that decide about every case.
  public var commonArguments: [String] = []

  /// Creates settings.
  public init(
    seed: UInt64? = nil, seeds: SeedRange? = nil, sandbox: WorldDescription.SandboxPlace? = nil, jobs: Int = 1,
    repetitions: Int = 1, crossCheck: CrossCheckLedger.Comparison? = nil, control: RunControl = RunControl()
  ) {
    self.seed = seed
    self.seeds = seeds
    self.sandbox = sandbox
    self.jobs = jobs
    self.repetitions = repetitions
    self.crossCheck = crossCheck
    self.control = control
  }

  /// The case with the sandboxes in their place.
  public func applied(to scenario: Scenario) -> Scenario { sandbox.map(scenario.parsing) ?? scenario }
}
