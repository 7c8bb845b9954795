import Ecosystem
import Foundation
import Messaging
import MobileDocument
import Primitives
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Vocabulary

/// A world that a program or a person controls step by step. It runs on a thread of its own, and its time follows a clock
/// outside.
///
/// Every action is recorded as its step, waits included: the recording, run as a scenario, gives the same journal byte for
/// byte.
public final class InteractiveWorld: Sendable {
  /// The state of the world after a step.
  public struct Snapshot: Sendable {
    /// The person's screens.
    public let view: PersonView
    /// The device used last.
    public let device: String
    /// The website visited last.
    public let website: String
    /// The page and the device used last.
    public let focus: Focus
    /// The apps and documents on each device; empty in a world that was not taken over.
    public let contents: [String: DeviceContents]
    /// The world's time.
    public let now: DateTime
    /// The number of journal lines.
    public let lines: Int
    /// The bytes that the journal's messages and the recording have so far.
    public let bytes: Int
    /// The reason why the world ended by itself, or nil.
    public let failure: InteractiveWorldError?
  }

  /// Everything that happened.
  public let journal: Journal
  /// The scenario of the world.
  public let scenario: Scenario
  /// True if the world was taken over in the middle of its scenario.
  public let isTakenOver: Bool
  /// The acts that the person can do by hand, found at the first call; nil in a world that was not taken over.
  public var byHand: ByHand? { isTakenOver ? hand.value { ByHand(scenario) } : nil }
  /// The configuration of the world; nil for a scenario alone.
  let setting: DemoConfiguration?
  /// The journal that tells the effects of faults from what happens without them.
  let honest = MadeOnce<[JournalEntry]?>()
  private let hand = MadeOnce<ByHand>()
  private let queue: CommandQueue

  /// Creates a world, does the steps of its scenario and lets everything come to rest. The world ends when it is stopped,
  /// cannot continue, or exceeds its limits.
  ///
  /// - Parameters:
  ///   - scenario: A case as ``ScenarioReader/readInteractive(_:changes:only:_:)`` gives it, whose steps are faults; or any
  ///     case, if it is taken over.
  ///   - count: The number of steps after which the world is taken over. Unlike other worlds, it then takes every step that
  ///     is not an expectation, and a step of its scenario that failed does not end it. Nil for a world of its own.
  ///   - seed: The seed to run with instead of the scenario's own.
  ///   - limits: The limits of the journal.
  ///   - setting: The configuration that the scenario comes from.
  /// - Throws: ``InteractiveWorldError`` when the world cannot be made.
  public init(
    _ scenario: Scenario, seed: UInt64? = nil, takenOverAfter count: Int? = nil,
    clock: some InteractiveClock = WallClock(), limits: InteractiveWorldLimits = InteractiveWorldLimits(),
    setting: DemoConfiguration? = nil
  ) throws(InteractiveWorldError) {
    if let count, !(0...scenario.steps.count).contains(count) {
      throw InteractiveWorldError(.unsuitable, "the case has \(scenario.steps.count) steps, not \(count)")
    }
    let seed = count == nil ? seed ?? scenario.seed : scenario.seed(inRunWith: seed)
    isTakenOver = count != nil
    let queue = CommandQueue(recording: ScenarioRecording(of: scenario, seed: seed))
    self.scenario = scenario
    self.setting = setting
    self.queue = queue
    // The world is made on the thread on which it lives.
    let born = Mutex<Result<Journal, InteractiveWorldError>?>(nil)
    let ready = DispatchSemaphore(value: 0)
    let thread = Thread {
      InteractiveWorldThread.run(
        scenario, seed: seed, takenOverAfter: count, clock: clock, limits: limits, queue: queue
      ) { result in
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
    case nil: throw InteractiveWorldError(.broken, "the world's thread ended before the world began")
    }
  }

  deinit { queue.stop() }

  /// Does a step and lets everything come to rest.
  ///
  /// - Returns: The number of journal lines before the step.
  /// - Throws: ``InteractiveWorldError`` if the step is not supported, or cannot be done now.
  @discardableResult
  public func perform(_ step: Step) async throws(InteractiveWorldError) -> Int { try await perform([step]) }

  /// Does a step that a user has written.
  ///
  /// - Parameter text: The step as a scenario writes it, such as `person: { taps: Verify Identity }`, in YAML or JSON.
  /// - Returns: The number of journal lines before the step.
  /// - Throws: ``InteractiveWorldError`` if the text is not a supported step, or the step cannot be done now.
  @discardableResult
  public func perform(text: String) async throws(InteractiveWorldError) -> Int { try await perform([try read(text)]) }

  /// Does several steps, with no other command between them. The first that cannot be done is the last.
  ///
  /// - Parameter opening: The visit that opens the page of the steps. It is left out if the person opened that page last,
  ///   because opening a page again aborts its calls.
  /// - Returns: The number of journal lines before the first step.
  /// - Throws: ``InteractiveWorldError`` if a step is not supported, or cannot be done now.
  @discardableResult
  public func perform(_ steps: [Step], opening: Step? = nil) async throws(InteractiveWorldError) -> Int {
    for step in steps + (opening.map { [$0] } ?? []) { try requireSupport(of: step) }
    return try await put(CommandQueue.Command(opening: opening, steps: steps))
  }

  /// Does a step that a user has written, and blocks the calling thread until it is done.
  @discardableResult
  public func performAndWait(text: String) throws(InteractiveWorldError) -> Int {
    try performAndWait(try read(text))
  }

  /// Does a step, and blocks the calling thread until it is done.
  @discardableResult
  public func performAndWait(_ step: Step) throws(InteractiveWorldError) -> Int {
    try requireSupport(of: step)
    return try putAndWait(CommandQueue.Command(steps: [step]))
  }

  private func put(_ command: CommandQueue.Command) async throws(InteractiveWorldError) -> Int {
    let result = await withCheckedContinuation { continuation in
      queue.put(command) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  private func putAndWait(_ command: CommandQueue.Command) throws(InteractiveWorldError) -> Int {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Int, InteractiveWorldError>>(.success(0))
    queue.put(command) { outcome in
      result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    return try result.withLock { $0 }.get()
  }

  /// Judges an expectation of the scenario by the present state of the world.
  ///
  /// - Parameter number: The index of the step in the scenario.
  /// - Returns: The failure, or nil if the expectation holds.
  /// - Throws: ``InteractiveWorldError`` if the step is not an expectation, or the world has ended.
  public func judge(step number: Int) async throws(InteractiveWorldError) -> ExpectationFailure? {
    let found = Mutex<ExpectationFailure?>(nil)
    _ = try await put(try judging(number) { failure in found.withLock { $0 = failure } })
    return found.withLock { $0 }
  }

  /// Judges an expectation of the scenario by the present state of the world, and blocks the calling thread until it is
  /// done.
  public func judgeAndWait(step number: Int) throws(InteractiveWorldError) -> ExpectationFailure? {
    let found = Mutex<ExpectationFailure?>(nil)
    _ = try putAndWait(try judging(number) { failure in found.withLock { $0 = failure } })
    return found.withLock { $0 }
  }

  /// The command that judges an expectation.
  private func judging(
    _ number: Int, report: @escaping @Sendable (ExpectationFailure) -> Void
  ) throws(InteractiveWorldError) -> CommandQueue.Command {
    guard scenario.steps.indices.contains(number), case .expectation = scenario.steps[number].step.content else {
      throw InteractiveWorldError(.unsuitable, "step \(number) of the case is not an expectation")
    }
    return CommandQueue.Command(judgement: CommandQueue.Judgement(step: scenario.steps[number], report: report))
  }

  /// The current state of the world.
  public var snapshot: Snapshot? { queue.snapshot }

  /// True after the world has ended.
  public var hasEnded: Bool { queue.hasEnded }

  /// The steps so far, as a scenario.
  public var recording: ScenarioRecording { queue.recording }

  /// The steps in words by the numbers of their journal lines, without waits.
  public var words: [Int: String] { queue.words }

  /// Calls functions on the world's thread: one after each step, and at once with the current state; the other when the
  /// world has ended. They are called one at a time and must not call `watch` themselves.
  /// - Returns: A number for ``unwatch(_:)``.
  public func watch(
    _ changed: @escaping @Sendable (Snapshot) -> Void, ended: @escaping @Sendable () -> Void = {}
  ) -> Int { queue.watch(changed, ended: ended) }

  /// Waits until the world has ended.
  public func ended() async {
    await withCheckedContinuation { continuation in _ = watch({ _ in }, ended: { continuation.resume() }) }
  }

  /// Stops calling a function.
  public func unwatch(_ number: Int) { queue.unwatch(number) }

  /// Ends the world after the commands that are already queued.
  public func stop() { queue.stop() }

  private func read(_ text: String) throws(InteractiveWorldError) -> Step {
    do {
      return try Step(text, called: "step", for: scenario)
    } catch {
      throw InteractiveWorldError(.unreadable, error.rendered())
    }
  }

  private func requireSupport(of step: Step) throws(InteractiveWorldError) {
    if isTakenOver {
      if case .expectation = step.content {
        throw InteractiveWorldError(.unsuitable, "an expectation is judged, and not done")
      }
    } else if !step.isInteractive {
      throw InteractiveWorldError(.unsuitable, "this step is not supported in an interactive world")
    }
    if case .action(.page(.send, let website, _, _)) = step.content {
      guard scenario.world.websites.contains(where: { $0.identifier == website && $0.script == .external }) else {
        throw InteractiveWorldError(.unsuitable, "the script of \(website ?? "the website") is not external")
      }
    }
  }
}

/// The clock that the time of a live world follows.
public protocol InteractiveClock: Sendable {
  /// The time since the world started.
  var elapsed: Duration { get }
  /// True if the clock stands still, so that nothing becomes due by itself.
  var isStanding: Bool { get }
}

extension InteractiveClock {
  /// False: a clock runs.
  public var isStanding: Bool { false }
}

/// A clock that stands still: only what the person does, and waits, lets the world's time pass.
public struct StandingClock: InteractiveClock {
  /// A clock at the start of the world.
  public init() {}

  /// No time passes by itself.
  public var elapsed: Duration { .zero }
  /// True: the clock never runs.
  public var isStanding: Bool { true }
}

/// The wall clock.
public struct WallClock: InteractiveClock {
  private let start = ContinuousClock.now

  /// A clock that starts now.
  public init() {}

  /// The time since the clock started.
  public var elapsed: Duration { start.duration(to: .now) }
}

/// The limits of a live world's journal. A journal only grows, so a world ends when it reaches them.
public struct InteractiveWorldLimits: Sendable {
  /// The maximum number of journal lines. A presentment adds about a hundred: one every 15 seconds for eight hours. A
  /// new viewer receives all lines.
  public var lines: Int
  /// The maximum size of all messages in the journal, in bytes. A presentment's messages have about 50 KiB, so they
  /// reach this limit together with that of the lines; the options of a page's call may have a MiB, and are in several
  /// messages.
  public var bytes: Int

  /// Creates limits; the defaults are those of a demonstration.
  public init(lines: Int = 200_000, bytes: Int = 128 << 20) {
    self.lines = lines
    self.bytes = bytes
  }
}

/// The size of a journal, counted as it grows.
struct JournalSize {
  private(set) var lines = 0
  private var openings = 0
  /// The bytes of the messages, and of the contents of the sealed ones.
  private(set) var bytes = 0

  /// Counts the new lines.
  mutating func count(_ journal: Journal) {
    let entries = journal.entries
    for entry in entries.dropFirst(lines) {
      if case .message(let message) = entry.event { bytes += message.bytes.count }
    }
    lines = entries.count
    let opened = journal.openings
    for opening in opened.dropFirst(openings) { bytes += opening.bytes.count }
    openings = opened.count
  }

  /// Returns the error of a world of this size, or nil if it is within the limits.
  func excess(over limits: InteractiveWorldLimits) -> InteractiveWorldError? {
    if lines > limits.lines {
      return InteractiveWorldError(
        .full, "the world has ended: its journal has more than \(limits.lines) lines; begin it again")
    }
    if bytes > limits.bytes {
      return InteractiveWorldError(
        .full, "the world has ended: the messages in its journal have more than \(limits.bytes) bytes; begin it again")
    }
    return nil
  }
}
