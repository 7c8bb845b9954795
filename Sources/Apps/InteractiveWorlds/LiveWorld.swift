import Ecosystem
import Foundation
import MobileDocument
import Primitives
import Scenarios
import SimulationKernel
import Synchronization

/// A world that is driven from outside: it lives on a thread of its own, takes steps of the scenario language as they
/// come, and its time follows a clock outside.
///
/// Whatever is done in it is written down as the step that does it, waits included, so that the recording, run as a
/// scenario, gives the same journal byte for byte.
public final class LiveWorld: Sendable {
  /// What the world looks like after a step.
  public struct Snapshot: Sendable {
    /// What is on the person's screens.
    public let view: PersonView
    /// The device used last.
    public let device: String
    /// The website visited last.
    public let website: String
    /// The world's time.
    public let now: DateTime
    /// How many lines the journal has.
    public let lines: Int
    /// Why the world ended, if it did of itself.
    public let failure: LiveRefusal?
  }

  /// Everything that happened.
  public let journal: Journal
  /// The world as it is written.
  public let scenario: Scenario
  private let desk: LiveDesk

  /// Makes a world and lets everybody in it get ready, with the faults of its scenario put in. It lives until it is
  /// stopped, cannot go on, or has grown beyond its limits.
  ///
  /// - Parameters:
  ///   - scenario: a case as ``ScenarioReader/readLive(_:changes:_:)`` gives it.
  ///   - seed: the seed to run with instead of the scenario's own.
  ///   - limits: how much may happen in it.
  /// - Throws: ``LiveRefusal`` when the world cannot be made.
  public init(
    _ scenario: Scenario, seed: UInt64? = nil, clock: some LiveClock = WallClock(), limits: LiveLimits = LiveLimits()
  ) throws(LiveRefusal) {
    let seed = seed ?? scenario.seed
    let desk = LiveDesk(recording: ScenarioRecording(of: scenario, seed: seed))
    self.scenario = scenario
    self.desk = desk
    // The world is made on the thread on which it lives.
    let born = Mutex<Result<Journal, LiveRefusal>?>(nil)
    let ready = DispatchSemaphore(value: 0)
    let thread = Thread {
      LiveThread.run(scenario, seed: seed, clock: clock, limits: limits, desk: desk) { result in
        born.withLock { $0 = result }
        ready.signal()
      }
    }
    // Worlds recurse no deeper than their parsers allow; 8 MiB is what a main thread has.
    thread.stackSize = 8 << 20
    thread.start()
    ready.wait()
    switch born.withLock({ $0 }) {
    case .success(let journal)?: self.journal = journal
    case .failure(let refusal)?: throw refusal
    case nil: throw LiveRefusal(.broken, "the world's thread ended before the world began")
    }
  }

  deinit { desk.stop() }

  /// Does a step and lets everything come to rest.
  ///
  /// - Parameter step: an action or a fault as it stands in a scenario, such as `person: { taps: Verify Identity }`, in
  ///   YAML or JSON.
  /// - Returns: the lines of the journal before it.
  /// - Throws: ``LiveRefusal`` when it is no such step, or cannot be done now.
  @discardableResult
  public func perform(_ step: String) async throws(LiveRefusal) -> Int { try await perform([step]) }

  /// Does several steps, with nothing that anybody else asks between them. The first that cannot be done is the last.
  ///
  /// - Parameter opening: the `visits` that opens the page which the steps are about. It is left out when the person
  ///   opened that page last, since whoever opens a page anew takes back what it called.
  /// - Returns: the lines of the journal before the first of them.
  /// - Throws: ``LiveRefusal`` when one is no such step, or cannot be done now.
  @discardableResult
  public func perform(_ steps: [String], opening: String? = nil) async throws(LiveRefusal) -> Int {
    var errand = LiveDesk.Errand(opening: nil, steps: [])
    if let opening { errand.opening = try read(opening) }
    for step in steps { errand.steps.append(try read(step)) }
    let asked = errand
    let result = await withCheckedContinuation { continuation in
      desk.put(asked) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// The same, for who has a thread to wait with.
  @discardableResult
  public func performAndWait(_ step: String) throws(LiveRefusal) -> Int {
    let step = try read(step)
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Int, LiveRefusal>>(.success(0))
    desk.put(LiveDesk.Errand(opening: nil, steps: [step])) { outcome in
      result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    return try result.withLock { $0 }.get()
  }

  /// How the world looks now.
  public var snapshot: Snapshot? { desk.snapshot }

  /// Whether the world takes nothing more: it was stopped, or could not go on.
  public var hasEnded: Bool { desk.hasEnded }

  /// What was done so far, as a scenario.
  public var recording: ScenarioRecording { desk.recording }

  /// Calls functions on the world's thread: one after each step, and at once with how the world looks now; another when
  /// the world has ended. They are called one at a time and must not watch anything themselves.
  /// - Returns: a number with which to stop that.
  public func watch(
    _ changed: @escaping @Sendable (Snapshot) -> Void, ended: @escaping @Sendable () -> Void = {}
  ) -> Int { desk.watch(changed, ended: ended) }

  /// Stops calling a function.
  public func unwatch(_ number: Int) { desk.unwatch(number) }

  /// Ends the world. What was asked of it before is still done.
  public func stop() { desk.stop() }

  private func read(_ text: String) throws(LiveRefusal) -> Step {
    let step: Step
    do {
      step = try Step(text, called: "step", for: scenario)
    } catch {
      throw LiveRefusal(.unreadable, error.rendered())
    }
    guard step.isForLiveWorlds else {
      throw LiveRefusal(.unsuitable, "such a step is not for a world that is driven from outside")
    }
    return step
  }
}
