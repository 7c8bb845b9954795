import Faults
import Messaging

/// One change to one message of a case.
package struct Alteration: Sendable {
  /// The ways to change a message.
  package enum Change: Sendable {
    /// One bit of one byte is flipped.
    case flipped(byte: Int, bit: Int)
    /// Only the first bytes arrive.
    case truncated(to: Int)
    /// The message does not arrive.
    case dropped
    /// The message arrives twice.
    case duplicated
    /// The bytes of another message of the same kind arrive.
    case swapped(Donor)
    /// A fault of the catalogue acts on the message.
    case fault(Fault)
  }

  /// The origin of bytes that take the place of a message's own.
  package struct Donor: Sendable {
    /// The relation to the message.
    package enum Origin: String, Sendable {
      /// The same hop of an earlier session in the same world.
      case earlierSession = "earlier-session"
      /// Another message of the same kind in the same run.
      case otherMessage = "message"
      /// The same hop in a world with another seed.
      case otherWorld = "other-world"
    }

    /// The relation to the message.
    package let origin: Origin
    /// The number of the donated message in its run.
    package let number: Int
    /// The donated bytes.
    package let bytes: [UInt8]

    /// The message in words.
    var description: String {
      switch origin {
      case .earlierSession: "message \(number) of an earlier session"
      case .otherMessage: "message \(number)"
      case .otherWorld: "message \(number) of a world with another seed"
      }
    }
  }

  /// The number of the message in the unaltered run.
  package let number: Int
  /// The change.
  package let change: Change

  /// The name of the change, without the message: `byte-112`, `truncated-0`, `dropped`.
  package var name: String {
    switch change {
    case .flipped(let byte, let bit): "byte-\(byte)-bit-\(bit)"
    case .truncated(let count): "truncated-\(count)"
    case .dropped: "dropped"
    case .duplicated: "duplicated"
    case .swapped(let donor):
      donor.origin == .otherMessage ? "swapped-message-\(donor.number)" : "swapped-\(donor.origin.rawValue)"
    case .fault(let fault): fault.id
    }
  }

  /// The fault of the catalogue; nil for another change.
  var fault: Fault? { if case .fault(let fault) = change { fault } else { nil } }

  /// Returns the bytes that arrive in place of a message's own; nil for a change that is not to the bytes.
  package func bytes(inPlaceOf original: [UInt8]) -> [UInt8]? {
    switch change {
    case .flipped(let byte, let bit):
      var bytes = original
      bytes[byte] ^= 1 << UInt8(bit)
      return bytes
    case .truncated(let count): return Array(original.prefix(count))
    case .swapped(let donor): return donor.bytes
    case .dropped, .duplicated, .fault: return nil
    }
  }

  /// The change as an interception of a message; nil for a fault of the catalogue.
  /// - Parameters:
  ///   - number: The message's number in the altered run.
  ///   - original: The message's bytes.
  func interception(of number: Int, with original: [UInt8]) -> Interception? {
    func interception(
      _ code: Interception.Code, _ message: String, _ delivery: Interception.Delivery? = nil
    ) -> Interception {
      Interception(
        number, code: code, message: message,
        delivery: delivery ?? .bytes(bytes(inPlaceOf: original) ?? original))
    }
    return switch change {
    case .fault: nil
    case .flipped(let byte, let bit): interception(.flipped, "bit \(bit) of byte \(byte) is flipped")
    case .truncated(let count): interception(.truncated, "only the first \(count) bytes arrive")
    case .dropped: interception(.dropped, "the message does not arrive", .never)
    case .duplicated: interception(.duplicated, "the message arrives twice", .twice)
    case .swapped(let donor): interception(.swapped, "the bytes of \(donor.description) arrive")
    }
  }
}
