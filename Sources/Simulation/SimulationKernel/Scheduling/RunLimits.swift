import Synchronization

/// An end of worlds from outside: after a number of steps, or by an order from another thread.
public final class RunLimits: Sendable {
  /// The most steps of all worlds under this limit together: jobs and timers of their schedules.
  public let steps: Int
  private let taken = Atomic(0)
  private let isOrdered = Atomic(false)
  private let order = Mutex<String?>(nil)

  /// Creates a limit of some steps.
  public init(steps: Int = .max) { self.steps = steps }

  /// Ends the worlds before their next step. Any thread may call it; the first reason is kept.
  public func end(because reason: String) {
    order.withLock { $0 = $0 ?? reason }
    isOrdered.store(true, ordering: .relaxed)
  }

  /// The reason of ``end(because:)``, or of the limit of steps; nil if nothing ended the worlds.
  public var reason: String? {
    order.withLock { $0 } ?? (areReached ? "the case takes more than \(steps) steps of its world" : nil)
  }

  /// True if no further step may be taken.
  var areReached: Bool { isOrdered.load(ordering: .relaxed) || taken.load(ordering: .relaxed) >= steps }

  func countStep() { taken.wrappingAdd(1, ordering: .relaxed) }
}
