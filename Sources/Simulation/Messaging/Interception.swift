/// A change to the delivery of one message of a world, whatever its content. The journal records it as a fault.
public struct Interception: Sendable, Equatable {
  /// The kinds of interceptions, with their codes in the journal.
  public enum Code: String, Sendable, CaseIterable {
    /// One bit differs.
    case flipped = "sweep.flipped"
    /// Only the first bytes arrive.
    case truncated = "sweep.truncated"
    /// The message does not arrive.
    case dropped = "sweep.dropped"
    /// The message arrives twice.
    case duplicated = "sweep.duplicated"
    /// The bytes of another message arrive.
    case swapped = "sweep.swapped"

    /// True if other bytes than the sender's arrive.
    public var changesBytes: Bool {
      switch self {
      case .flipped, .truncated, .swapped: true
      case .dropped, .duplicated: false
      }
    }
  }

  /// The deliveries in place of the message's own.
  public enum Delivery: Sendable, Equatable {
    /// The message arrives with these bytes.
    case bytes([UInt8])
    /// The message does not arrive. A sender that awaits the answer waits until the world ends.
    case never
    /// The message arrives twice.
    case twice
  }

  /// The number of the message.
  public let number: Int
  /// The code, for the journal.
  public let code: Code
  /// The effect, for the journal.
  public let message: String
  /// The delivery.
  public let delivery: Delivery

  /// Creates an interception.
  public init(_ number: Int, code: Code, message: String, delivery: Delivery) {
    self.number = number
    self.code = code
    self.message = message
    self.delivery = delivery
  }

  /// Changes a message, and returns the number of its deliveries.
  func apply(to message: inout Message) -> Int {
    switch delivery {
    case .bytes(let bytes):
      message.bytes = bytes
      return 1
    case .never: return 0
    case .twice: return 2
    }
  }
}
