import Checks
import Crypto
import Primitives

extension ClientPlatformMachine {
  /// The random values of a session.
  public struct Secrets: KeepsSecrets, Sendable {
    /// The identity key, whose public key is in the QR code.
    public let identityKey: P256.KeyAgreement.PrivateKey
    /// The secret of the QR code: 16 bytes.
    public let qrSecret: [UInt8]
    /// The ephemeral key of the handshake.
    public let ephemeralKey: P256.KeyAgreement.PrivateKey

    /// Creates the values.
    public init(
      identityKey: P256.KeyAgreement.PrivateKey, qrSecret: [UInt8], ephemeralKey: P256.KeyAgreement.PrivateKey
    ) {
      self.identityKey = identityKey
      self.qrSecret = qrSecret
      self.ephemeralKey = ephemeralKey
    }
  }

  /// A state of the session.
  public enum State: String, Sendable, CaseIterable {
    /// Nothing has happened.
    case idle
    /// The session waits until Bluetooth is on.
    case waitingForBluetooth
    /// The code is shown, and no advert was heard.
    case showingQR
    /// An advert was heard, and the tunnel is connected to.
    case connecting
    /// The tunnel is connected, and the handshake was sent.
    case handshakeSent
    /// The handshake is complete, and the phone's first message is missing.
    case waitingForOffer
    /// The phone is ready, and the page's request is fetched.
    case collectingRequest
    /// The request was sent, and its answer is missing.
    case requestSent
    /// The browser ended the session, and the phone is told.
    case locallyShutdown
    /// The session is over.
    case finished
  }

  /// A state of the client platform's Bluetooth.
  public enum BluetoothState: String, Sendable, CaseIterable {
    /// It is on.
    case on
    /// It is off, and can be turned on.
    case off
    /// The device has none.
    case unsupported
    /// The browser may not use it.
    case permissionDenied
  }

  /// A step that the browser can show.
  public enum Progress: String, Sendable, CaseIterable {
    /// The person is asked to turn Bluetooth on.
    case bluetoothIsOff
    /// The code is shown.
    case showingQR
    /// A phone that scanned the code is near.
    case heardPhone
    /// The phone is connected.
    case phoneConnected
    /// The phone is ready for the request.
    case readyForRequest
  }

  /// The end of a session.
  public enum Outcome: Sendable, Equatable {
    /// The phone's response: the protocol, and its data as JSON.
    case response(protocol: String, data: String)
    /// The session failed.
    case failure(HybridFailure)
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The browser starts the session.
    case started(at: DateTime, bluetooth: BluetoothState)
    /// Bluetooth changed.
    case bluetooth(BluetoothState)
    /// The scanner heard an advert.
    case heard(advertisingData: [UInt8])
    /// The tunnel service opened the WebSocket.
    case tunnelOpened
    /// The tunnel service refused the WebSocket, with a status of HTTP.
    case tunnelRefused(status: Int)
    /// A message came through the tunnel.
    case received([UInt8])
    /// The tunnel closed, from the other side.
    case tunnelClosed
    /// The browser has the request, as `collectRequest` asked.
    case collected(CredentialRequestMessage)
    /// The person closed the dialog, or the page aborted its call.
    case cancelled
    /// A timer fired.
    case timedOut(HybridTimer)
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Record the results of checks.
    case record([CheckResult])
    /// Show the progress.
    case progress(Progress)
    /// Show a QR code with a text.
    case showQRCode(uri: String)
    /// Hide the QR code.
    case hideQRCode
    /// Listen to adverts.
    case startScanning
    /// Stop listening.
    case stopScanning
    /// Open a WebSocket to a tunnel service.
    case connect(TunnelAddress)
    /// Ask the browser for the request.
    case collectRequest
    /// Send a message through the tunnel.
    case send([UInt8])
    /// Close the tunnel.
    case closeTunnel
    /// Set a timer for its duration. A timer of an earlier state has no effect.
    case setTimer(HybridTimer)
    /// Report the end of the session, once.
    case finish(Outcome)
  }
}
