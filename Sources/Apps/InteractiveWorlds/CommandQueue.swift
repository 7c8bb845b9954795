import Foundation
import Messaging
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// The commands for an interactive world's thread, its latest state, its recording and its observers.
final class CommandQueue: Sendable {
  /// Called with the number of journal lines before the first step, or with the error of a step.
  typealias Finished = @Sendable (Result<Int, InteractiveWorldError>) -> Void

  /// The next thing for the world's thread to do.
  enum Next: Sendable {
    case command(Command, Finished)
    /// Something is due in the world.
    case tick
    case stop
  }

  /// Steps with no other command between them.
  struct Command: Sendable {
    /// The visit that opens the page of the steps. It is left out if that page is open.
    var opening: Step?
    var steps: [Step] = []
    /// An expectation to judge after the steps.
    var judgement: Judgement?
  }

  /// An expectation to judge.
  struct Judgement: Sendable {
    let step: LocatedStep
    /// Called if it does not hold, before the command is finished.
    let report: @Sendable (ExpectationFailure) -> Void
  }

  private struct Watcher: Sendable {
    let changed: @Sendable (InteractiveWorld.Snapshot) -> Void
    let ended: @Sendable () -> Void
  }

  private struct State {
    var commands: [(Command, Finished)] = []
    var isStopped = false
    var hasEnded = false
    var snapshot: InteractiveWorld.Snapshot?
    var recording: ScenarioRecording
    /// The words of steps by the numbers of their journal lines.
    var words: [Int: String] = [:]
    var watchers: [Int: Watcher] = [:]
    var nextWatcher = 0
  }

  private let state: Mutex<State>
  /// Held while observers are notified, so that each gets the states in order.
  private let notificationLock = Mutex(())
  /// Wakes the world's thread. It guards no state: the thread reads the state while the condition is locked.
  private let condition = NSCondition()

  init(recording: ScenarioRecording) { state = Mutex(State(recording: recording)) }

  var snapshot: InteractiveWorld.Snapshot? { state.withLock { $0.snapshot } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  var recording: ScenarioRecording { state.withLock { $0.recording } }

  var words: [Int: String] { state.withLock { $0.words } }

  /// Keeps the words of a step for its line of the journal.
  func note(_ words: String, atLine number: Int) { state.withLock { $0.words[number] = words } }

  func record(_ step: Step, with entries: some Sequence<JournalEntry>) {
    state.withLock { $0.recording.add(step, with: entries.lazy.map(\.event)) }
  }

  /// Adds a command.
  func put(_ command: Command, _ finished: @escaping Finished) {
    let isTaken = state.withLock { state in
      if !state.isStopped { state.commands.append((command, finished)) }
      return !state.isStopped
    }
    guard isTaken else { return finished(.failure(InteractiveWorldError(.ended, "the world has ended"))) }
    signal()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    signal()
  }

  private func signal() {
    condition.lock()
    condition.signal()
    condition.unlock()
  }

  /// Waits for the next thing to do, at most for a duration.
  func next(within limit: Duration?) -> Next {
    condition.lock()
    defer { condition.unlock() }
    let end = limit.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) }
    while true {
      let next: Next? = state.withLock { state in
        if !state.commands.isEmpty {
          let (command, finished) = state.commands.removeFirst()
          return .command(command, finished)
        }
        return state.isStopped ? .stop : nil
      }
      if let next { return next }
      if let end {
        guard condition.wait(until: end) else { return .tick }
      } else {
        condition.wait()
      }
    }
  }

  /// Publishes the state of the world.
  func publish(_ snapshot: InteractiveWorld.Snapshot) {
    notificationLock.withLock { _ in
      let watchers = state.withLock { state in
        state.snapshot = snapshot
        return state.watchers.sorted { $0.key < $1.key }.map(\.value)
      }
      for watcher in watchers { watcher.changed(snapshot) }
    }
  }

  /// Refuses the commands that are left and all later ones.
  func close() {
    let left = notificationLock.withLock { _ in
      let (left, watchers) = state.withLock { state in
        defer { (state.commands, state.watchers) = ([], [:]) }
        (state.isStopped, state.hasEnded) = (true, true)
        return (state.commands, state.watchers.sorted { $0.key < $1.key }.map(\.value))
      }
      for watcher in watchers { watcher.ended() }
      return left
    }
    for (_, finished) in left { finished(.failure(InteractiveWorldError(.ended, "the world has ended"))) }
  }

  func watch(
    _ changed: @escaping @Sendable (InteractiveWorld.Snapshot) -> Void, ended: @escaping @Sendable () -> Void
  ) -> Int {
    notificationLock.withLock { _ in
      let (number, snapshot, hasEnded) = state.withLock { state in
        defer { state.nextWatcher += 1 }
        if !state.hasEnded { state.watchers[state.nextWatcher] = Watcher(changed: changed, ended: ended) }
        return (state.nextWatcher, state.snapshot, state.hasEnded)
      }
      if let snapshot { changed(snapshot) }
      if hasEnded { ended() }
      return number
    }
  }

  func unwatch(_ number: Int) { state.withLock { $0.watchers[number] = nil } }
}
