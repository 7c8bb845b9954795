import Checks
import ScenarioLanguage
import Vocabulary

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
