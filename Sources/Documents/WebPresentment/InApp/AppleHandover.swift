import CBOR
import Crypto
import MobileDocument

/// `AppleHandover = ["AppleIdentityPresentment_1.0", nonce, merchantId, teamID, pkRHash]`: the handover of a request that
/// an app makes through PassKit (Verifying Wallet identity requests, "Build a session transcript").
///
/// Neither the handover nor its parts travel with the response: the app's server builds them from what it knows.
public struct AppleHandover: Sendable, Equatable {
  /// The nonce of the `PKIdentityRequest`, at most 64 bytes.
  public package(set) var nonce: [UInt8]
  /// The merchant identifier of the `PKIdentityRequest`.
  public package(set) var merchantIdentifier: String
  /// The team identifier of the requesting app's developer account.
  public package(set) var teamIdentifier: String
  /// `pkRHash`: SHA-256 of the recipient's public key in 65 bytes.
  public package(set) var recipientKeyHash: [UInt8]

  /// The first element of the handover: its version.
  public static let version = "AppleIdentityPresentment_1.0"
  /// The longest nonce in bytes (PassKit, `PKIdentityRequest.nonce`).
  public static let maximumNonceLength = 64

  /// Creates a handover.
  public init(nonce: [UInt8], merchantIdentifier: String, teamIdentifier: String, recipientKeyHash: [UInt8]) {
    self.nonce = nonce
    self.merchantIdentifier = merchantIdentifier
    self.teamIdentifier = teamIdentifier
    self.recipientKeyHash = recipientKeyHash
  }

  /// Creates the handover for a recipient's key: the key of the developer account's encryption certificate.
  public init(
    nonce: [UInt8], merchantIdentifier: String, teamIdentifier: String, recipient: P256.KeyAgreement.PublicKey
  ) {
    self.init(
      nonce: nonce, merchantIdentifier: merchantIdentifier, teamIdentifier: teamIdentifier,
      recipientKeyHash: Self.hash(of: recipient))
  }

  /// Returns `pkRHash` of a key: SHA-256 of its 65 bytes.
  public static func hash(of recipient: P256.KeyAgreement.PublicKey) -> [UInt8] {
    SHA256.hash(data: recipient.x963Representation).bytes
  }

  /// `SessionTranscript = [nil, nil, AppleHandover]`.
  public var sessionTranscript: SessionTranscript {
    SessionTranscript(
      encoded: CBORWriter.encode(capacity: 192) { writer in
        writer.array(3)
        writer.null()
        writer.null()
        writer.array(5)
        writer.text(Self.version)
        writer.byteString(nonce)
        writer.text(merchantIdentifier)
        writer.text(teamIdentifier)
        writer.byteString(recipientKeyHash)
      })
  }

  /// `infoHash`: SHA-256 of the session transcript.
  public var infoHash: [UInt8] { SHA256.hash(data: sessionTranscript.encoded).bytes }
}
