import Foundation
import Primitives

/// The time of a world that follows this machine's: what it asks outside waits until the machine's clock has reached the
/// world's time, and the answer arrives when the machine's clock says so.
public struct MachineTime: Sendable {
  /// The time at which the world starts: now.
  public let start = DateTime(Date())

  /// The longest time that a world may be ahead of this machine, in milliseconds: ten minutes.
  private static let mostAhead: Int64 = 600_000

  /// How long a wait goes on before it looks at the interruption again, in milliseconds.
  private static let longestSleep: Int64 = 100

  private let isInterrupted: @Sendable () -> Bool

  /// Starts now.
  /// - Parameter isInterrupted: True when waits end, because the run does.
  public init(until isInterrupted: @escaping @Sendable () -> Bool = { false }) { self.isInterrupted = isInterrupted }

  /// The milliseconds of this machine since the world's start.
  private var elapsed: Int64 { Int64((Date().timeIntervalSince1970 - Double(start.secondsSince1970)) * 1000) }

  /// Waits until this machine has reached the world's time.
  /// - Parameter instant: The world's time in milliseconds since its start.
  /// - Returns: The reason not to wait, because the world is too far ahead; nil after waiting.
  package func wait(until instant: Int64) -> String? {
    let ahead = instant - elapsed
    guard ahead <= Self.mostAhead else { return "the world's time is \(ahead / 1000) seconds ahead of this machine's" }
    // The clock may be set back meanwhile.
    for begin in stride(from: 0, to: max(0, ahead), by: Int(Self.longestSleep)) {
      guard !isInterrupted() else { return "the run was interrupted" }
      Thread.sleep(forTimeInterval: Double(min(ahead - begin, Self.longestSleep)) / 1000)
    }
    return nil
  }

  /// The milliseconds that have passed since an instant of the world.
  package func since(_ instant: Int64) -> Int64 { max(0, elapsed - instant) }
}
