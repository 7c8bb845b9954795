import COSE
import Certificates
import Crypto
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT
import X509

/// A signer of documents: one from files, or one of an issuing authority that is made for it.
public struct DocumentSigner: Sendable {
  private let key: P256.Signing.PrivateKey
  /// Leaf first, without the root.
  private let chain: [Certificate]
  /// The root in PEM, of an authority that was made.
  public let rootPEM: String?

  /// Reads the certificate chain of a document signer in PEM, leaf first, and its key in PEM or as a JSON Web Key. A root at
  /// the end of the chain is left out: `x5chain` has none (ISO/IEC 18013-5, 9.1.2.4).
  /// - Throws: ``ExchangeFileError``.
  public init(
    certificates: (name: String, bytes: [UInt8]), key: (name: String, bytes: [UInt8])
  ) throws(ExchangeFileError) {
    (self.key, chain) = try CertificateFile.signer(certificates: certificates, key: key)
    rootPEM = nil
  }

  /// The lifetime of the root in days, and that of the signer: the maximum of annex B.
  private static let rootDays = 3650
  private static let signerDays = CertificateProfile.documentSigner.maximumDays

  /// Creates an issuing authority with one document signer.
  /// - Throws: An error of certificate encoding.
  public init(madeAt moment: DateTime, from ingredients: AuthorityIngredients) throws {
    let from = moment.adding(days: -1)
    let contact = "https://issuer.example"
    func name(_ role: String) -> CertificateName { CertificateName(country: "US", commonName: "Throwaway \(role)") }
    let authority = try CertificateAuthority(
      name: name("Issuing Authority"), contact: contact,
      terms: CertificateAuthority.Terms(
        from: from, until: from.adding(days: Self.rootDays), serialNumber: ingredients.serialNumbers.root),
      signer: ingredients.rootKey)
    let leaf = try authority.documentSigner(
      name: name("Document Signer"), publicKey: Certificate.PublicKey(ingredients.leafKey.publicKey),
      contact: contact, revocationList: "\(contact)/crl",
      terms: CertificateAuthority.Terms(
        from: from, until: from.adding(days: Self.signerDays), serialNumber: ingredients.serialNumbers.leaf))
    key = ingredients.leafKey
    chain = [leaf]
    rootPEM = try CertificateFile.pem([authority.root])
  }

  /// Issues a document in the format of its type.
  /// - Returns: `IssuerSigned` in CBOR, or an SD-JWT in its compact serialization.
  /// - Throws: ``ExchangeFileError`` if the signer's certificate is not valid while the document is, or an element has a
  ///   value of the wrong type.
  public func issue(_ draft: DocumentDraft, randomness: inout some DocumentDraft.Randomness) throws -> [UInt8] {
    let validity = draft.validity
    guard let leaf = chain.first, DateTime(leaf.notValidBefore) <= validity.signed,
      validity.signed <= DateTime(leaf.notValidAfter)
    else {
      throw ExchangeFileError(
        .certificate, "--signer-certificates", "the signer's certificate is not valid on \(validity.signed)")
    }
    guard validity.validUntil <= DateTime(leaf.notValidAfter) else {
      throw ExchangeFileError(
        .content, "valid-for",
        "the document would be valid until \(validity.validUntil), longer than its signer's certificate, which ends on "
          + "\(DateTime(leaf.notValidAfter))")
    }
    do {
      let chain = try chain.map { try $0.derEncoded() }
      switch try IssuableCredential(draft) {
      case .mobileDocument(let draft): return try draft.issued(by: key, chain: chain, randomness: &randomness)
      case .sdJWT(let draft): return Array(try draft.issued(by: key, chain: chain) { randomness.bytes($0) }.utf8)
      }
    } catch let error as DocumentError {
      throw ExchangeFileError(.element, nil, error.message)
    } catch let error as SDJWTError {
      throw ExchangeFileError(.element, nil, error.message)
    }
  }
}
