import Crypto
import MobileDocument
import Primitives
import TranscriptDiagnosis
import WebPresentment

/// The state that a server keeps for one request until its answer: the request's texts, its origin and the private key
/// that decrypts the answer. A session accepts one answer.
///
/// ```
/// init(asking:) --requestData--> page          the secrets stay in the session
/// page --answer--> VerificationMachine         which has the session marked as used, then decrypts and verifies
/// ```
public struct VerifierSession: Sendable {
  /// The identifier that the page returns with its answer; not a secret.
  public let identifier: String
  /// The serialized origin of the website.
  public let origin: String
  /// The requested documents.
  public let requests: [ItemsRequest]
  /// The use cases of the request as sent; empty if it had none.
  public let useCases: [DeviceRequestInfo.UseCase]
  /// The base64url text of `EncryptionInfo` as sent to the page.
  public let encryptionInfoText: String
  /// The private half of the recipient key; never leaves the server.
  public let recipientKey: P256.KeyAgreement.PrivateKey
  /// The time from which answers are too late.
  public let expires: DateTime
  /// True if the session has had its answer.
  public let isUsed: Bool

  /// The length of a nonce in bytes: twice the minimum of ISO/IEC 18013-7, C.2.
  public static let nonceLength = 2 * EncryptionInfo.minimumNonceLength

  /// Restores a session from a store.
  public init(
    identifier: String, origin: String, requests: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase] = [],
    encryptionInfoText: String, recipientKey: P256.KeyAgreement.PrivateKey, expires: DateTime, isUsed: Bool = false
  ) {
    self.identifier = identifier
    self.origin = origin
    self.requests = requests
    self.useCases = useCases
    self.encryptionInfoText = encryptionInfoText
    self.recipientKey = recipientKey
    self.expires = expires
    self.isUsed = isUsed
  }

  /// Begins a session for a new request.
  /// - Parameters:
  ///   - draft: The request.
  ///   - identifier: Random text that no other session has.
  ///   - recipientKey: A fresh key for this session alone.
  ///   - nonce: ``nonceLength`` fresh random bytes.
  public init(
    asking draft: DeviceRequestDraft, identifier: String, origin: String,
    recipientKey: P256.KeyAgreement.PrivateKey, nonce: [UInt8], expires: DateTime
  ) {
    self.init(
      asking: draft, identifier: identifier, origin: origin, recipientKey: recipientKey,
      encryptionInfo: EncryptionInfo(nonce: nonce, recipientPublicKey: recipientKey.publicKey), expires: expires)
  }

  /// Begins a session with encryption information that was made elsewhere.
  package init(
    asking draft: DeviceRequestDraft, identifier: String, origin: String,
    recipientKey: P256.KeyAgreement.PrivateKey, encryptionInfo: EncryptionInfo, expires: DateTime
  ) {
    self.init(
      identifier: identifier, origin: origin, requests: draft.documents, useCases: draft.writtenUseCases,
      encryptionInfoText: encryptionInfo.text, recipientKey: recipientKey, expires: expires)
  }

  /// The transcript that device and server must agree on.
  public var sessionTranscript: SessionTranscript {
    EncryptionInfo.sessionTranscript(encryptionInfoText: encryptionInfoText, origin: origin)
  }

  /// Signs the request of the session.
  /// - Returns: The `data` of the page's request.
  /// - Throws: A signer's error.
  public func requestData(
    asking draft: DeviceRequestDraft, signedBy readers: [DeviceRequestDraft.Reader]
  ) throws -> RequestData {
    requestData(try draft.encoded(signedFor: readers, over: sessionTranscript))
  }

  /// The `data` of the page's request with an encoded `DeviceRequest`.
  package func requestData(_ deviceRequest: [UInt8]) -> RequestData {
    RequestData(deviceRequest: Base64URL.encode(deviceRequest), encryptionInfo: encryptionInfoText)
  }

  /// The session with another origin.
  package func with(origin: String) -> VerifierSession {
    VerifierSession(
      identifier: identifier, origin: origin, requests: requests, useCases: useCases,
      encryptionInfoText: encryptionInfoText, recipientKey: recipientKey, expires: expires, isUsed: isUsed)
  }
}

/// A verifier server's knowledge besides the session of a response. It serves to explain a failure.
public struct ExchangeContext: Sendable {
  /// Other origins and addresses of the page.
  public let surroundings: TranscriptInputs.Surroundings
  private let otherSessions: @Sendable () -> [VerifierSession]
  /// Other sessions of an app's server, newest first.
  let otherInAppSessions: @Sendable () -> [InAppSession]

  /// Creates a context.
  /// - Parameters:
  ///   - otherSessions: Other sessions of the server, newest first; called only when something fails.
  ///   - otherInAppSessions: The same of an app's server.
  public init(
    surroundings: TranscriptInputs.Surroundings = TranscriptInputs.Surroundings(),
    otherSessions: @escaping @Sendable () -> [VerifierSession] = { [] },
    otherInAppSessions: @escaping @Sendable () -> [InAppSession] = { [] }
  ) {
    self.surroundings = surroundings
    self.otherSessions = otherSessions
    self.otherInAppSessions = otherInAppSessions
  }

  func others(than session: VerifierSession) -> [VerifierSession] {
    Array(
      otherSessions().filter { $0.identifier != session.identifier }.prefix(TranscriptExplainer.maximumOtherSessions))
  }
}

extension VerifierSession {
  /// Explains signatures over another transcript than this session's.
  package func explainer(context: ExchangeContext) -> TranscriptExplainer {
    let session = self
    return TranscriptExplainer(
      session.transcriptInputs(surroundings: context.surroundings, others: context.others(than: session)))
  }

  func transcriptInputs(
    surroundings: TranscriptInputs.Surroundings, others: [VerifierSession]
  ) -> TranscriptInputs {
    TranscriptInputs(
      encryptionInfoText: encryptionInfoText, origin: origin, surroundings: surroundings,
      otherSessions: others.map {
        TranscriptInputs.OtherSession(
          identifier: $0.identifier, encryptionInfoText: $0.encryptionInfoText, origin: $0.origin)
      })
  }
}
