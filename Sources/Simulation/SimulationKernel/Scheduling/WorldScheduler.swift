import Glibc
import Synchronization

/// The job queue of a world. Every job of the world's actors and tasks runs here, on the thread that drains the queue, in
/// an order determined by the seed.
///
/// Each actor has an ``ActorExecutor``, so that the seed chooses the next job at every call between actors. Start tasks
/// with ``spawn(_:)`` only: the children of a bare `Task {}` lose the preference for this executor. Virtual time advances
/// only when no job is ready.
public final class WorldScheduler: TaskExecutor, Sendable {
  /// The most jobs that one drain runs. A presentment takes a few hundred; a world that needs this many is in a loop.
  public static let maximumSteps = 2_000_000

  /// The outcome of a drain.
  public enum Outcome: Sendable, Equatable {
    /// No job or waking timer is left.
    case quiet
    /// The drain reached ``maximumSteps``.
    case stepsExhausted
    /// The world reached the steps of its ``RunLimits``, or was interrupted.
    case interrupted
    /// Another thread enqueued jobs, so the seed no longer determines the schedule.
    case leaked(jobs: Int)
    /// This machine took part in the world, for the reason given.
    case disturbed(String)
  }

  private struct Job {
    let job: UnownedJob
    let executor: UnownedSerialExecutor?
  }

  private struct Timer {
    let deadline: WorldClock.Instant
    let order: UInt64
    let identifier: UInt64
    let keepsAwake: Bool
    let action: Action

    enum Action {
      /// Wakes a sleeping task.
      case wake(@Sendable (Result<Void, any Error>) -> Void)
      case call(@Sendable () -> Void)
    }
  }

  private struct State {
    var ready: [Job] = []
    /// Latest first, so that the next timer is the last element.
    var timers: [Timer] = []
    /// The number of timers that keep the world awake.
    var wakingTimers = 0
    var cancelled: Set<UInt64> = []
    var now: WorldClock.Instant
    var choices: EntropyStream
    var nextIdentifier: UInt64 = 0
    var owner: pthread_t?
    var leaks = 0
    var disturbance: String?
    var steps = 0
  }

  private let state: Mutex<State>

  /// What can end a drain from outside the world. It is read when a drain begins, so that one object can limit every world
  /// of a case.
  @TaskLocal public static var limits: RunLimits?

  /// Creates a scheduler that starts at a time and draws its choices from its own stream.
  public init(start: WorldClock.Instant, choices: EntropyStream) { state = Mutex(State(now: start, choices: choices)) }

  /// The world's time.
  public var clock: WorldClock { WorldClock(scheduler: self) }

  /// Jobs run so far.
  public var steps: Int { state.withLock { $0.steps } }

  var now: WorldClock.Instant { state.withLock { $0.now } }

  /// The deadline of the next timer.
  public var nextDeadline: WorldClock.Instant? { state.withLock { $0.timers.last?.deadline } }

  /// Takes a job of nonisolated code. Called by the runtime.
  public func enqueue(_ job: consuming ExecutorJob) { push(Job(job: UnownedJob(job), executor: nil)) }

  fileprivate func enqueue(_ job: UnownedJob, on executor: UnownedSerialExecutor) {
    push(Job(job: job, executor: executor))
  }

  private func push(_ job: Job) {
    state.withLock { state in
      if let owner = state.owner, pthread_equal(owner, pthread_self()) == 0 { state.leaks += 1 }
      state.ready.append(job)
    }
  }

  /// Starts a task that runs on this scheduler, together with its child tasks.
  public func spawn(_ body: @escaping @Sendable () async -> Void) {
    takeOwnership()
    Task(executorPreference: self) { await body() }
  }

  /// Makes the current thread the world's thread. A job from any other thread is a leak.
  private func takeOwnership() { state.withLock { $0.owner = pthread_self() } }

  /// Returns an executor for one actor.
  public func makeExecutor() -> ActorExecutor { ActorExecutor(scheduler: self) }

  /// Notes that this machine failed a party, which the seed does not determine. The first reason is kept, and is the outcome
  /// of every later drain.
  public func disturb(_ reason: String) { state.withLock { $0.disturbance = $0.disturbance ?? reason } }

  /// Runs all ready jobs, and advances time while a timer keeps the world awake: a message in transit, or a person's think
  /// time.
  public func drain() -> Outcome { run(until: nil) }

  /// Runs all jobs and timers due within a duration, and leaves the clock at its end.
  public func advance(by duration: Duration) -> Outcome {
    let end = now.advanced(by: duration)
    let outcome = run(until: end)
    state.withLock { $0.now = max($0.now, end) }
    return outcome
  }

  private enum Next {
    case job(Job)
    case timer(Timer)
    case nothing
  }

  private func run(until end: WorldClock.Instant?) -> Outcome {
    let taskExecutor = asUnownedTaskExecutor()
    takeOwnership()
    let budget = state.withLock { $0.steps + Self.maximumSteps }
    let limits = Self.limits
    while true {
      if let limits, limits.areReached { return .interrupted }
      // A job taken off the queue must run, so the budget is checked first.
      let next: Next? = state.withLock { state in
        state.steps >= budget && !state.ready.isEmpty ? nil : Self.next(&state, until: end)
      }
      guard let next else { return .stepsExhausted }
      switch next {
      case .job(let job):
        limits?.countStep()
        if let executor = job.executor {
          job.job.runSynchronously(isolatedTo: executor, taskExecutor: taskExecutor)
        } else {
          job.job.runSynchronously(on: taskExecutor)
        }
      case .timer(let timer):
        limits?.countStep()
        switch timer.action {
        case .wake(let wake): wake(.success(()))
        case .call(let body): body()
        }
      case .nothing:
        return state.withLock { state in
          if let disturbance = state.disturbance { return .disturbed(disturbance) }
          return state.leaks > 0 ? .leaked(jobs: state.leaks) : .quiet
        }
      }
    }
  }

  private static func next(_ state: inout State, until end: WorldClock.Instant?) -> Next {
    if !state.ready.isEmpty {
      state.steps += 1
      let count = state.ready.count
      let chosen = count == 1 ? 0 : state.choices.below(count)
      state.ready.swapAt(chosen, count - 1)
      return .job(state.ready.removeLast())
    }
    guard let timer = state.timers.last else { return .nothing }
    if let end {
      guard timer.deadline <= end else { return .nothing }
    } else {
      guard state.wakingTimers > 0 else { return .nothing }
    }
    remove(&state, at: state.timers.count - 1)
    state.now = max(state.now, timer.deadline)
    return .timer(timer)
  }

  /// Calls a function at a time. The seed decides the order of functions due at the same time.
  ///
  /// - Parameter keepsAwake: True to let ``drain()`` advance time for the call; false for time limits.
  public func call(at deadline: WorldClock.Instant, keepsAwake: Bool, _ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      Self.insert(&state, deadline: deadline, keepsAwake: keepsAwake, identifier: nil, action: .call(body))
    }
  }

  /// Discards all timers at the end of a world and cancels sleeping tasks. Otherwise the timers' functions would retain the
  /// world's parties.
  public func discardTimers() {
    takeOwnership()
    let timers = state.withLock { state in
      defer {
        state.timers = []
        state.wakingTimers = 0
      }
      return state.timers
    }
    for timer in timers.reversed() {
      if case .wake(let wake) = timer.action { wake(.failure(CancellationError())) }
    }
  }

  private static func insert(
    _ state: inout State, deadline: WorldClock.Instant, keepsAwake: Bool, identifier: UInt64?, action: Timer.Action
  ) {
    let timer = Timer(
      deadline: deadline, order: state.choices.next(), identifier: identifier ?? makeIdentifier(&state),
      keepsAwake: keepsAwake, action: action)
    let position = state.timers.firstIndex { ($0.deadline, $0.order) < (timer.deadline, timer.order) }
    state.timers.insert(timer, at: position ?? state.timers.count)
    if keepsAwake { state.wakingTimers += 1 }
  }

  private static func remove(_ state: inout State, at position: Int) {
    if state.timers.remove(at: position).keepsAwake { state.wakingTimers -= 1 }
  }

  private static func makeIdentifier(_ state: inout State) -> UInt64 {
    state.nextIdentifier += 1
    return state.nextIdentifier
  }

  func sleep(until deadline: WorldClock.Instant) async throws {
    let identifier = state.withLock { Self.makeIdentifier(&$0) }
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let wasCancelled = state.withLock { state in
          if state.cancelled.remove(identifier) != nil { return true }
          Self.insert(
            &state, deadline: deadline, keepsAwake: true, identifier: identifier,
            action: .wake { continuation.resume(with: $0) })
          return false
        }
        if wasCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Timer? in
        guard let position = state.timers.firstIndex(where: { $0.identifier == identifier }) else {
          state.cancelled.insert(identifier)
          return nil
        }
        defer { Self.remove(&state, at: position) }
        return state.timers[position]
      }
      if case .wake(let wake)? = sleeper?.action { wake(.failure(CancellationError())) }
    }
  }
}

/// The executor of one actor. It forwards jobs to the world's queue, so that the scheduler sees every hop.
public final class ActorExecutor: SerialExecutor, Sendable {
  private let scheduler: WorldScheduler

  init(scheduler: WorldScheduler) { self.scheduler = scheduler }

  /// Takes a job of the actor. Called by the runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    scheduler.enqueue(UnownedJob(job), on: asUnownedSerialExecutor())
  }
}

/// An end of worlds from outside: after a number of steps, or by an order from another thread.
public final class RunLimits: Sendable {
  /// The most steps of all worlds under this limit together: jobs and timers of their schedules.
  public let steps: Int
  private let taken = Atomic(0)
  private let isOrdered = Atomic(false)
  private let order = Mutex<String?>(nil)

  /// Creates a limit of some steps.
  public init(steps: Int = .max) { self.steps = steps }

  /// Ends the worlds before their next step. Any thread may call it; the first reason is kept.
  public func end(because reason: String) {
    order.withLock { $0 = $0 ?? reason }
    isOrdered.store(true, ordering: .relaxed)
  }

  /// The reason of ``end(because:)``, or of the limit of steps; nil if nothing ended the worlds.
  public var reason: String? {
    order.withLock { $0 } ?? (areReached ? "the case takes more than \(steps) steps of its world" : nil)
  }

  /// True if no further step may be taken.
  var areReached: Bool { isOrdered.load(ordering: .relaxed) || taken.load(ordering: .relaxed) >= steps }

  func countStep() { taken.wrappingAdd(1, ordering: .relaxed) }
}
