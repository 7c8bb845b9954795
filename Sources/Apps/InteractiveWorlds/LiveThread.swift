import Ecosystem
import Scenarios
import SimulationKernel

/// The life of a live world, on its own thread from beginning to end.
struct LiveThread {
  private var run: ScenarioRun
  private let scenario: Scenario
  private let desk: LiveDesk
  private let clock: any LiveClock
  private let limits: LiveLimits
  private var size = JournalSize()
  /// The world's time when the clock outside started.
  private let began: WorldClock.Instant

  /// Lives a world until it is stopped or goes wrong.
  ///
  /// - Parameter born: called once, with the world's journal when everybody in it is ready, or with why there is none.
  static func run(
    _ scenario: Scenario, seed: UInt64, clock: some LiveClock, limits: LiveLimits, desk: LiveDesk,
    born: (Result<Journal, LiveRefusal>) -> Void
  ) {
    var thread: LiveThread
    do throws(ScenarioRun.Stop) {
      thread = try LiveThread(scenario, seed: seed, clock: clock, limits: limits, desk: desk)
    } catch {
      desk.close()
      return born(.failure(LiveRefusal(error)))
    }
    thread.publish()
    born(.success(thread.run.world.journal))
    let failure = thread.live()
    if let failure { thread.publish(failure) }
    thread.run.end()
    desk.close()
  }

  private init(
    _ scenario: Scenario, seed: UInt64, clock: some LiveClock, limits: LiveLimits, desk: LiveDesk
  ) throws(ScenarioRun.Stop) {
    self.scenario = scenario
    self.desk = desk
    self.clock = clock
    self.limits = limits
    run = try ScenarioRun(scenario, seed: seed)
    do throws(ScenarioRun.Stop) {
      try run.prepare()
      for fault in scenario.steps {
        try run.take(fault)
        desk.record(fault)
      }
    } catch {
      run.end()
      throw error
    }
    began = run.world.instant
  }

  private mutating func live() -> LiveRefusal? {
    while true {
      size.count(run.world.journal)
      if let excess = size.excess(over: limits) { return excess }
      let order = desk.next(within: untilNextDeadline)
      var finished: LiveDesk.Finished?
      do throws(ScenarioRun.Stop) {
        switch order {
        case .stop: return nil
        case .tick: try catchUp()
        case .errand(let errand, let callback):
          finished = callback
          try catchUp()
          let lines = run.world.journal.entries.count
          if let opening = errand.opening, !isOpen(opening) { try take(opening) }
          for step in errand.steps { try take(step) }
          publish()
          finished?(.success(lines))
          continue
        }
        publish()
      } catch {
        let refusal = LiveRefusal(error)
        if case .undecided = error {
          finished?(.failure(refusal))
          return refusal
        }
        // What came to something else than it should was done all the same.
        publish()
        finished?(.failure(refusal))
      }
    }
  }

  /// Does a step, and writes it down when anything was done: also when that is not what should have come of it, as when a
  /// fault that was put in changes nothing. Then it is written down as one that fails, so that the recording goes on.
  private mutating func take(_ step: Step) throws(ScenarioRun.Stop) {
    let lines = run.world.journal.entries.count
    var done = step
    defer { if run.world.journal.entries.count > lines { desk.record(done) } }
    do throws(ScenarioRun.Stop) {
      try run.take(step)
    } catch {
      if case .failed(let failure) = error { done = step.failing(failure.headline) }
      throw error
    }
  }

  /// Whether the page that a step opens is the one that is open.
  private func isOpen(_ opening: Step) -> Bool {
    guard case .person(.visits(let website, let device)) = opening.kind, let open = run.openPage else { return false }
    return open == (website, device ?? run.device)
  }

  /// Lets the world's time pass until it is where the clock outside is.
  private mutating func catchUp() throws(ScenarioRun.Stop) {
    var behind = run.world.instant.duration(to: began.advanced(by: clock.elapsed)) / .milliseconds(1)
    while behind >= 1 {
      let part = min(behind.rounded(.down), Self.longestWait)
      behind -= part
      let wait: Step
      do {
        wait = try Step("person: { waits: \(Int(part)) ms }", called: "clock", for: scenario)
      } catch {
        throw .undecided("the world's time cannot go on: \(error)")
      }
      do throws(ScenarioRun.Stop) {
        try take(wait)
      } catch {
        // Nobody asked for the wait who could be told that something came to nothing meanwhile; it is written down.
        guard case .failed = error else { throw error }
      }
    }
  }

  /// The longest wait that a step can say in milliseconds.
  private static let longestWait: Double = 999_999_999

  /// How long it is by the clock outside until something is due in the world.
  private var untilNextDeadline: Duration? {
    guard let deadline = run.world.nextDeadline else { return nil }
    let duration = began.advanced(by: clock.elapsed).duration(to: deadline)
    // A whole millisecond after it: waits are counted in these.
    return max(duration, .zero) + .milliseconds(1)
  }

  private func publish(_ failure: LiveRefusal? = nil) {
    desk.publish(
      LiveWorld.Snapshot(
        view: run.world.view, device: run.device, website: run.website,
        now: run.world.now, lines: run.world.journal.entries.count, failure: failure))
  }
}
