import Checks
import Foundation
import LocatedYAML
import MobileDocument
import ScenarioLanguage
import Synchronization

/// Many cases to run, each in a world of its own, several worlds at a time.
public struct RunPlan: Sendable {
  /// Cases in the order in which they are reported.
  public var scenarios: [Scenario]
  /// Seed for all cases instead of their own.
  public var seed: UInt64?
  /// The number of worlds that run at the same time, each on a thread of its own.
  public var jobs: Int
  /// Keeps the journals in the results after they were reported. Thousands of journals are gigabytes.
  public var keepsJournals: Bool
  /// Another implementation that checks every signature and certificate chain again; nil for none.
  public var crossCheck: CrossCheckLedger.Comparison?

  /// Creates a plan.
  public init(
    scenarios: [Scenario], seed: UInt64? = nil, jobs: Int = 1, keepsJournals: Bool = true,
    crossCheck: CrossCheckLedger.Comparison? = nil
  ) {
    self.scenarios = scenarios
    self.seed = seed
    self.jobs = jobs
    self.keepsJournals = keepsJournals
    self.crossCheck = crossCheck
  }

  /// Runs every case and returns the results in the order of the plan, for any number of jobs.
  ///
  /// - Parameter finished: called for each case in the order of the plan, as soon as all before it have ended too.
  public func run(finished: @escaping @Sendable (CaseResult) -> Void = { _ in }) -> [CaseResult] {
    let board = Board(count: scenarios.count, keepsJournals: keepsJournals, finished: finished)
    let threads = (0..<max(1, min(jobs, scenarios.count))).map { _ in
      let thread = Thread { [self] in
        while let index = board.take() {
          let result = ScenarioRun.run(scenarios[index], seed: seed, crossCheck: crossCheck)
          board.put(result, at: index)
        }
        board.leave()
      }
      // Worlds recurse no deeper than their parsers allow; 8 MiB is what a main thread has.
      thread.stackSize = 8 << 20
      return thread
    }
    board.enter(threads.count)
    for thread in threads { thread.start() }
    return board.wait()
  }

  /// Hands out cases and gathers results.
  private final class Board: Sendable {
    private struct State {
      var next = 0
      var results: [CaseResult?]
      var reported = 0
      var isReporting = false
    }

    private let state: Mutex<State>
    private let finished: @Sendable (CaseResult) -> Void
    private let keepsJournals: Bool
    private let running = DispatchGroup()

    init(count: Int, keepsJournals: Bool, finished: @escaping @Sendable (CaseResult) -> Void) {
      state = Mutex(State(results: Array(repeating: nil, count: count)))
      self.keepsJournals = keepsJournals
      self.finished = finished
    }

    func enter(_ count: Int) { for _ in 0..<count { running.enter() } }

    func leave() { running.leave() }

    func take() -> Int? {
      state.withLock { state in
        guard state.next < state.results.count else { return nil }
        state.next += 1
        return state.next - 1
      }
    }

    func put(_ result: CaseResult, at index: Int) {
      state.withLock { $0.results[index] = result }
      report()
    }

    /// Reports the next results in order; one thread at a time, so that lines keep their order.
    private func report() {
      while true {
        let next = state.withLock { state -> CaseResult? in
          guard !state.isReporting, state.reported < state.results.count,
            let result = state.results[state.reported]
          else { return nil }
          state.isReporting = true
          state.reported += 1
          return result
        }
        guard let next else { return }
        finished(next)
        state.withLock { state in
          if !keepsJournals { state.results[state.reported - 1] = next.withoutJournal }
          state.isReporting = false
        }
      }
    }

    func wait() -> [CaseResult] {
      running.wait()
      report()
      return state.withLock { $0.results.compactMap(\.self) }
    }
  }
}
