/// A change to the delivery of one message of a world, whatever its content. The journal records it as a fault.
public struct Interception: Sendable, Equatable {
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
  public let code: String
  /// The effect, for the journal.
  public let message: String
  /// The delivery.
  public let delivery: Delivery

  /// Creates an interception.
  public init(_ number: Int, code: String, message: String, delivery: Delivery) {
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
