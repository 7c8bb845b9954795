import Synchronization

/// What ends the run of worlds from outside: a number of steps, or an order from another thread.
public final class RunLimits: Sendable {
  /// The most steps of all worlds under this limit together: jobs and timers of their schedules.
  public let steps: Int
  private let taken = Atomic(0)
  private let interruption = Atomic(false)

  /// Creates a limit of some steps.
  public init(steps: Int = .max) { self.steps = steps }

  /// Ends the worlds before their next step. Any thread may call it.
  public func interrupt() { interruption.store(true, ordering: .relaxed) }

  /// True if ``interrupt()`` was called.
  public var wasInterrupted: Bool { interruption.load(ordering: .relaxed) }

  /// True if no further step may be taken.
  var areReached: Bool { wasInterrupted || taken.load(ordering: .relaxed) >= steps }

  func countStep() { taken.wrappingAdd(1, ordering: .relaxed) }
}
