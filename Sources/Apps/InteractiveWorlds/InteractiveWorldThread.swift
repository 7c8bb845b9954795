import Ecosystem
import Messaging
import ScenarioLanguage
import ScenarioRunner
import SimulationKernel
import Telling
import Vocabulary

/// The thread of an interactive world, from beginning to end.
struct InteractiveWorldThread {
  private var run: ScenarioRun
  private let queue: CommandQueue
  private let clock: any InteractiveClock
  private let limits: InteractiveWorldLimits
  /// True for a world that was taken over, in which the person sees what is on the devices.
  private let showsContents: Bool
  private let names: WorldNames
  private var size = JournalSize()
  /// Journal lines that the recording knows.
  private var recorded = 0
  /// The world's time when the clock outside started.
  private var began: WorldClock.Instant
  /// How long the person has waited, as in the scenario that the recording becomes.
  private var waited = Duration.zero

  /// Runs a world until it is stopped or cannot continue.
  ///
  /// - Parameter born: Called once, with the world's journal when every party in it is ready, or with the error.
  static func run(
    _ scenario: Scenario, seed: UInt64, takenOverAfter count: Int?, clock: some InteractiveClock,
    limits: InteractiveWorldLimits, queue: CommandQueue,
    born: (Result<Journal, InteractiveWorldError>) -> Void
  ) {
    var thread: InteractiveWorldThread
    do throws(ScenarioRun.Stop) {
      thread = try InteractiveWorldThread(
        scenario, seed: seed, takenOverAfter: count, clock: clock, limits: limits, queue: queue)
    } catch {
      queue.close()
      return born(.failure(InteractiveWorldError(error)))
    }
    thread.publish()
    born(.success(thread.run.world.journal))
    let failure = thread.live()
    if let failure { thread.publish(failure) }
    thread.run.end()
    queue.close()
  }

  private init(
    _ scenario: Scenario, seed: UInt64, takenOverAfter count: Int?, clock: some InteractiveClock,
    limits: InteractiveWorldLimits, queue: CommandQueue
  ) throws(ScenarioRun.Stop) {
    self.queue = queue
    self.clock = clock
    self.limits = limits
    showsContents = count != nil
    names = scenario.world.names
    run = try ScenarioRun(scenario, seed: seed)
    began = run.world.instant
    do throws(ScenarioRun.Stop) {
      try run.prepare()
      if let count {
        try play(scenario.steps.prefix(count))
      } else {
        for fault in scenario.steps {
          try run.take(fault)
          record(fault.step)
        }
      }
    } catch {
      run.end()
      throw error
    }
    began = run.world.instant
  }

  /// Does the steps of a scenario. One that fails took effect, or could not.
  private mutating func play(_ steps: some Sequence<LocatedStep>) throws(ScenarioRun.Stop) {
    for located in steps {
      do throws(ScenarioRun.Stop) {
        try take(located.step)
      } catch {
        guard case .failed = error else { throw error }
      }
    }
  }

  private mutating func live() -> InteractiveWorldError? {
    while true {
      if let excess = size.excess(over: limits) { return excess }
      let next = queue.next(within: untilNextDeadline)
      var finished: CommandQueue.Finished?
      do throws(ScenarioRun.Stop) {
        switch next {
        case .stop: return nil
        case .tick: try catchUp()
        case .command(let command, let callback):
          finished = callback
          try catchUp()
          let lines = run.world.journal.entries.count
          if let opening = command.opening, !isOpen(opening) { try take(opening) }
          for step in command.steps { try take(step) }
          if let judgement = command.judgement { try judge(judgement) }
          publish()
          finished?(.success(lines))
          continue
        }
        publish()
      } catch {
        let refusal = InteractiveWorldError(error)
        if case .undecided = error {
          finished?(.failure(refusal))
          return refusal
        }
        // A step that failed its expectation still took effect.
        publish()
        finished?(.failure(refusal))
      }
    }
  }

  private mutating func judge(_ judgement: CommandQueue.Judgement) throws(ScenarioRun.Stop) {
    do throws(ScenarioRun.Stop) {
      try run.take(judgement.step)
    } catch {
      guard case .failed(let failure) = error else { throw error }
      judgement.report(failure)
    }
  }

  /// Does a step, and records it if it had an effect. A step that had an effect and failed, for example because a fault
  /// changes nothing, is recorded as a failing step, so that the recording can be run to its end.
  private mutating func take(_ step: Step) throws(ScenarioRun.Stop) {
    if case .action(.person(.wait(let duration))) = step.content {
      guard duration <= Scenario.maximumWaiting - waited else {
        throw .failed(ExpectationFailure(at: .step, "all waits together are longer than 100 years"))
      }
      waited += duration
    }
    try perform(step)
  }

  private mutating func perform(_ step: Step) throws(ScenarioRun.Stop) {
    let lines = run.world.journal.entries.count
    let focus = run.world.focus
    var done = step
    defer {
      if run.world.journal.entries.count > lines {
        note(step, after: lines, focus)
        record(done)
      }
    }
    do throws(ScenarioRun.Stop) {
      try run.take(step)
    } catch {
      if case .failed(let failure) = error { done = step.failing(failure.headline) }
      throw error
    }
  }

  /// Keeps the words of a step. The line of a wait has them already, and there are many.
  private func note(_ step: Step, after lines: Int, _ focus: Focus) {
    if case .action(.person(.wait)) = step.content { return }
    guard let line = run.world.journal.entries.dropFirst(lines).first(where: \.event.isStep) else { return }
    queue.note(step.words(in: focus, names), atLine: line.number)
  }

  /// Records a step with everything that happened since the step before.
  private mutating func record(_ step: Step) {
    let entries = run.world.journal.entries
    queue.record(step, with: entries.dropFirst(recorded))
    recorded = entries.count
  }

  /// Returns true if the page that a step opens is already open, on the device that the person used last.
  private func isOpen(_ opening: Step) -> Bool {
    guard case .action(.person(.visit(let website, let device))) = opening.content else { return false }
    let page = Focus.Page(website: website, device: device ?? run.device)
    return run.world.focus.openPage == page && run.device == page.device
  }

  /// Lets the world's time pass up to the time of the clock outside.
  private mutating func catchUp() throws(ScenarioRun.Stop) {
    var behind = run.world.instant.duration(to: began.advanced(by: clock.elapsed)) / .milliseconds(1)
    while behind >= 1 {
      let part = min(behind.rounded(.down), Self.longestWait)
      behind -= part
      do throws(ScenarioRun.Stop) {
        try perform(.person(.wait(.milliseconds(Int(part)))))
      } catch {
        // No command asked for the wait, so none gets its failure; the recording has it.
        guard case .failed = error else { throw error }
      }
    }
  }

  /// The longest wait of one step, in milliseconds: the scenario language takes nine digits.
  private static let longestWait: Double = 999_999_999

  /// The time by the clock outside until something is due in the world.
  private var untilNextDeadline: Duration? {
    guard !clock.isStanding, let deadline = run.world.nextDeadline else { return nil }
    let duration = began.advanced(by: clock.elapsed).duration(to: deadline)
    // A whole millisecond after it: waits are counted in these.
    return max(duration, .zero) + .milliseconds(1)
  }

  private var contents: [String: DeviceContents] {
    let devices = run.world.description.devices.map(\.identifier)
    return Dictionary(devices.map { ($0, run.world.contents(of: $0)) }) { first, _ in first }
  }

  private mutating func publish(_ failure: InteractiveWorldError? = nil) {
    size.count(run.world.journal)
    queue.publish(
      InteractiveWorld.Snapshot(
        view: run.world.view(), device: run.device, website: run.website, focus: run.world.focus,
        contents: showsContents ? contents : [:], now: run.world.now, lines: size.lines,
        bytes: size.bytes + queue.recording.byteCount, failure: failure))
  }
}
