/// The virtual clock of a world. Time stops while a job is ready to run.
public struct WorldClock: Clock {
  /// An instant of a world: nanoseconds since 1970-01-01T00:00:00Z.
  public struct Instant: InstantProtocol {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public let nanosecondsSince1970: Int64

    /// Creates an instant from nanoseconds since 1970.
    public init(nanosecondsSince1970: Int64) { self.nanosecondsSince1970 = nanosecondsSince1970 }

    /// Creates an instant from seconds since 1970.
    public init(secondsSince1970: Int64) { nanosecondsSince1970 = secondsSince1970 * 1_000_000_000 }

    /// Whole seconds since 1970.
    public var secondsSince1970: Int64 {
      let (quotient, remainder) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
      return remainder < 0 ? quotient - 1 : quotient
    }

    /// Returns the instant that is a duration later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(nanosecondsSince1970: nanosecondsSince1970 + duration.nanoseconds)
    }

    /// Returns the duration to another instant.
    public func duration(to other: Instant) -> Duration {
      .nanoseconds(other.nanosecondsSince1970 - nanosecondsSince1970)
    }

    /// Orders earlier instants first.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.nanosecondsSince1970 < right.nanosecondsSince1970
    }
  }

  private let scheduler: WorldScheduler

  init(scheduler: WorldScheduler) { self.scheduler = scheduler }

  /// The world's current time.
  public var now: Instant { scheduler.now }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits in virtual time.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await scheduler.sleep(until: deadline)
  }
}

extension Duration {
  /// Whole nanoseconds.
  public var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
