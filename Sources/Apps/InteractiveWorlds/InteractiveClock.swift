/// What the time of a live world follows.
public protocol InteractiveClock: Sendable {
  /// How long ago the world began.
  var elapsed: Duration { get }
}

/// Time as it passes for everybody.
public struct WallClock: InteractiveClock {
  private let start = ContinuousClock.now

  /// A clock that starts now.
  public init() {}

  /// How long ago it started.
  public var elapsed: Duration { start.duration(to: .now) }
}
