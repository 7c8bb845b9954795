import COSE
import Checks
import Ecosystem
import Faults
import MobileDocument
import SimulationKernel

/// Runs one case: makes the world, does what the steps say and judges what they expect; all of them by ``run(_:seed:secondOpinion:)``,
/// or one by one as they come. Its world lives on the thread that calls.
public struct ScenarioRun {
  let scenario: Scenario
  private let seed: UInt64
  /// The world as it is now.
  public internal(set) var world: World
  /// The device used last.
  public internal(set) var device: String
  /// The website visited last.
  public internal(set) var website: String
  /// The page that the person opened last, as long as it is there: nil at first, and after a device was restarted.
  public internal(set) var openPage: (website: String, device: String)?
  /// Journal lines before the newest action; expectations look at what came after.
  var mark = 0
  /// Journal lines up to the newest step that was judged: a step that may fail is not the next one's fault.
  private var judged = 0
  private let folder: CaseFolder?
  /// Makes the parties of the world misbehave.
  let faults: FaultInjector
  /// Asks about everything that is checked; nil when nobody wants a second opinion.
  private let ledger: SecondOpinionLedger?

  /// Why a run stopped.
  public enum Stop: Error, Sendable {
    /// Something is not as a step expects it, or a step cannot be done.
    case failed(ExpectationFailure)
    /// The world could not be made, or went wrong.
    case undecided(String)
  }

  /// Runs a case to its end.
  ///
  /// - Parameters:
  ///   - seed: the seed to run with instead of the scenario's own.
  ///   - secondOpinion: another implementation to ask about every signature and certificate chain that the case checks.
  public static func run(
    _ scenario: Scenario, seed: UInt64? = nil, secondOpinion: SecondOpinionLedger.Judge? = nil
  ) -> CaseResult {
    let seed = seed ?? scenario.seed
    guard let secondOpinion else { return run(scenario, seed: seed, ledger: nil) }
    let ledger = SecondOpinionLedger(secondOpinion)
    // Whatever the world does it does below this call, on this thread: its tasks inherit the witness from here.
    var result = VerificationWitness.$current.withValue(ledger.witness) { run(scenario, seed: seed, ledger: ledger) }
    result.secondOpinions = ledger.tally
    return result
  }

  private static func run(_ scenario: Scenario, seed: UInt64, ledger: SecondOpinionLedger?) -> CaseResult {
    var run: ScenarioRun
    do throws(Stop) {
      run = try ScenarioRun(scenario, seed: seed, ledger: ledger)
    } catch {
      return CaseResult(scenario: scenario, seed: seed, outcome: CaseResult.Outcome(error), journal: Journal())
    }
    let outcome = run.runSteps()
    run.end()
    return CaseResult(scenario: scenario, seed: seed, outcome: outcome, journal: run.world.journal)
  }

  /// Makes the world of a case, in which nothing has happened yet.
  /// - Throws: ``Stop/undecided(_:)`` when it cannot be made.
  public init(_ scenario: Scenario, seed: UInt64? = nil) throws(Stop) {
    try self.init(scenario, seed: seed ?? scenario.seed, ledger: nil)
  }

  private init(_ scenario: Scenario, seed: UInt64, ledger: SecondOpinionLedger?) throws(Stop) {
    var folder: CaseFolder?
    let faults = FaultInjector(for: scenario.world)
    self.faults = faults
    do {
      folder = try CaseFolder(for: scenario)
      world = try World(
        scenario.world, seed: seed, start: scenario.clock, folder: folder?.path, equipment: faults.equipment)
    } catch {
      folder?.removeIfTemporary()
      throw .undecided("the world cannot be made: \(error)")
    }
    self.scenario = scenario
    self.seed = seed
    self.folder = folder
    self.ledger = ledger
    device = scenario.world.devices.first?.identifier ?? ""
    website = scenario.world.websites.first?.identifier ?? ""
  }

  /// Ends the world and removes what it kept for this run only.
  public func end() {
    world.close()
    folder?.removeIfTemporary()
  }

  /// Lets everybody in the world get ready.
  public mutating func prepare() throws(Stop) {
    try hearing(at: scenario.position) { run throws(Stop) in try run.settle(run.world.prepare()) }
  }

  /// Does what a step says, or judges what it expects. One that must fail is over when it has.
  public mutating func take(_ step: Step) throws(Stop) {
    guard let fails = step.fails else { return try attempt(step) }
    do throws(Stop) {
      try attempt(step)
    } catch {
      guard case .failed(let failure) = error else { throw error }
      if failure.headline.contains(fails.value) { return }
      throw .failed(
        ExpectationFailure(
          at: fails.position, "the step fails otherwise", code: failure.code, note: failure.headline,
          because: step.because, evidence: failure.evidence))
    }
    throw .failed(ExpectationFailure(at: fails.position, "the step does not fail", because: step.because))
  }

  private mutating func attempt(_ step: Step) throws(Stop) {
    defer { judged = world.journal.entries.count }
    try hearing(at: step.position, because: step.because) { run throws(Stop) in try run.perform(step) }
    try judge(step) { $0.misfit(after: judged) }
  }

  private mutating func runSteps() -> CaseResult.Outcome {
    do throws(Stop) {
      try prepare()
      for step in scenario.steps { try take(step) }
      return .passed
    } catch {
      return CaseResult.Outcome(error)
    }
  }

  /// Does something, and stops the run when a second opinion about what was checked meanwhile is another one. That counts
  /// more than whatever else went wrong, which may follow from it.
  private mutating func hearing(
    at position: SourcePosition, because: String? = nil, _ body: (inout Self) throws(Stop) -> Void
  ) throws(Stop) {
    let stop: Stop?
    do throws(Stop) {
      try body(&self)
      stop = nil
    } catch {
      stop = error
    }
    if let ledger, let failure = ExpectationFailure(ledger, at: position, because: because) { throw .failed(failure) }
    if let stop { throw stop }
  }

  /// Throws when a world did not come to rest.
  func settle(_ outcome: WorldScheduler.Outcome) throws(Stop) {
    switch outcome {
    case .quiet: return
    case .stepsExhausted:
      throw .undecided("the world does not come to rest within \(WorldScheduler.maximumSteps) steps")
    case .leaked(let jobs):
      throw .undecided("\(jobs) jobs came from outside the world's schedule, so the run cannot be repeated")
    }
  }
}

extension CaseResult.Outcome {
  /// What a run came to that stopped.
  fileprivate init(_ stop: ScenarioRun.Stop) {
    switch stop {
    case .failed(let failure): self = .failed(failure)
    case .undecided(let sentence): self = .undecided(sentence)
    }
  }
}
