import Synchronization

/// Runs under many seeds.
extension RunPlan {
  /// Runs every case under every seed of a range, and returns one result for each case, in the order of the plan: the
  /// first that is not as expected, or that of the first seed. Its tally has the numbers.
  ///
  /// A run that was stopped returns the results of the cases that it ran under every seed.
  ///
  /// - Parameter finished: Called for the index and the result of each case in the order of the plan, as soon as all
  ///   before it have ended too.
  func run(seeds: SeedRange, finished: @escaping @Sendable (Int, CaseResult) -> Void) -> [CaseResult] {
    let folding = Folding(seeds, keepsJournals: keepsJournals, finished: finished)
    // The pieces of work are single runs, so that one case with many seeds has every thread.
    let board = WorkBoard<Kept?>(count: scenarios.count * seeds.count) { piece, result in
      result.flatMap { folding.take($0, ofCase: piece / seeds.count) }
    }
    let results = board.run(threads: min(settings.jobs, scenarios.count * seeds.count)) { [self] board in
      while !settings.control.isStopped
        && board.next({ piece in
          let seed = seeds.seeds.lowerBound + UInt64(piece % seeds.count)
          let number = piece / seeds.count
          if piece % seeds.count == 0 { started(number) }
          return settings.control.run { run(scenarios[number], seed: seed, $0) }.map(Kept.init)
        })
      {}
    }
    return results.compactMap { $0?.result }
  }

  /// A result on the board, which has a place for each of a million runs.
  final class Kept: Sendable {
    let result: CaseResult

    init(_ result: CaseResult) { self.result = result }
  }

  /// Joins the results of each case, which come in the order of the seeds.
  final class Folding: Sendable {
    private struct State {
      var tally: SeedTally
      var shown: CaseResult?
      var number = 0
      var count = 0
      var duration = Duration.zero
    }

    private let state: Mutex<State>
    private let seeds: SeedRange
    private let keepsJournals: Bool
    private let finished: @Sendable (Int, CaseResult) -> Void

    init(_ seeds: SeedRange, keepsJournals: Bool, finished: @escaping @Sendable (Int, CaseResult) -> Void) {
      self.seeds = seeds
      self.keepsJournals = keepsJournals
      self.finished = finished
      state = Mutex(State(tally: SeedTally(seeds)))
    }

    /// Takes the next result. Returns that of the case after its last seed, otherwise nil.
    func take(_ kept: Kept, ofCase number: Int) -> Kept? {
      let result = kept.result
      let joined = state.withLock { state -> (number: Int, result: CaseResult)? in
        // Runs of the case before are missing, because the run was interrupted.
        if state.number != number { state = State(tally: SeedTally(seeds)) }
        state.number = number
        if state.shown == nil || state.tally.failures == 0 && result.isBad { state.shown = result }
        state.tally.add(result)
        state.count += 1
        state.duration += result.duration
        guard state.count == seeds.count, var shown = state.shown else { return nil }
        shown.seedTally = state.tally
        shown.duration = state.duration
        defer { state = State(tally: SeedTally(seeds)) }
        return (state.number, shown)
      }
      guard let joined else { return nil }
      finished(joined.number, joined.result)
      return Kept(keepsJournals ? joined.result : joined.result.withoutJournal)
    }
  }
}
