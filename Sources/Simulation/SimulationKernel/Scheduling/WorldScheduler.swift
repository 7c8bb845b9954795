import Glibc
import Synchronization

/// The one queue of a world: every job of every actor and task of that world runs here, on whichever thread drains it,
/// in an order that only the seed decides.
///
/// Actors get an ``ActorExecutor`` each, so that every call between them is a point at which the seed chooses what
/// goes on. Tasks are started with ``spawn(_:)`` and nowhere else: a bare `Task {}` would drop the preference for this
/// executor in its children. Virtual time moves only when nothing is ready to run.
public final class WorldScheduler: TaskExecutor, Sendable {
  /// Most jobs that one drain runs. A presentment takes a few hundred; a world that needs this many is going in circles.
  public static let maximumSteps = 2_000_000

  /// How a drain ended.
  public enum Outcome: Sendable, Equatable {
    /// Nothing is left to do until something new happens.
    case quiet
    /// ``maximumSteps`` were not enough.
    case stepsExhausted
    /// Something enqueued a job from another thread, so the schedule is no longer the seed's.
    case leaked(jobs: Int)
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
      case resume(CheckedContinuation<Void, any Error>)
      case call(@Sendable () -> Void)
    }
  }

  private struct State {
    var ready: [Job] = []
    /// Latest first, so that the next is taken off the end.
    var timers: [Timer] = []
    var cancelled: Set<UInt64> = []
    var now: WorldClock.Instant
    var choices: EntropyStream
    var nextIdentifier: UInt64 = 0
    var owner: pthread_t?
    var leaks = 0
    var steps = 0
  }

  private let state: Mutex<State>

  /// A scheduler that starts at a time and takes its choices from a stream of their own.
  public init(start: WorldClock.Instant, choices: EntropyStream) {
    state = Mutex(State(now: start, choices: choices))
  }

  /// The world's time.
  public var clock: WorldClock { WorldClock(scheduler: self) }

  /// Jobs run so far.
  public var steps: Int { state.withLock { $0.steps } }

  var now: WorldClock.Instant { state.withLock { $0.now } }

  /// When the next of those who wait for a time is due.
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

  /// Starts a task that lives on this scheduler with everything it starts in turn.
  public func spawn(_ body: @escaping @Sendable () async -> Void) {
    takeOwnership()
    Task(executorPreference: self) { await body() }
  }

  /// Whoever spawns or drains is the world's thread; a job from any other thread is a leak.
  private func takeOwnership() { state.withLock { $0.owner = pthread_self() } }

  /// An executor for one actor.
  public func makeExecutor() -> ActorExecutor { ActorExecutor(scheduler: self) }

  /// Runs everything that is ready, and lets time pass for as long as somebody waits for something that keeps the
  /// world awake: a message under way, a person who thinks.
  public func drain() -> Outcome { run(until: nil) }

  /// Runs everything that is due within a duration and leaves the clock at its end.
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
    while true {
      // A job that is taken off the queue must run, so the budget is looked at before.
      let next: Next? = state.withLock { state in
        state.steps >= budget && !state.ready.isEmpty ? nil : Self.next(&state, until: end)
      }
      guard let next else { return .stepsExhausted }
      switch next {
      case .job(let job):
        if let executor = job.executor {
          job.job.runSynchronously(isolatedTo: executor, taskExecutor: taskExecutor)
        } else {
          job.job.runSynchronously(on: taskExecutor)
        }
      case .timer(let timer):
        switch timer.action {
        case .resume(let continuation): continuation.resume()
        case .call(let body): body()
        }
      case .nothing:
        let leaks = state.withLock { $0.leaks }
        return leaks > 0 ? .leaked(jobs: leaks) : .quiet
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
      guard state.timers.contains(where: \.keepsAwake) else { return .nothing }
    }
    state.timers.removeLast()
    state.now = max(state.now, timer.deadline)
    return .timer(timer)
  }

  /// Calls a function at a time. Functions due at the same time are called in an order that the seed decides.
  ///
  /// - Parameter keepsAwake: whether ``drain()`` lets time pass for it; a mere time limit does not.
  public func call(at deadline: WorldClock.Instant, keepsAwake: Bool, _ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      Self.insert(&state, deadline: deadline, keepsAwake: keepsAwake, identifier: nil, action: .call(body))
    }
  }

  /// Forgets everything that waits for a time: nobody is called any more, and who sleeps is woken as cancelled. The end of
  /// a world, whose parties would else be held by what they are to be called for.
  public func discardTimers() {
    takeOwnership()
    let timers = state.withLock { state in
      defer { state.timers = [] }
      return state.timers
    }
    for timer in timers.reversed() {
      if case .resume(let continuation) = timer.action { continuation.resume(throwing: CancellationError()) }
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
            &state, deadline: deadline, keepsAwake: true, identifier: identifier, action: .resume(continuation))
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
        return state.timers.remove(at: position)
      }
      if case .resume(let continuation)? = sleeper?.action { continuation.resume(throwing: CancellationError()) }
    }
  }
}

/// The executor of one actor: forwards to the world's queue, so that the scheduler sees every hop.
public final class ActorExecutor: SerialExecutor, Sendable {
  private let scheduler: WorldScheduler

  init(scheduler: WorldScheduler) { self.scheduler = scheduler }

  /// Takes a job of the actor. Called by the runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    scheduler.enqueue(UnownedJob(job), on: asUnownedSerialExecutor())
  }
}
