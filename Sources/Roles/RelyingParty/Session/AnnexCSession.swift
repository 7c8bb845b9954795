import Crypto
import MobileDocument
import Primitives
import WebPresentment

/// The state that a server keeps of a request with ISO/IEC 18013-7 annex C until its answer: the request's texts, and the
/// private key that decrypts the answer.
public struct AnnexCSession: Sendable, KeepsSecrets {
  /// The requested documents.
  public let documents: [ItemsRequest]
  /// The use cases of the request as sent; empty if it had none.
  public let useCases: [DeviceRequestInfo.UseCase]
  /// The base64url text of `EncryptionInfo` as sent to the page.
  public let encryptionInfoText: String
  /// The private half of the recipient key; never leaves the server.
  public let recipientKey: P256.KeyAgreement.PrivateKey

  /// The length of a nonce in bytes: twice the minimum of ISO/IEC 18013-7, C.2.
  public static let nonceLength = 2 * EncryptionInfo.minimumNonceLength

  /// Restores a request from a store.
  public init(
    documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase] = [], encryptionInfoText: String,
    recipientKey: P256.KeyAgreement.PrivateKey
  ) {
    self.documents = documents
    self.useCases = useCases
    self.encryptionInfoText = encryptionInfoText
    self.recipientKey = recipientKey
  }

  /// Begins a request.
  /// - Parameters:
  ///   - draft: The request.
  ///   - recipientKey: A fresh key for this request alone.
  ///   - nonce: ``nonceLength`` fresh random bytes.
  public init(asking draft: DeviceRequestDraft, recipientKey: P256.KeyAgreement.PrivateKey, nonce: [UInt8]) {
    self.init(
      asking: draft, recipientKey: recipientKey,
      encryptionInfo: EncryptionInfo(nonce: nonce, recipientPublicKey: recipientKey.publicKey))
  }

  /// Begins a request with encryption information that was made elsewhere.
  package init(
    asking draft: DeviceRequestDraft, recipientKey: P256.KeyAgreement.PrivateKey, encryptionInfo: EncryptionInfo
  ) {
    self.init(
      documents: draft.documents, useCases: draft.writtenUseCases, encryptionInfoText: encryptionInfo.text,
      recipientKey: recipientKey)
  }

  /// Returns the transcript that device and server must agree on.
  public func sessionTranscript(origin: String) -> SessionTranscript {
    EncryptionInfo.sessionTranscript(encryptionInfoText: encryptionInfoText, origin: origin)
  }

  /// Signs the request.
  /// - Returns: The `data` of the page's request.
  /// - Throws: A signer's error.
  public func data(
    asking draft: DeviceRequestDraft, signedBy readers: [DeviceRequestDraft.Reader], origin: String
  ) throws -> RequestData {
    data(try draft.encoded(signedFor: readers, over: sessionTranscript(origin: origin)))
  }

  /// The `data` of the page's request with an encoded `DeviceRequest`.
  package func data(_ deviceRequest: [UInt8]) -> RequestData {
    RequestData(deviceRequest: Base64URL.encode(deviceRequest), encryptionInfo: encryptionInfoText)
  }
}
