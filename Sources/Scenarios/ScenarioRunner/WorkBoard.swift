import Foundation
import Synchronization

/// Numbered pieces of work for several threads. The results come in the order of the numbers, for any number of threads.
public final class WorkBoard<Result: Sendable>: Sendable {
  private struct State {
    var next = 0
    var results: [Result?]
    var reported = 0
    var isReporting = false
  }

  private let state: Mutex<State>
  private let finished: @Sendable (Int, Result) -> Result
  private let running = DispatchGroup()

  /// Creates a board.
  ///
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - finished: Called for the number and the result of each piece in order, by one thread at a time, as soon as all
  ///     before it are there too. Returns what to keep of the result.
  public init(count: Int, finished: @escaping @Sendable (Int, Result) -> Result = { $1 }) {
    state = Mutex(State(results: Array(repeating: nil, count: count)))
    self.finished = finished
  }

  /// Runs a worker on each of some threads, and returns the results once all have ended. A worker does every piece that
  /// ``next(_:)`` gives it.
  public func run(threads: Int, worker: @escaping @Sendable (WorkBoard) -> Void) -> [Result] {
    let threads = (0..<max(1, threads)).map { _ in
      let thread = Thread { [self] in
        worker(self)
        running.leave()
      }
      // Worlds recurse no deeper than their parsers allow; 8 MiB is what a main thread has.
      thread.stackSize = 8 << 20
      return thread
    }
    for thread in threads {
      running.enter()
      thread.start()
    }
    running.wait()
    report()
    return state.withLock { $0.results.compactMap(\.self) }
  }

  /// Does the next piece, given its number. Returns false if no piece is left.
  public func next(_ body: (Int) -> Result) -> Bool {
    let number = state.withLock { state -> Int? in
      guard state.next < state.results.count else { return nil }
      state.next += 1
      return state.next - 1
    }
    guard let number else { return false }
    let result = body(number)
    state.withLock { $0.results[number] = result }
    report()
    return true
  }

  /// Reports the next results in order; one thread at a time, so that they keep their order.
  private func report() {
    while true {
      let next = state.withLock { state -> (number: Int, result: Result)? in
        guard !state.isReporting, state.reported < state.results.count, let result = state.results[state.reported]
        else { return nil }
        state.isReporting = true
        state.reported += 1
        return (state.reported - 1, result)
      }
      guard let next else { return }
      let kept = finished(next.number, next.result)
      state.withLock { state in
        state.results[next.number] = kept
        state.isReporting = false
      }
    }
  }
}
