import Foundation
import InteractiveWorlds
import Synchronization

/// Threads for long work that does not suspend, for example making a world, so that the threads for requests stay free.
/// They are not libdispatch's: on Linux those run every Swift task, too, and are no more than the cores.
final class Workers: Sendable {
  /// Work that waits for its turn.
  private struct Job: Sendable {
    let isWanted: @Sendable () -> Bool
    let work: @Sendable () -> Void
    let refuse: @Sendable (HTTPProblem) -> Void
  }

  private struct State {
    var waiting: [Job] = []
    var threadCount = 0
    var begunCount = 0
  }

  /// The maximum number of threads.
  let threadLimit: Int
  /// The maximum number of waiting jobs.
  let waitingLimit: Int
  private let full: HTTPProblem
  private let state = Mutex(State())

  private init(threads: Int, waiting: Int, retryAfter seconds: Int) {
    threadLimit = max(1, threads)
    waitingLimit = waiting
    var full = HTTPProblem(.tooManyRequests, .full, "too many requests in progress; try again later")
    full.retryAfter = seconds
    self.full = full
  }

  /// Threads for jobs of a few milliseconds each, one for each core. The last of 256 is done within a second or two.
  static func forRequests() -> Workers {
    Workers(threads: ProcessInfo.processInfo.activeProcessorCount, waiting: 256, retryAfter: 1)
  }

  /// Threads for pages of runs, a fifth of a second each, which leave a core to everything else. On two cores, the last
  /// of 32 waits for six seconds, and longer behind maps of altered bytes, which take seconds each. A person exports one
  /// page at a time.
  static func forPages() -> Workers {
    Workers(threads: ProcessInfo.processInfo.activeProcessorCount - 1, waiting: 32, retryAfter: 5)
  }

  /// The number of jobs that wait.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The number of jobs that have begun.
  var begunCount: Int { state.withLock { $0.begunCount } }

  /// Runs work on one of the threads, from beginning to end.
  ///
  /// - Parameter isWanted: Returns false if the result has become useless; then work that waits does not begin.
  /// - Throws: ``HTTPProblem`` if too many jobs are waiting, or if the work is not wanted any more.
  func run<Value: Sendable>(
    isWanted: @escaping @Sendable () -> Bool = { true }, _ work: @escaping @Sendable () -> Value
  ) async throws(HTTPProblem) -> Value {
    let result: Result<Value, HTTPProblem> = await withCheckedContinuation { continuation in
      add(
        Job(
          isWanted: isWanted, work: { continuation.resume(returning: .success(work())) },
          refuse: { continuation.resume(returning: .failure($0)) }))
    }
    return try result.get()
  }

  /// Runs work that may be refused on one of the threads.
  func attempt<Value: Sendable>(
    isWanted: @escaping @Sendable () -> Bool = { true },
    _ work: @escaping @Sendable () throws(HTTPProblem) -> Value
  ) async throws(HTTPProblem) -> Value {
    try await run(isWanted: isWanted) { Result(catching: work) }.get()
  }

  /// Runs work that a world may refuse on one of the threads.
  func attempt<Value: Sendable>(
    _ work: @escaping @Sendable () throws(InteractiveWorldError) -> Value
  ) async throws(HTTPProblem) -> Value {
    try await run { Result(catching: work).mapError(HTTPProblem.init) }.get()
  }

  private func add(_ job: Job) {
    var refused: [Job] = []
    let startsThread = state.withLock { state in
      if state.waiting.count >= waitingLimit {
        // Each is judged once: a client may leave meanwhile.
        let judged = state.waiting.map { (job: $0, isWanted: $0.isWanted()) }
        refused = judged.filter { !$0.isWanted }.map(\.job)
        state.waiting = judged.filter(\.isWanted).map(\.job)
      }
      guard state.waiting.count < waitingLimit else {
        refused.append(job)
        return false
      }
      state.waiting.append(job)
      guard state.threadCount < threadLimit else { return false }
      state.threadCount += 1
      return true
    }
    for job in refused { job.refuse(full) }
    if startsThread { Thread { self.work() }.start() }
  }

  /// Does the waiting jobs, the oldest first. A thread without a job ends: starting another takes microseconds.
  private func work() {
    while let job = next() {
      if job.isWanted() {
        state.withLock { $0.begunCount += 1 }
        job.work()
      } else {
        job.refuse(full)
      }
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.threadCount -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
