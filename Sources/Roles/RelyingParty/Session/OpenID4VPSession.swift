import COSE
import Checks
import Crypto
import JOSE
import JSON
import MobileDocument
import OpenID4VP
import Primitives

/// The state that a server keeps of a request with OpenID4VP until its answer: the query, the nonce, and the private key of
/// an encrypted answer.
public struct OpenID4VPSession: Sendable, KeepsSecrets {
  /// The protocol: unsigned, signed or with several signatures.
  public let kind: OpenID4VPProtocol
  /// The query as sent.
  public let query: DCQLQuery
  /// The nonce as sent.
  public let nonce: String
  /// The key of an encrypted answer; nil for a plain one.
  public let encryption: ExpectedPresentations.Encryption?
  /// The client identifiers of a signed request.
  public let clientIDs: [ClientIdentifier]
  /// The transactions that holders of SD-JWT credentials sign. One with several credentials belongs to the first of them that
  /// is answered.
  public let transactionData: [TransactionData]
  /// The time of the request. A holder's signature from before it is refused; nil leaves out the comparison.
  public let begun: DateTime?

  /// The length of a nonce in bytes: twice the minimum that OpenID4VP recommends.
  public static let nonceLength = 32

  /// Restores a request from a store.
  public init(
    _ kind: OpenID4VPProtocol, query: DCQLQuery, nonce: String, encryption: ExpectedPresentations.Encryption?,
    clientIDs: [ClientIdentifier] = [], transactionData: [TransactionData] = [], begun: DateTime? = nil
  ) {
    self.kind = kind
    self.query = query
    self.nonce = nonce
    self.encryption = encryption
    self.clientIDs = clientIDs
    self.transactionData = transactionData
    self.begun = begun
  }

  /// Begins a request.
  /// - Parameters:
  ///   - kind: The protocol: unsigned, signed or with several signatures.
  ///   - query: The query for documents and credentials.
  ///   - nonce: ``nonceLength`` fresh random bytes.
  ///   - recipientKey: A fresh key for this request alone; nil to ask for a plain answer.
  ///   - signers: The signers of a signed request.
  ///   - transactions: The transactions that the holder agrees to.
  ///   - moment: The server's clock.
  public init(
    _ kind: OpenID4VPProtocol, asking query: DCQLQuery, nonce: [UInt8], recipientKey: P256.KeyAgreement.PrivateKey?,
    signedBy signers: [PresentationRequestDraft.Signer] = [], transactions: [TransactionData] = [],
    at moment: DateTime
  ) {
    self.init(
      kind, query: query, nonce: Base64URL.encode(nonce), encryption: recipientKey.map { Self.encryption(to: $0) },
      clientIDs: signers.map(\.clientID), transactionData: transactions, begun: moment)
  }

  /// Returns the key of an encrypted answer. Its identifier is its thumbprint, so that no two requests have the same one.
  public static func encryption(
    to key: P256.KeyAgreement.PrivateKey, encryptions: [JWEEncryption] = JWEEncryption.allCases
  ) -> ExpectedPresentations.Encryption {
    let publicKey = COSEKey(key.publicKey)
    return ExpectedPresentations.Encryption(
      privateKey: key,
      key: JWK(publicKey, keyID: Base64URL.encode(JWK(publicKey).thumbprint), use: "enc", algorithm: JWE.algorithm),
      encryptions: encryptions)
  }

  /// Returns the transcript that device and server must agree on for an mdoc.
  public func sessionTranscript(origin: String) -> SessionTranscript {
    OpenID4VPHandover.sessionTranscript(origin: origin, nonce: nonce, thumbprint: encryption?.key.thumbprint)
  }

  /// The request to be sent.
  public func draft(origin: String) -> PresentationRequestDraft {
    var draft = PresentationRequestDraft(
      query, nonce: nonce, expectedOrigins: [origin], encryptionKey: encryption?.key,
      encryptions: encryption?.encryptions ?? [])
    draft.transactionData = transactionData.map(\.text)
    return draft
  }

  /// Signs the request as its protocol demands.
  /// - Parameters:
  ///   - origin: The origin of the page, as the browser writes it.
  ///   - signers: A request with one signature has that of the first.
  /// - Returns: The `data` of the page's request, UTF-8 JSON.
  /// - Throws: A signer's error, or `JOSEError` for a signed request without a signer.
  public func data(origin: String, signedBy signers: [PresentationRequestDraft.Signer]) throws -> [UInt8] {
    try draft(origin: origin).data(of: kind, signedBy: signers)
  }

  func expected(policy: VerificationPolicy) -> ExpectedPresentations {
    var expected = ExpectedPresentations(query: query, encryption: encryption)
    expected.policy = policy
    return expected
  }
}
