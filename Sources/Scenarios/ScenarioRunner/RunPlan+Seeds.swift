import Synchronization

/// Runs under many seeds.
extension RunPlan {
  /// Runs every case under every seed of a range, and returns one result for each case, in the order of the plan: the
  /// first that is not as expected, or that of the first seed. Its tally has the numbers.
  ///
  /// A run that was stopped returns the results of the cases that it ran under every seed.
  ///
  /// - Parameter finished: called for each case in the order of the plan, as soon as all before it have ended too.
  func run(seeds: SeedRange, finished: @escaping @Sendable (CaseResult) -> Void) -> [CaseResult] {
    let folding = Folding(seeds, keepsJournals: keepsJournals, finished: finished)
    // The pieces of work are single runs, so that one case with many seeds has every thread.
    let board = WorkBoard<Kept?>(count: scenarios.count * seeds.count) { $0.flatMap(folding.take) }
    let results = board.run(threads: min(jobs, scenarios.count * seeds.count)) { [self] board in
      while !control.isStopped
        && board.next({ piece in
          let seed = seeds.seeds.lowerBound + UInt64(piece % seeds.count)
          let scenario = scenarios[piece / seeds.count]
          if piece % seeds.count == 0 { started(scenario) }
          return control.run { run(scenario, seed: seed, $0) }.map(Kept.init)
        })
      {}
    }
    return results.compactMap { $0?.result }
  }

  /// A result on the board, which has a place for each of a million runs.
  private final class Kept: Sendable {
    let result: CaseResult

    init(_ result: CaseResult) { self.result = result }
  }

  /// Joins the results of each case, which come in the order of the seeds.
  private final class Folding: Sendable {
    private struct State {
      var tally: SeedTally
      var shown: CaseResult?
      var count = 0
      var duration = Duration.zero
    }

    private let state: Mutex<State>
    private let seeds: SeedRange
    private let keepsJournals: Bool
    private let finished: @Sendable (CaseResult) -> Void

    init(_ seeds: SeedRange, keepsJournals: Bool, finished: @escaping @Sendable (CaseResult) -> Void) {
      self.seeds = seeds
      self.keepsJournals = keepsJournals
      self.finished = finished
      state = Mutex(State(tally: SeedTally(seeds)))
    }

    /// Takes the next result. Returns that of the case after its last seed, otherwise nil.
    func take(_ kept: Kept) -> Kept? {
      let result = kept.result
      let joined = state.withLock { state -> CaseResult? in
        if state.shown == nil || state.tally.failures == 0 && result.isBad {
          state.shown = result
        }
        state.tally.add(result)
        state.count += 1
        state.duration += result.duration
        guard state.count == seeds.count, var shown = state.shown else { return nil }
        shown.seedTally = state.tally
        shown.duration = state.duration
        state = State(tally: SeedTally(seeds))
        return shown
      }
      guard let joined else { return nil }
      finished(joined)
      return Kept(keepsJournals ? joined : joined.withoutJournal)
    }
  }
}
