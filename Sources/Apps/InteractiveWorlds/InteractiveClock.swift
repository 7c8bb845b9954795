/// The clock that the time of a live world follows.
public protocol InteractiveClock: Sendable {
  /// The time since the world started.
  var elapsed: Duration { get }
}

/// The wall clock.
public struct WallClock: InteractiveClock {
  private let start = ContinuousClock.now

  /// A clock that starts now.
  public init() {}

  /// The time since the clock started.
  public var elapsed: Duration { start.duration(to: .now) }
}
