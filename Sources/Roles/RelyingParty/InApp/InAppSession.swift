import Crypto
import MobileDocument
import Primitives
import WebPresentment

/// The state that an app's server keeps for one `PKIdentityRequest` until its answer: the request's nonce, and what the
/// developer account has: merchant identifier, team identifier and the key of the encryption certificate. A session
/// accepts one answer (Verifying Wallet identity requests).
///
/// ```
/// app --begin--> server                        a fresh nonce for this request
/// app --PKIdentityRequest--> Wallet            nonce, merchant identifier, elements
/// app --encryptedData--> VerificationMachine   which has the session marked as used, then decrypts and verifies
/// ```
public struct InAppSession: Sendable {
  /// The identifier that the app returns with its answer; not a secret.
  public let identifier: String
  /// The nonce of the request.
  public let nonce: [UInt8]
  /// The merchant identifier of the request.
  public let merchantIdentifier: String
  /// The team identifier of the requesting app.
  public let teamIdentifier: String
  /// The private half of the encryption certificate's key. All sessions of a merchant identifier share it.
  public let recipientKey: P256.KeyAgreement.PrivateKey
  /// The requested documents; nil leaves out the comparison with the request.
  public let requests: [ItemsRequest]?
  /// The time from which answers are too late.
  public let expires: DateTime
  /// True if the session has had its answer.
  public let isUsed: Bool

  /// The length of a fresh nonce in bytes.
  public static let nonceLength = 32

  /// Creates or restores a session.
  /// - Parameter nonce: ``nonceLength`` fresh random bytes for a new session; at most
  ///   ``AppleHandover/maximumNonceLength``.
  public init(
    identifier: String, nonce: [UInt8], merchantIdentifier: String, teamIdentifier: String,
    recipientKey: P256.KeyAgreement.PrivateKey, requests: [ItemsRequest]?, expires: DateTime, isUsed: Bool = false
  ) {
    self.identifier = identifier
    self.nonce = nonce
    self.merchantIdentifier = merchantIdentifier
    self.teamIdentifier = teamIdentifier
    self.recipientKey = recipientKey
    self.requests = requests
    self.expires = expires
    self.isUsed = isUsed
  }

  /// The handover that device and server must agree on.
  public var handover: AppleHandover {
    AppleHandover(
      nonce: nonce, merchantIdentifier: merchantIdentifier, teamIdentifier: teamIdentifier,
      recipient: recipientKey.publicKey)
  }
}
