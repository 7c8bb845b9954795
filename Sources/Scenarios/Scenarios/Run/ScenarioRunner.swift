import Checks
import Foundation
import MobileDocument
import Synchronization

/// Runs many cases, each in a world of its own, several worlds at a time.
public enum ScenarioRunner {
  /// What is run.
  public struct Plan: Sendable {
    /// Cases in the order in which they are reported.
    public var scenarios: [Scenario]
    /// Seed for all cases instead of their own.
    public var seed: UInt64?
    /// How many worlds run at the same time, each on a thread of its own.
    public var jobs: Int

    /// Whether results keep their journals after they were reported. Thousands of journals are gigabytes.
    public var keepsJournals: Bool

    /// Another implementation to ask about every signature and certificate chain that a case checks; nobody when nil.
    public var secondOpinion: SecondOpinionLedger.Judge?

    /// A plan from its parts.
    public init(
      scenarios: [Scenario], seed: UInt64? = nil, jobs: Int = 1, keepsJournals: Bool = true,
      secondOpinion: SecondOpinionLedger.Judge? = nil
    ) {
      self.scenarios = scenarios
      self.seed = seed
      self.jobs = jobs
      self.keepsJournals = keepsJournals
      self.secondOpinion = secondOpinion
    }
  }

  /// Runs every case and gives the results in the order of the plan, whatever the number of jobs.
  ///
  /// - Parameter finished: called for each case in the order of the plan, as soon as all before it have ended too.
  public static func run(_ plan: Plan, finished: @escaping @Sendable (CaseResult) -> Void = { _ in }) -> [CaseResult] {
    let board = Board(count: plan.scenarios.count, keepsJournals: plan.keepsJournals, finished: finished)
    let threads = (0..<max(1, min(plan.jobs, plan.scenarios.count))).map { _ in
      let thread = Thread {
        while let index = board.take() {
          let result = ScenarioRun.run(plan.scenarios[index], seed: plan.seed, secondOpinion: plan.secondOpinion)
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

    /// Reports whatever is next in order; one thread at a time, so that lines do not overtake each other.
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
