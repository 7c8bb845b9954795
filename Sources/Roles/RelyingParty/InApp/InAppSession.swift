import Crypto
import MobileDocument
import Primitives
import StatusLists
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
public struct InAppSession: KeepsSecrets, Sendable {
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
  /// - Parameters:
  ///   - identifier: Random text that no other session has.
  ///   - nonce: ``nonceLength`` fresh random bytes for a new session; at most `AppleHandover.maximumNonceLength`.
  ///   - merchantIdentifier: The merchant identifier of the app.
  ///   - teamIdentifier: The team of the developer account.
  ///   - recipientKey: The private key of the encryption certificate.
  ///   - requests: The elements that the app asks for; nil to compare nothing.
  ///   - expires: The time from which answers are too late.
  ///   - isUsed: True if the session has had its answer.
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

extension VerificationContext {
  /// Verifies the envelope of an app's request: runs a ``VerificationMachine`` to its verdict.
  /// - Parameters:
  ///   - envelope: The `encryptedData` of the app's `PKIdentityDocument`.
  ///   - session: The stored session that the app names; nil if the store does not have it.
  ///   - explaining: Further knowledge, to explain a failure.
  ///   - copies: Copies of lists from earlier verifications.
  ///   - now: The server's clock.
  ///   - markUsed: Marks a session as used in the store, in one step, and returns false if it was used already.
  ///   - fetch: Fetches a status list over HTTPS, with a limit on its length and its time.
  ///   - keep: Keeps the copy of a list.
  /// - Returns: The verdict.
  /// - Throws: The error of `markUsed`. The answer is then not verified.
  public func verdict(
    onEnvelope envelope: [UInt8], to session: InAppSession?, explaining: ExchangeContext = ExchangeContext(),
    copies: StatusListCopies = StatusListCopies(), now: () -> DateTime,
    markUsed: (String) async throws -> Bool, fetch: (StatusListLocation) async -> StatusListAnswer,
    keep: (StatusListCopies.Copy, String) -> Void = { _, _ in }
  ) async rethrows -> VerificationVerdict {
    var machine = VerificationMachine(of: .inApp(session), in: self, explaining: explaining, copies: copies)
    return try await machine.run(
      .submittedEnvelope(envelope), now: now, markUsed: markUsed, fetch: fetch, keep: keep)
  }
}
