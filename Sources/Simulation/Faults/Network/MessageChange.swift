import Ecosystem
import Messaging

/// A change to the messages of one kind.
struct MessageChange: Sendable {
  /// The kind of message.
  let kind: MessageKind
  /// Returns the changed bytes; throws `SimulationError` when the message has nothing to change.
  let change: @Sendable ([UInt8], _ arguments: [String: String]) throws -> [UInt8]?

  /// A change to the bytes of messages.
  init(_ kind: MessageKind, change: @escaping @Sendable ([UInt8], [String: String]) throws -> [UInt8]?) {
    self.kind = kind
    self.change = change
  }

  /// A change to the JSON body of messages. A message with another body passes unchanged.
  init<Body: Codable & SendableMetatype>(
    _ kind: MessageKind, _ body: Body.Type, _ change: @escaping @Sendable (inout Body, [String: String]) throws -> Void
  ) {
    self.init(kind) { bytes, arguments in
      guard var body = JSONBody.decode(Body.self, from: bytes) else { return nil }
      try change(&body, arguments)
      return JSONBody.encode(body)
    }
  }

  /// The change as a fault of the network.
  func networkFault(of planned: PlannedFault) -> Network.Fault {
    Network.Fault(code: planned.fault.id, message: planned.title) { message in
      guard message.kind == kind else { return nil }
      return try change(message.bytes, planned.arguments)
    }
  }
}

extension [UInt8] {
  /// The bytes with their last bit flipped.
  var flippingLastBit: [UInt8] { last.map { dropLast() + [$0 ^ 1] } ?? self }
}
