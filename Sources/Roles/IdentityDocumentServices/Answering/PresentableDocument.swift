import COSE
import FoundationEssentials
import MobileDocument

/// What signs presentations: a `P256.Signing.PrivateKey`, or a key of the app's own, as one in secure hardware. Named
/// here so that an app that has such a key needs no other import.
public typealias ES256Signer = COSE.ES256Signer

/// A document that an app can present: what the issuer signed, and the key that it is bound to.
public struct PresentableDocument: Sendable {
  package let held: HeldDocument
  package let deviceKey: any ES256Signer

  /// A document that was taken in before, and the key that signs its presentations.
  public init(_ held: HeldDocument, deviceKey: some ES256Signer) {
    self.held = held
    self.deviceKey = deviceKey
  }

  /// Takes in what an issuer sent: its signature and every digest must verify.
  ///
  /// - Parameters:
  ///   - issuedDocument: CBOR of `IssuerSigned`.
  ///   - deviceKey: the key that the document is bound to, such as a `P256.Signing.PrivateKey`.
  /// - Throws: `HeldDocument.Refusal`.
  public init(issuedDocument: Data, deviceKey: some ES256Signer) throws(HeldDocument.Refusal) {
    self.init(
      try HeldDocument(issued: [UInt8](issuedDocument), deviceKey: COSEKey(deviceKey.publicKey)), deviceKey: deviceKey)
  }

  /// `DocType`: what a registration names as `mobileDocumentType`.
  public var mobileDocumentType: String { held.documentType }

  /// What a registration names as `supportedIssuerKeyIdentifiers`: the authority key identifiers of the issuer's
  /// certificate chain.
  public var issuerKeyIdentifiers: [Data] { held.issuerKeyIdentifiers.map { Data($0) } }

  /// When the document expires, and its registration with it (`validUntil`).
  public var expirationDate: Date { held.validity.validUntil.date }

  /// Whether the document is of the type and from an issuer that a request accepts.
  func answers(_ request: ItemsRequest) -> Bool {
    held.documentType == request.documentType
      && (request.issuerIdentifiers.isEmpty
        || request.issuerIdentifiers.contains { held.issuerKeyIdentifiers.contains($0) })
  }
}
