import Foundation
import Scenarios
import SimulationKernel
import Synchronization

/// Where a live world's thread and everybody else meet: what is asked of the world, how it looks, and what was done.
final class LiveDesk: Sendable {
  /// Called with the number of the journal's lines before the first step, or with why one was not done.
  typealias Finished = @Sendable (Result<Int, LiveRefusal>) -> Void

  /// What the world's thread does next.
  enum Order: Sendable {
    case errand(Errand, Finished)
    /// Something is due, and nobody asks anything.
    case tick
    case stop
  }

  /// Steps that are done one after the other, with nothing that anybody else asks between them.
  struct Errand: Sendable {
    /// Opens the page that the others are about. It is left out when that page is the one that is open.
    var opening: Step?
    var steps: [Step]
  }

  private struct Watcher: Sendable {
    let changed: @Sendable (LiveWorld.Snapshot) -> Void
    let ended: @Sendable () -> Void
  }

  private struct State {
    var orders: [(Errand, Finished)] = []
    var isStopped = false
    var hasEnded = false
    var snapshot: LiveWorld.Snapshot?
    var recording: ScenarioRecording
    var watchers: [Int: Watcher] = [:]
    var nextWatcher = 0
  }

  private let state: Mutex<State>
  /// Held while watchers are told, so that nobody is told of an earlier moment after a later one.
  private let telling = Mutex(())
  /// Wakes the world's thread. It guards nothing: what the thread waits for is looked at while it is locked.
  private let bell = NSCondition()

  init(recording: ScenarioRecording) { state = Mutex(State(recording: recording)) }

  var snapshot: LiveWorld.Snapshot? { state.withLock { $0.snapshot } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  var recording: ScenarioRecording { state.withLock { $0.recording } }

  func record(_ step: Step) { state.withLock { $0.recording.add(step) } }

  /// Asks for something.
  func put(_ errand: Errand, _ finished: @escaping Finished) {
    let isTaken = state.withLock { state in
      if !state.isStopped { state.orders.append((errand, finished)) }
      return !state.isStopped
    }
    guard isTaken else { return finished(.failure(LiveRefusal(.ended, "the world has ended"))) }
    ring()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    ring()
  }

  private func ring() {
    bell.lock()
    bell.signal()
    bell.unlock()
  }

  /// Waits for what is to be done next, at most for a duration.
  func next(within limit: Duration?) -> Order {
    bell.lock()
    defer { bell.unlock() }
    let end = limit.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) }
    while true {
      let order: Order? = state.withLock { state in
        if !state.orders.isEmpty {
          let (errand, finished) = state.orders.removeFirst()
          return .errand(errand, finished)
        }
        return state.isStopped ? .stop : nil
      }
      if let order { return order }
      if let end {
        guard bell.wait(until: end) else { return .tick }
      } else {
        bell.wait()
      }
    }
  }

  /// Shows how the world looks now.
  func publish(_ snapshot: LiveWorld.Snapshot) {
    telling.withLock { _ in
      let watchers = state.withLock { state in
        state.snapshot = snapshot
        return state.watchers.sorted { $0.key < $1.key }.map(\.value)
      }
      for watcher in watchers { watcher.changed(snapshot) }
    }
  }

  /// Refuses whatever is still asked and takes nothing more.
  func close() {
    let left = telling.withLock { _ in
      let (left, watchers) = state.withLock { state in
        defer { (state.orders, state.watchers) = ([], [:]) }
        (state.isStopped, state.hasEnded) = (true, true)
        return (state.orders, state.watchers.sorted { $0.key < $1.key }.map(\.value))
      }
      for watcher in watchers { watcher.ended() }
      return left
    }
    for (_, finished) in left { finished(.failure(LiveRefusal(.ended, "the world has ended"))) }
  }

  func watch(
    _ changed: @escaping @Sendable (LiveWorld.Snapshot) -> Void, ended: @escaping @Sendable () -> Void
  ) -> Int {
    telling.withLock { _ in
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
