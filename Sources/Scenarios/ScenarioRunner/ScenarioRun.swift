import COSE
import Checks
import Devices
import Ecosystem
import Faults
import Invariants
import LocatedYAML
import Messaging
import MobileDocument
import Primitives
import Recordings
import ScenarioLanguage
import SimulationKernel
import Vocabulary

/// Runs one case: makes the world, does the steps and judges the expectations; all of them by
/// ``run(_:seed:crossCheck:limits:observer:)``, or one by one. Its world lives on the calling thread.
public struct ScenarioRun {
  let scenario: Scenario
  private let seed: UInt64
  /// The world as it is now.
  public internal(set) var world: World
  /// The device used last.
  public var device: String { world.focus.device }
  /// The judge of the present state.
  var judge: Judge {
    let focus = world.focus
    return Judge(
      entries: world.journal.entries, mark: mark, device: focus.device,
      pageDevice: focus.openPage?.device ?? focus.device)
  }
  /// The judge of an expectation about a device: it looks at what came after the newest action there.
  func judge(on device: String) -> Judge {
    Judge(
      entries: world.journal.entries, mark: marks[device] ?? 0, device: device, pageDevice: device, isDeviceNamed: true)
  }
  /// The website visited last.
  public var website: String { world.focus.website }
  /// Journal lines before the newest action; expectations look at what came after.
  var mark = 0
  /// The same for the newest action on each device.
  var marks: [String: Int] = [:]
  /// Journal lines up to the newest step that was judged: a step that may fail is not the next one's fault.
  private var judged = 0
  /// The numbers of the steps of the case, from 0, that were done and of the expectations that held.
  private var heldSteps: Set<Int> = []
  private let folder: CaseFolder?
  private let outside: Outside
  /// Injects faults into the world.
  let faults: FaultInjector
  /// The cross-check of every verification; nil for a run without it.
  private let ledger: CrossCheckLedger?

  /// The reason why a run stopped.
  public enum Stop: CodedError {
    /// Something is not as a step expects it, or a step cannot be done.
    case failed(ExpectationFailure)
    /// The world could not be made, or went wrong.
    case undecided(String)

    /// The kinds of reasons.
    public enum Code: String, Sendable {
      case failed = "run.failed"
      case undecided = "run.undecided"
    }

    /// The kind of reason.
    public var code: Code {
      switch self {
      case .failed: .failed
      case .undecided: .undecided
      }
    }

    /// A human-readable description.
    public var message: String {
      switch self {
      case .failed(let failure): failure.headline
      case .undecided(let message): message
      }
    }

    /// The failure of a step; nil for a world that could not be made, or went wrong.
    public var failure: ExpectationFailure? { if case .failed(let failure) = self { failure } else { nil } }

    /// The failure of a step with those of the expectations after it.
    fileprivate func with(_ others: [ExpectationFailure], ofStep number: Int) -> Stop {
      guard case .failed(var failure) = self else { return self }
      failure.others = others
      return .failed(failure.ofStep(number))
    }

    /// The note next to the caret, if a step failed.
    public var evidence: String? { failure?.caretNote }

    /// The position of the step in its file, if a step failed.
    public var location: String? { failure?.position?.description }
  }

  /// A moment of a run at which an observer looks at its world.
  public enum ObservedMoment: Sendable {
    /// Every party is ready, and no step has begun.
    case prepared
    /// A step has ended, by its index; with the reason if the run stops there. A fault that never acts stops the run
    /// after the last step, so its step ends a second time.
    case step(Int, Stop?)
  }

  /// Runs a case to its end.
  ///
  /// - Parameters:
  ///   - seed: The seed to run with instead of the scenario's own.
  ///   - crossCheck: Another implementation that checks every signature and certificate chain of the case again.
  ///   - limits: What ends the case before its last step; nil for nothing.
  ///   - observer: Gets the run after the set-up of the world and after each step. It must not change the world.
  public static func run(
    _ scenario: Scenario, seed: UInt64? = nil, crossCheck: CrossCheckLedger.Comparison? = nil,
    limits: RunLimits? = nil, outside: (any OutsideSource)? = nil,
    observer: ((ScenarioRun, ObservedMoment) -> Void)? = nil
  ) -> CaseResult {
    let seed = scenario.seed(inRunWith: seed)
    if let reason = scenario.skip {
      return CaseResult(scenario: scenario, seed: seed, outcome: .skipped(because: reason), journal: Journal())
    }
    let clock = ContinuousClock()
    let start = clock.now
    var result = WorldScheduler.$limits.withValue(limits) {
      guard let crossCheck else { return run(scenario, seed: seed, ledger: nil, outside: outside, observer: observer) }
      let ledger = CrossCheckLedger(crossCheck)
      // Whatever the world does it does below this call, on this thread: its tasks inherit the witness from here.
      var result = VerificationWitness.$current.withValue(ledger.witness) {
        run(scenario, seed: seed, ledger: ledger, outside: outside, observer: observer)
      }
      result.crossCheckTally = ledger.tally
      return result
    }
    result.duration = clock.now - start
    if let reason = scenario.expectedFailure { result.outcome = result.outcome.expectingFailure(of: scenario, reason) }
    return result
  }

  private static func run(
    _ scenario: Scenario, seed: UInt64, ledger: CrossCheckLedger?, outside: (any OutsideSource)?,
    observer: ((ScenarioRun, ObservedMoment) -> Void)?
  ) -> CaseResult {
    var run: ScenarioRun
    do throws(Stop) {
      run = try ScenarioRun(scenario, seed: seed, ledger: ledger, outside: outside)
    } catch {
      return CaseResult(scenario: scenario, seed: seed, outcome: CaseResult.Outcome(error), journal: Journal())
    }
    let start = run.world.instant
    let outcome = run.runSteps(since: start, observer: observer)
    let violations = Invariants.violations(in: run.world.journal, world: scenario.world)
    var result = CaseResult(
      scenario: scenario, seed: seed, outcome: outcome.adding(violations), journal: run.world.journal)
    result.heldSteps = run.heldSteps
    result.lastLine = run.world.journal.entries.last?.number ?? 0
    result.virtualDuration = start.duration(to: run.world.instant)
    // Ending a world takes steps of its own, which no limit may keep back.
    WorldScheduler.$limits.withValue(nil) { run.end() }
    return result
  }

  /// Creates the world of a case, in which nothing has happened yet.
  /// - Throws: ``Stop/undecided(_:)`` when it cannot be made.
  public init(_ scenario: Scenario, seed: UInt64? = nil) throws(Stop) {
    try self.init(scenario, seed: scenario.seed(inRunWith: seed), ledger: nil, outside: nil)
  }

  private init(
    _ scenario: Scenario, seed: UInt64, ledger: CrossCheckLedger?, outside: (any OutsideSource)?
  ) throws(Stop) {
    let outside = try Outside(of: scenario, seed: seed, outside)
    let scenario = outside.start.map(scenario.beginning) ?? scenario
    var folder: CaseFolder?
    let faults = FaultInjector(for: scenario.world)
    self.faults = faults
    do {
      folder = try CaseFolder(for: scenario)
      var equipment = faults.equipment
      (equipment.ownServers, equipment.ownWallets) = (outside.servers, outside.wallets)
      world = try World(scenario.world, seed: seed, start: scenario.clock, folder: folder?.path, equipment: equipment)
    } catch {
      folder?.removeIfTemporary()
      outside.end()
      throw .undecided("the world cannot be made: \(error)")
    }
    self.scenario = scenario
    self.seed = seed
    self.folder = folder
    self.outside = outside
    self.ledger = ledger
  }

  /// The reason why a case cannot run on this machine, or nil if it can.
  public static func obstacle(to scenario: Scenario) -> String? {
    scenario.world.devices.contains { $0.sandbox == .process } ? WarmSandboxes.problem : nil
  }

  /// The place for sandboxes on a machine where no confined process can start; nil where one can.
  public static var placeWithoutProcesses: WorldDescription.SandboxPlace? {
    WarmSandboxes.problem == nil ? nil : .inProcess
  }

  /// Ends the world and removes what it kept for this run only.
  public func end() {
    world.close()
    outside.end()
    folder?.removeIfTemporary()
  }

  /// Lets every party in the world get ready.
  public mutating func prepare() throws(Stop) {
    if let problem = Self.obstacle(to: scenario) { throw .undecided(problem) }
    try hearing { run throws(Stop) in try run.settle(run.world.prepare()) }
  }

  /// Does a step of a file. A failure has the position of its place in the file.
  public mutating func take(_ step: LocatedStep) throws(Stop) {
    do throws(Stop) {
      try take(step.step)
    } catch {
      guard case .failed(let failure) = error else { throw error }
      throw .failed(failure.located(in: step))
    }
  }

  /// Does a step, or judges its expectation. A step that must fail ends with its failure.
  public mutating func take(_ step: Step) throws(Stop) {
    guard let fails = step.fails else { return try attempt(step) }
    do throws(Stop) {
      try attempt(step)
    } catch {
      guard case .failed(let failure) = error else { throw error }
      if failure.headline.contains(fails) { return }
      throw .failed(
        ExpectationFailure(
          at: StepPath("fails"), "the step fails differently", code: failure.code, note: failure.headline,
          because: step.because ?? scenario.because, evidence: failure.evidence,
          correction: .impossible(because: Correction.stepMustFail)))
    }
    throw .failed(
      ExpectationFailure(
        at: StepPath("fails"), "the step does not fail", because: step.because ?? scenario.because,
        correction: .impossible(because: Correction.stepMustFail)))
  }

  private mutating func attempt(_ step: Step) throws(Stop) {
    defer { judged = world.journal.entries.count }
    let reason = step.because ?? scenario.because
    try hearing(because: reason) { run throws(Stop) in try run.perform(step) }
    if let failure = judge.ineffectiveFault(after: judged) { throw .failed(failure.because(reason)) }
  }

  private mutating func runSteps(
    since start: WorldClock.Instant, observer: ((ScenarioRun, ObservedMoment) -> Void)?
  ) -> CaseResult.Outcome {
    do throws(Stop) {
      try prepare()
      observer?(self, .prepared)
      var begun: [Int] = []
      for (number, step) in scenario.steps.enumerated() {
        begun.append(world.journal.entries.count)
        do throws(Stop) {
          try take(step)
          heldSteps.insert(number)
        } catch {
          observer?(self, .step(number, error))
          throw error.with(judgeExpectations(after: number, observer: observer), ofStep: number)
        }
        if let failure = overtime(since: start) {
          let stop = Stop.failed(failure.located(in: step))
          observer?(self, .step(number, stop))
          throw stop
        }
        observer?(self, .step(number, nil))
      }
      let judge = judge
      for (number, (step, begun)) in zip(scenario.steps, begun).enumerated() {
        guard let missed = judge.missedFault(step.step, begun: begun) else { continue }
        let failure = missed.because(step.step.because ?? scenario.because).located(in: step)
        observer?(self, .step(number, .failed(failure)))
        throw .failed(failure)
      }
      return .passed
    } catch {
      return CaseResult.Outcome(error)
    }
  }

  /// The failure of a case that takes longer than its limit, or nil.
  private func overtime(since start: WorldClock.Instant) -> ExpectationFailure? {
    let elapsed = start.duration(to: world.instant)
    guard let limit = scenario.limit, elapsed > limit else { return nil }
    return ExpectationFailure(
      "the case takes longer than its limit of \(DurationUnit.text(limit))",
      note: "ends \(DurationUnit.text(.milliseconds(elapsed.nanoseconds / 1_000_000))) after the start",
      because: scenario.because)
  }

  /// Judges the expectations directly after an expectation that failed: nothing happens between them.
  private mutating func judgeExpectations(
    after number: Int, observer: ((ScenarioRun, ObservedMoment) -> Void)?
  ) -> [ExpectationFailure] {
    guard case .expectation = scenario.steps[number].step.content else { return [] }
    var failures: [ExpectationFailure] = []
    for (next, step) in scenario.steps.enumerated().dropFirst(number + 1) {
      guard case .expectation = step.step.content else { break }
      do throws(Stop) {
        try take(step)
        heldSteps.insert(next)
        observer?(self, .step(next, nil))
      } catch {
        observer?(self, .step(next, error))
        guard case .failed(let failure) = error else { break }
        failures.append(failure.ofStep(next))
      }
    }
    return failures
  }

  /// Runs the body, and stops the run if the cross-check found a disagreement meanwhile. A disagreement takes precedence
  /// over any other failure, which may follow from it.
  private mutating func hearing(because: String? = nil, _ body: (inout Self) throws(Stop) -> Void) throws(Stop) {
    let stop: Stop?
    do throws(Stop) {
      try body(&self)
      stop = nil
    } catch {
      stop = error
    }
    if let ledger, let failure = ExpectationFailure(ledger, because: because) { throw .failed(failure) }
    if let stop { throw stop }
  }

  /// Throws when a world did not come to rest.
  func settle(_ outcome: WorldScheduler.Outcome) throws(Stop) {
    switch outcome {
    case .quiet: return
    case .stepsExhausted:
      throw .undecided("the world does not come to rest within \(WorldScheduler.maximumSteps) steps")
    case .interrupted: throw .undecided(WorldScheduler.limits?.reason ?? "the run was ended")
    case .disturbed(let reason): throw .undecided(reason)
    case .leaked(let jobs):
      throw .undecided("\(jobs) jobs came from outside the world's schedule, so the run cannot be repeated")
    }
  }
}

extension CaseResult.Outcome {
  /// The outcome of a case that is expected to fail for a reason.
  fileprivate func expectingFailure(of scenario: Scenario, _ reason: String) -> CaseResult.Outcome {
    switch self {
    case .failed(let failure): .failedAsExpected(failure, because: reason)
    case .passed:
      .failed(
        ExpectationFailure(
          "the case passes, but it is expected to fail", note: "expected to fail because \(reason)",
          because: scenario.because, correction: .impossible(because: "an update keeps 'fails-because'")))
    case .undecided, .skipped, .failedAsExpected: self
    }
  }

  /// The outcome of a run that stopped.
  fileprivate init(_ stop: ScenarioRun.Stop) {
    switch stop {
    case .failed(let failure): self = .failed(failure)
    case .undecided(let message): self = .undecided(message)
    }
  }

  /// The outcome with the invariants that do not hold in the run: they fail a case that passed, and are evidence of
  /// another failure.
  fileprivate func adding(_ violations: [InvariantViolation]) -> CaseResult.Outcome {
    guard let first = violations.first else { return self }
    switch self {
    case .passed: return .failed(ExpectationFailure(first, besides: violations.count - 1))
    case .failed(var failure):
      failure.evidence += ["besides: \(first.message) [\(first.name)]"] + first.evidence
      // An update must not make such a run the expected one.
      return .failed(failure.notCorrected(because: Correction.invariantFails))
    case .undecided, .skipped, .failedAsExpected: return self
    }
  }
}
