import COSE
import Certificates
import Messaging
import MobileDocument
import Primitives
import SimulationKernel

/// Signs the documents of an issuing authority.
package protocol DocumentIssuer: Sendable {
  /// Issues a document.
  /// - Returns: the encoded `IssuerSigned`.
  /// - Throws: an error that makes the authority refuse the order.
  func issued(
    _ draft: DocumentDraft, with credentials: IssuingCredentials, randomness: inout IssuanceRandomness
  ) throws -> [UInt8]
}

/// The issuer of a world without faults: signs the draft with the authority's document signer.
package struct StandardDocumentIssuer: DocumentIssuer {
  /// Creates the standard issuer.
  package init() {}

  /// Signs the draft as it is.
  package func issued(
    _ draft: DocumentDraft, with credentials: IssuingCredentials, randomness: inout IssuanceRandomness
  ) throws -> [UInt8] {
    try draft.issued(by: credentials.signer, chain: [credentials.certificate], randomness: &randomness)
  }
}

/// The keys and certificates that an issuing authority signs documents with.
package struct IssuingCredentials: Sendable {
  /// The authority's description in the world.
  package let issuer: WorldDescription.Issuer
  /// The authority, which certifies signers.
  package let authority: CertificateAuthority
  /// The document signer's key.
  package let signer: DeterministicSigningKey
  /// The document signer's certificate in DER.
  package let certificate: [UInt8]
  /// The authority's time, randomness and journal.
  package let station: Station

  /// The name in the document signer's certificate.
  package var signerName: CertificateName { Self.signerName(of: issuer) }

  static func signerName(of issuer: WorldDescription.Issuer) -> CertificateName {
    CertificateName(country: issuer.country, state: issuer.state, commonName: "\(issuer.name) Document Signer")
  }
}

extension CertificateAuthority {
  /// The lifetime of a root in days: the maximum of annex B.
  private static let rootDays = 20 * 365

  /// The root of an issuing authority of a world.
  package static func root(
    of issuer: WorldDescription.Issuer, from start: DateTime, serialNumber: [UInt8], signer: DeterministicSigningKey
  ) throws -> CertificateAuthority {
    try CertificateAuthority(
      profile: .issuingAuthorityRoot,
      name: CertificateName(country: issuer.country, state: issuer.state, commonName: "\(issuer.name) Root"),
      contact: issuer.contact,
      terms: CertificateAuthority.Terms(
        from: start, until: start.adding(days: rootDays), serialNumber: serialNumber),
      signer: signer)
  }
}
