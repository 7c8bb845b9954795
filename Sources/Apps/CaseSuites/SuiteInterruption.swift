import Synchronization

/// A request to end a run of a suite, which is looked at between its cases.
public final class SuiteInterruption: Sendable {
  private let asked = Mutex(false)

  /// Creates one that is not asked for.
  public init() {}

  /// Asks the run to end.
  public func ask() { asked.withLock { $0 = true } }

  /// True if the run is asked to end.
  package var isAsked: Bool { asked.withLock { $0 } }

  /// The stop of a run that was asked to end.
  package static let stop = SuiteStop(.interrupted, "the run was interrupted")
}
