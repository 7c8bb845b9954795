import Checks
import MobileDocument

/// The end of a session in person.
public enum SessionOutcome: String, Sendable, CaseIterable {
  /// A response was exchanged, and the session ended with a termination.
  case completed
  /// A response was exchanged, and the connection ended without a status.
  case unconfirmed
  /// The own end terminated the session before a response.
  case cancelled
  /// The peer terminated the session before a response.
  case terminatedByPeer = "terminated-by-peer"
  /// The peer sent nothing in time.
  case timedOut = "timed-out"
  /// A check failed at the own end, or the peer reports an error.
  case failed
}

/// An input of a session's machine.
public enum SessionEvent: Sendable {
  /// The transport brought a whole message.
  case received([UInt8])
  /// The own party sends a request or a response, not encrypted yet.
  /// - Parameter isLast: Whether a termination comes with it. The reader's messages are never the last.
  case send([UInt8], isLast: Bool)
  /// The own party sends a response that a holder of its ``AnswerSeal`` encrypted. Only the mdoc does.
  case sendSealed([UInt8], isLast: Bool)
  /// The own party ends the session.
  case terminate
  /// The connection ended, from the other side.
  case closed
  /// A timer fired.
  case timedOut(ProximityTimer)
}

/// An output of a session's machine.
public enum SessionEffect: Sendable, Equatable {
  /// Record the results of checks.
  case record([CheckResult])
  /// Send a message by the transport.
  case send([UInt8])
  /// Give a decrypted request or response to the own party.
  case deliver([UInt8])
  /// Take a request back from the own party, which must not answer it.
  case withdraw
  /// Close the connection, after the messages before it are sent.
  case close
  /// Set a timer for its duration. A timer of an earlier state has no effect.
  case setTimer(ProximityTimer)
  /// Report the end of the session, once.
  case finish(SessionOutcome)
}

/// The values that a session's transcript is made from, apart from the reader's key.
public struct SessionOpening: Sendable {
  /// The device engagement, as sent or received.
  public let engagement: DeviceEngagement
  /// How it reached the reader.
  public let handover: Handover

  /// Creates an opening.
  public init(_ engagement: DeviceEngagement, _ handover: Handover) {
    self.engagement = engagement
    self.handover = handover
  }

  /// Returns the transcript with a reader's key.
  public func transcript(readerKeyBytes: [UInt8]) -> SessionTranscript {
    SessionTranscript(deviceEngagement: engagement.bytes, readerKeyBytes: readerKeyBytes, handover: handover)
  }
}

/// Both directions of an established session.
struct SessionChannel: Sendable {
  private var sealing: SessionCipher
  private var opening: SessionCipher

  init(of own: SessionCipher.Sender, _ keys: SessionKeys) {
    sealing = SessionCipher(own, keys)
    opening = SessionCipher(own == .reader ? .device : .reader, keys)
  }

  /// The seal of the next message.
  var seal: AnswerSeal { AnswerSeal(sealing) }

  mutating func seal(_ plaintext: [UInt8]) throws(ProximityError) -> [UInt8] { try sealing.seal(plaintext) }
  /// Counts a message that a holder of the seal encrypted.
  mutating func skip() throws(ProximityError) { try sealing.skip() }
  mutating func open(_ data: [UInt8]) throws(ProximityError) -> [UInt8] { try opening.open(data) }
}

extension SessionOutcome {
  /// The end of a session in words.
  public var message: String {
    switch self {
    case .completed: "a response was exchanged, and the session ended"
    case .unconfirmed: "a response was exchanged, and the connection ended without a status"
    case .cancelled: "the own end ended the session before a response"
    case .terminatedByPeer: "the other end ended the session before a response"
    case .timedOut: "the other end sent nothing in time"
    case .failed: "the session broke"
    }
  }
}
