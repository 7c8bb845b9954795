import Checks
import Crypto
import Primitives

extension AuthenticatorMachine {
  /// The random values of a session.
  public struct Secrets: KeepsSecrets, Sendable {
    /// The nonce of the advert: 10 bytes.
    public let nonce: [UInt8]
    /// The ephemeral key of the handshake.
    public let ephemeralKey: P256.KeyAgreement.PrivateKey

    /// Creates the values.
    public init(nonce: [UInt8], ephemeralKey: P256.KeyAgreement.PrivateKey) {
      self.nonce = nonce
      self.ephemeralKey = ephemeralKey
    }
  }

  /// A state of the session.
  public enum State: String, Sendable, CaseIterable {
    /// Nothing has happened.
    case idle
    /// The code was scanned, and the tunnel is being opened.
    case scanned
    /// The tunnel is open.
    case tunnelOpen
    /// The advert is sent, and no client platform has connected.
    case advertising
    /// The handshake is complete, and the request is missing.
    case established
    /// The request has come, and the person decides.
    case consent
    /// The answer was sent.
    case answered
    /// The session is over.
    case finished
  }

  /// The end of a session.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The answer was sent, and the session is over.
    case answered
    /// The client platform ended the session before an answer.
    case withdrawn
    /// The person cancelled.
    case cancelled
    /// The person did not decide in time, or no client platform came.
    case timedOut = "timed-out"
    /// A check failed.
    case failed
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The camera read a text.
    case scanned(String)
    /// The tunnel service opened the WebSocket and assigned a routing identifier.
    case tunnelOpened(routingID: [UInt8])
    /// The tunnel service refused the WebSocket, with a status of HTTP.
    case tunnelRefused(status: Int)
    /// A message came through the tunnel.
    case received([UInt8])
    /// The tunnel closed, from the other side.
    case tunnelClosed
    /// The device answers the request.
    case answered(CredentialResponseMessage)
    /// The person cancels.
    case cancelledByPerson
    /// A timer fired.
    case timedOut(HybridTimer)
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Record the results of checks.
    case record([CheckResult])
    /// Open a WebSocket to a tunnel service.
    case openTunnel(TunnelAddress)
    /// Broadcast advertising data.
    case advertise([UInt8])
    /// Stop broadcasting.
    case stopAdvertising
    /// Send a message through the tunnel.
    case send([UInt8])
    /// Close the tunnel.
    case closeTunnel
    /// Give the request to the device. Its origin is the client platform's statement.
    case deliver(CredentialRequestMessage)
    /// Take the request back from the device.
    case withdraw
    /// Set a timer for its duration. A timer of an earlier state has no effect.
    case setTimer(HybridTimer)
    /// Report the end of the session, once.
    case finish(Outcome)
  }
}
