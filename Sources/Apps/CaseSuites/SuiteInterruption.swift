import Synchronization

/// A request to end a run of a suite, which is looked at between its cases.
public final class SuiteInterruption: Sendable {
  private let number = Mutex<Int32?>(nil)

  /// Creates one that is not asked for.
  public init() {}

  /// Asks the run to end.
  /// - Parameter signal: the number of the signal that asks.
  public func ask(by signal: Int32) { number.withLock { $0 = signal } }

  /// The signal that asked the run to end; nil if none did.
  public var signal: Int32? { number.withLock { $0 } }

  /// True if the run is asked to end.
  package var isAsked: Bool { signal != nil }

  /// The stop of a run that was asked to end.
  package static let stop = SuiteStop(.interrupted, "the run was interrupted")
}
