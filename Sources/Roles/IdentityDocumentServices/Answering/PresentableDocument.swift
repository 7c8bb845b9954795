import COSE
import FoundationEssentials
import MobileDocument

/// A signer of presentations: a `P256.Signing.PrivateKey`, or the app's own key, for example in secure hardware. The alias
/// saves the app an import.
public typealias ES256Signer = COSE.ES256Signer

/// A document that an app can present: the issuer-signed document and its device key.
public struct PresentableDocument: Sendable {
  package let held: HeldDocument
  package let deviceKey: any ES256Signer

  /// Makes a document from a checked one and its device key.
  public init(_ held: HeldDocument, deviceKey: some ES256Signer) {
    self.held = held
    self.deviceKey = deviceKey
  }

  /// Checks an issued document. Its signature and every digest must verify.
  ///
  /// - Parameters:
  ///   - issuedDocument: CBOR of `IssuerSigned`.
  ///   - deviceKey: The key that the document is bound to, such as a `P256.Signing.PrivateKey`.
  /// - Throws: `HeldDocument.Refusal`.
  public init(issuedDocument: Data, deviceKey: some ES256Signer) throws(HeldDocument.Refusal) {
    self.init(
      try HeldDocument(issued: [UInt8](issuedDocument), deviceKey: COSEKey(deviceKey.publicKey)), deviceKey: deviceKey)
  }

  /// `DocType`, for the `mobileDocumentType` of a registration.
  public var mobileDocumentType: String { held.documentType }

  /// The authority key identifiers of the issuer's certificate chain, for the `supportedIssuerKeyIdentifiers` of a
  /// registration.
  public var issuerKeyIdentifiers: [Data] { held.issuerKeyIdentifiers.map { Data($0) } }

  /// The end of the document's validity (`validUntil`), for the `invalidationDate` of a registration.
  public var expirationDate: Date { held.validity.validUntil.date }

  /// Returns whether the document has the requested type and an accepted issuer.
  func answers(_ request: ItemsRequest) -> Bool {
    held.documentType == request.documentType
      && (request.issuerIdentifiers.isEmpty
        || request.issuerIdentifiers.contains { held.issuerKeyIdentifiers.contains($0) })
  }
}
