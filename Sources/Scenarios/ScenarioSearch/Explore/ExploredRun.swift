import Invariants
import Messaging
import ScenarioLanguage
import ScenarioRunner
import Vocabulary

/// A run of drawn or repeated steps: what was done, what happened, and what does not hold.
struct ExploredRun {
  /// The case whose world it is.
  let scenario: Scenario
  /// The seed of the world.
  let seed: UInt64
  /// The steps that were done. One that fails says so, and one that could not be begun is left out.
  private(set) var steps: [Step] = []
  /// The number of the journal's lines before each step.
  private var begun: [Int] = []
  /// Everything that happened.
  private(set) var journal = Journal()
  /// The failure; nil if everything holds.
  private(set) var failure: ExploreFailure?

  /// Finds what does not hold in a run that has ended.
  typealias Judgement = @Sendable (Journal, WorldDescription) -> ExploreFailure?

  /// Judges a run by the invariants.
  static let invariants: Judgement = { journal, world in
    Invariants.violations(in: journal, world: world).first.map(ExploreFailure.init)
  }

  private let judgement: Judgement

  /// Runs the steps that another run has done.
  init(repeating run: ExploredRun) { self.init(run.scenario, like: run, repeating: run.steps) }

  /// Runs steps in a world, with the seed and the judgement of another run.
  init(_ scenario: Scenario, like run: ExploredRun, repeating steps: [Step]) {
    self.init(scenario, seed: run.seed, judgement: run.judgement)
    var left = steps[...]
    act { _ in left.popFirst() }
  }

  /// Runs steps that are drawn while the run goes on.
  /// - Parameter next: Returns the next step, or nil after the last.
  init(_ scenario: Scenario, seed: UInt64, judgement: @escaping Judgement, drawing next: (ScenarioRun) -> Step?) {
    self.init(scenario, seed: seed, judgement: judgement)
    act(next)
  }

  private init(_ scenario: Scenario, seed: UInt64, judgement: @escaping Judgement) {
    self.scenario = scenario
    self.seed = seed
    self.judgement = judgement
  }

  private mutating func act(_ next: (ScenarioRun) -> Step?) {
    var run: ScenarioRun
    do throws(ScenarioRun.Stop) {
      run = try ScenarioRun(scenario, seed: seed)
    } catch {
      failure = ExploreFailure(error)
      return
    }
    defer { run.end() }
    do throws(ScenarioRun.Stop) {
      try run.prepare()
      while let step = next(run) { try take(step, in: &run) }
      failure = judgement(run.world.journal, scenario.world)
    } catch {
      failure = ExploreFailure(error)
    }
    journal = run.world.journal
  }

  /// Does the steps once more, which must give the same bytes.
  mutating func repeatOnce() {
    guard failure == nil else { return }
    let again = ExploredRun(repeating: self)
    if again.journal.trace() != journal.trace() { failure = .differs }
  }

  /// Does a step.
  private mutating func take(_ step: Step, in run: inout ScenarioRun) throws(ScenarioRun.Stop) {
    let before = run.world.journal.entries.count
    do throws(ScenarioRun.Stop) {
      begun.append(before)
      steps.append(Step(step.content))
      try run.take(Step(step.content))
    } catch {
      guard case .failed(let failure) = error else { throw error }
      steps.removeLast()
      if run.world.journal.entries.count > before {
        steps.append(step.failing(failure.headline))
      } else {
        begun.removeLast()
      }
    }
  }

  /// The run as a scenario file that fails by itself.
  var file: String {
    var recording = ScenarioRecording(
      of: scenario, seed: seed, title: "Found: \(failure?.headline ?? scenario.name)",
      because: "\(failure?.name ?? "nothing") holds in every run", ending: .invariants)
    let entries = journal.entries
    for (number, step) in steps.enumerated() {
      // Events before the first step belong to it: they are counted too.
      let start = number == 0 ? 0 : begun[number]
      let end = number + 1 < steps.count ? begun[number + 1] : entries.count
      recording.add(step, with: entries[start..<max(start, end)].lazy.map(\.event))
    }
    return recording.yaml
  }
}

/// Something that does not hold in a run.
package struct ExploreFailure: Sendable, Equatable {
  /// The name of the invariant, or `run.undecided`.
  package let name: String
  /// The failure in one message.
  package let headline: String
  /// Lines of evidence.
  package let evidence: [String]

  /// The kind of an undecided run: its message without its numbers.
  private let kind: String

  init(_ violation: InvariantViolation) {
    self.init(name: violation.name, headline: violation.message, evidence: violation.evidence)
  }

  init(_ stop: ScenarioRun.Stop) {
    self.init(
      name: ScenarioRun.Stop.Code.undecided.rawValue, headline: stop.message,
      kind: stop.message.filter { !$0.isNumber })
  }

  init(name: String, headline: String, evidence: [String] = [], kind: String = "") {
    self.name = name
    self.headline = headline
    self.evidence = evidence
    self.kind = kind
  }

  /// The failure of a run that is not the same when it is repeated.
  static let differs = ExploreFailure(
    name: ScenarioRun.Stop.Code.undecided.rawValue,
    headline: "a second run differs from the first, though the seed is the same", kind: "differs")

  /// True for a run that cannot be decided, which need not fail when it is repeated.
  var isUndecided: Bool { name == ScenarioRun.Stop.Code.undecided.rawValue }

  /// True if another failure is of the same kind, whatever its numbers and names. Work outside of a world's schedule ends a
  /// run undecided, or leaves a party waiting for it: which of both is the choice of the machine.
  func canBe(_ other: ExploreFailure) -> Bool {
    name == other.name && kind == other.kind || other.isUndecided && name == Self.waiting
  }

  private static let waiting = InvariantCheck.waiting.name(.question)
}
