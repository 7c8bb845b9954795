import Messaging
import ScenarioLanguage
import ScenarioRunner

/// One run of a swept case, from its beginning.
struct Replay: Sendable {
  /// The journal, with the lines that the end of the world adds.
  let journal: Journal
  /// The lines up to the last step. Ending the world cancels what still waits, which is not a consequence of anything.
  let entries: [JournalEntry]
  /// The reason why the run stopped before its end; nil if all expectations held.
  let stop: ScenarioRun.Stop?
  /// The number of journal lines at the end of each round of the steps.
  let rounds: [Int]

  /// Runs a case.
  /// - Parameters:
  ///   - seed: The seed of the world.
  ///   - rounds: The number of times to do the steps, all in one world.
  ///   - alter: Changes the world before it is prepared.
  static func run(
    _ scenario: Scenario, seed: UInt64, rounds: Int = 1,
    alter: (inout ScenarioRun) throws(ScenarioRun.Stop) -> Void = { _ in }
  ) -> Replay {
    var run: ScenarioRun
    do throws(ScenarioRun.Stop) {
      run = try ScenarioRun(scenario, seed: seed)
    } catch {
      return Replay(journal: Journal(), entries: [], stop: error, rounds: [])
    }
    defer { run.end() }
    var ends: [Int] = []
    var stop: ScenarioRun.Stop?
    do throws(ScenarioRun.Stop) {
      try alter(&run)
      try run.prepare()
      for _ in 0..<rounds {
        for step in scenario.steps { try run.take(step) }
        ends.append(run.world.journal.entries.count)
      }
    } catch {
      stop = error
    }
    return Replay(journal: run.world.journal, entries: run.world.journal.entries, stop: stop, rounds: ends)
  }

  /// The messages, in the order in which they were sent.
  var messages: [Message] { entries.compactMap(\.event.message) }
}
