/// A clock that stands still: the time of a world passes only with its steps.
public struct StillClock: InteractiveClock {
  /// Creates a clock.
  public init() {}

  /// No time.
  public var elapsed: Duration { .zero }
}
