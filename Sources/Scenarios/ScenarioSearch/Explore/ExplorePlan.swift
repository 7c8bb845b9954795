import Faults
import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import SimulationKernel
import Synchronization
import Vocabulary

/// A search for failures: a random person acts in the worlds of some cases, with random faults, and every run is judged by
/// the invariants.
package struct ExplorePlan: Sendable {
  /// The cases whose worlds are explored. Runs often begin with the steps of the case.
  package let scenarios: [Scenario]
  /// The place of every sandbox.
  package let sandbox: WorldDescription.SandboxPlace
  /// The number of the first run, from which everything in it is drawn.
  package var firstRun: UInt64 = 1
  /// The most runs.
  package var runs = 10_000
  /// The number of runs at the same time.
  package var jobs = 1
  /// Returns true when no further run may begin.
  package var isOver: @Sendable () -> Bool = { false }

  /// Finds what does not hold in a run.
  var judgement = ExploredRun.invariants

  /// The most steps of a drawn run: enough for two presentments in one world.
  private static let maximumSteps = 16
  /// Runs whose number is a multiple of this are repeated, to see that they are the same byte for byte.
  private static let repeatedRuns: UInt64 = 16

  /// A search in the worlds of some cases. Left out are those that are skipped, and those that need the process of a
  /// sandbox, a folder that stays, or a script outside the world.
  /// - Parameter sandbox: The place of every sandbox.
  package init(_ scenarios: [Scenario], sandbox: WorldDescription.SandboxPlace = .inProcess) {
    self.sandbox = sandbox
    self.scenarios = scenarios.map { $0.parsing(.inProcess) }.filter { scenario in
      if case .folder = scenario.world.storage { return false }
      return scenario.skip == nil && !scenario.world.devices.isEmpty
        && scenario.world.devices.allSatisfy { $0.sandbox == .inProcess }
        // What a server or a wallet outside the world said belongs to the steps of its recording.
        && !scenario.world.websites.contains { $0.script == .external || $0.server != nil }
        && !scenario.world.devices.flatMap(\.apps).contains { $0.program != nil }
    }.map { $0.parsing(sandbox) }
  }

  /// The reason why the cases cannot run on this machine, or nil if they can.
  package var obstacle: String? { scenarios.lazy.compactMap(ScenarioRun.obstacle).first }

  /// Runs until a run fails, and makes that run smaller. The result is the same for any number of jobs.
  ///
  /// - Parameter progress: Called with the number of runs that have ended.
  package func run(progress: @escaping @Sendable (Int) -> Void = { _ in }) -> ExploreResult {
    guard !scenarios.isEmpty else { return ExploreResult(sandbox: sandbox, runs: 0, steps: 0) }
    let firstFailure = Atomic<Int>(.max)
    let ended = Counter()
    let reach = Mutex(ExploreReach())
    let board = WorkBoard<Explored>(count: runs)
    let explored = board.run(threads: min(jobs, runs)) { board in
      while firstFailure.load(ordering: .relaxed) == .max, !isOver(),
        board.next({ number in
          let (explored, items) = explore(number)
          reach.withLock { $0.take(items, run: number) }
          if explored.failing != nil { firstFailure.min(number, ordering: .relaxed) }
          progress(ended.next())
          return explored
        })
      {}
    }
    // Runs after the one that failed depend on the number of threads.
    let counted = explored.prefix((explored.firstIndex { $0.failing != nil } ?? explored.count - 1) + 1)
    var result = ExploreResult(
      sandbox: sandbox, runs: counted.count, steps: counted.reduce(0) { $0 + $1.steps },
      reach: reach.withLock { $0.within(counted.count) })
    if let failing = counted.last?.failing, let failure = failing.run.failure {
      let shrinking = Shrinking(failing.run, failure: failure)
      result.found = ExploreResult.Found(
        run: failing.number, failure: shrinking.smallest.failure ?? failure, original: failing.run,
        smallest: shrinking.smallest, attempts: shrinking.attempts)
    }
    return result
  }

  /// The part of a run that is kept: all of it only if it fails.
  private struct Explored: Sendable {
    let steps: Int
    let failing: (number: UInt64, run: ExploredRun)?
  }

  /// Does a run.
  /// - Returns: The run, and what happened in it.
  private func explore(_ number: Int) -> (Explored, Set<ExploreReach.Item>) {
    let number = firstRun &+ UInt64(number)
    let entropy = Entropy(seed: number)
    var choice = entropy.stream("explore/case")
    let scenario = scenarios[choice.below(scenarios.count)]
    var person = RandomPerson(in: scenario.world, drawing: entropy.stream("explore/person"))
    var opening = person.firstFaults(turn: Int(number % UInt64(Int32.max)))
    if choice.below(2) == 0 {
      let own = scenario.steps.map(\.step).filter(\.isRepeatable)
      opening += own.prefix(choice.below(own.count + 1))
    }
    var left = opening.count + 2 + choice.below(Self.maximumSteps - 2)
    var run = ExploredRun(scenario, seed: number, judgement: judgement) { run in
      guard left > 0 else { return nil }
      left -= 1
      return opening.isEmpty ? person.next(in: run) : opening.removeFirst()
    }
    if run.failure == nil, number % Self.repeatedRuns == 0 { run.repeatOnce() }
    return (
      Explored(steps: run.steps.count, failing: run.failure == nil ? nil : (number, run)),
      ExploreReach.items(in: run.journal)
    )
  }
}

extension Step {
  /// True for a step that can be done without what comes before it in its case.
  fileprivate var isRepeatable: Bool {
    guard fails == nil else { return false }
    return switch content {
    case .expectation: false
    case .fault(let change): change.fault.party != .sandbox
    case .action, .restartWorld: true
    }
  }
}

/// The result of a search.
package struct ExploreResult: Sendable {
  /// The run that failed, and what became of it.
  package struct Found: Sendable {
    /// The number of the run.
    package let run: UInt64
    /// The failure.
    package let failure: ExploreFailure
    fileprivate let original: ExploredRun
    fileprivate let smallest: ExploredRun
    /// The number of runs that made it smaller.
    package let attempts: Int

    /// The case whose world it was.
    package var scenario: Scenario { original.scenario }
    /// The steps before and after.
    package var steps: (before: Int, after: Int) { (original.steps.count, smallest.steps.count) }
    /// The bytes of the scenario file before and after.
    package var bytes: (before: Int, after: Int) { (original.file.utf8.count, smallest.file.utf8.count) }
    /// The scenario file, which fails by itself.
    package var file: String { smallest.file }
    /// True if the scenario file fails as the run did. A run that differs each time may not.
    package var isRepeatable: Bool {
      let problems = ProblemCollector()
      guard let source = try? SourceFile(path: "found.yaml", text: file),
        let scenario = ScenarioReader.read(source, problems)?.first
      else { return false }
      let expected = (smallest.failure ?? failure).name
      let result = ScenarioRun.run(scenario.parsing(original.scenario.sandbox ?? .inProcess))
      return switch result.outcome {
      case .failed(let failing): failing.code == expected
      case .undecided: expected == ScenarioRun.Stop.Code.undecided.rawValue
      case .passed, .skipped, .failedAsExpected: false
      }
    }
  }

  /// The place of every sandbox.
  package let sandbox: WorldDescription.SandboxPlace
  /// The number of runs.
  package let runs: Int
  /// The number of steps in all of them.
  package let steps: Int
  /// The reach of the runs.
  package var reach = ExploreReach()
  /// The first run that failed; nil if none did.
  package internal(set) var found: Found?

  /// The identifiers of the faults that changed something, in alphabetical order.
  package var faults: [String] { reach.items(of: .faults).map(\.name) }
  /// Those that can be drawn and changed nothing, in the order of the catalogue.
  package var absentFaults: [String] {
    let found = Set(faults)
    return RandomPerson.faults.map(\.id).filter { !found.contains($0) }
  }
}
