import COSE
import Certificates
import Messaging
import MobileDocument
import Primitives
import SDJWT
import SimulationKernel
import StatusLists
import Vocabulary
import X509

/// Signs the documents of an issuing authority.
package protocol DocumentIssuer: Sendable {
  /// Issues a document.
  /// - Returns: The encoded `IssuerSigned`.
  /// - Throws: An error that makes the authority refuse the order.
  func issued(
    _ draft: DocumentDraft, with credentials: IssuingCredentials, randomness: inout EntropyStream
  ) throws -> [UInt8]

  /// Issues an SD-JWT verifiable credential.
  /// - Returns: The compact serialization in UTF-8.
  /// - Throws: An error that makes the authority refuse the order.
  func issued(
    _ draft: SDJWTDraft, with credentials: IssuingCredentials, randomness: inout EntropyStream
  ) throws -> [UInt8]
}

/// The issuer of a world without faults: signs the draft with the authority's document signer.
package struct StandardDocumentIssuer: DocumentIssuer {
  /// Creates the standard issuer.
  package init() {}

  /// Signs the draft as it is.
  package func issued(
    _ draft: DocumentDraft, with credentials: IssuingCredentials, randomness: inout EntropyStream
  ) throws -> [UInt8] {
    try draft.issued(by: credentials.signer, chain: [credentials.certificate], randomness: &randomness)
  }

  /// Signs the draft as it is.
  package func issued(
    _ draft: SDJWTDraft, with credentials: IssuingCredentials, randomness: inout EntropyStream
  ) throws -> [UInt8] {
    Array(
      try draft.issued(
        by: credentials.signer, chain: [credentials.certificate], randomBytes: { randomness.bytes($0) }
      ).utf8)
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
    CertificateName(
      country: issuer.certifiedCountry, state: issuer.certifiedState, commonName: "\(issuer.name) Document Signer")
  }
}

extension [DocumentDraft.NameSpace] {
  /// The elements as a test programme issues them: `issuing_country` has the mark, the sign of the country is that of
  /// Utopia (ICAO Doc 9303), and the jurisdiction is left out.
  func marked(ifTest isOfTestProgramme: Bool) -> [DocumentDraft.NameSpace] {
    guard isOfTestProgramme else { return self }
    return map { space in
      DocumentDraft.NameSpace(
        space.name,
        space.elements.compactMap { element in
          switch element.identifier {
          case "issuing_country": DocumentDraft.Element(element.identifier, .text(TestMark.country))
          case "un_distinguishing_sign": DocumentDraft.Element(element.identifier, .text("UTO"))
          case "issuing_jurisdiction": nil
          default: element
          }
        })
    }
  }
}

extension CertificateAuthority.Terms {
  /// Creates the terms of a certificate that is valid for some days.
  package init(from: DateTime, days: Int, serialNumber: [UInt8]) {
    self.init(from: from, until: from.adding(days: days), serialNumber: serialNumber)
  }

  /// The lifetime of a root in days: the maximum of annex B for an issuing authority.
  private static let rootDays = 20 * 365

  /// The terms of a root certificate.
  static func root(from start: DateTime, serialNumber: [UInt8]) -> CertificateAuthority.Terms {
    CertificateAuthority.Terms(from: start, days: rootDays, serialNumber: serialNumber)
  }
}

extension CertificateAuthority {
  /// The root of an issuing authority of a world.
  package static func root(
    of issuer: WorldDescription.Issuer, from start: DateTime, serialNumber: [UInt8], signer: DeterministicSigningKey
  ) throws -> CertificateAuthority {
    try CertificateAuthority(
      name: CertificateName(
        country: issuer.certifiedCountry, state: issuer.certifiedState, commonName: "\(issuer.name) Root"),
      contact: issuer.contact, terms: .root(from: start, serialNumber: serialNumber), signer: signer)
  }
}

/// Signs the status lists of an issuing authority.
package protocol StatusListIssuer: Sendable {
  /// Publishes a list in its present state.
  /// - Returns: Nil when nothing is available at the list's address.
  /// - Throws: An error that makes the authority refuse the request.
  func publish(_ list: StatusListIssuance) throws -> PublishedList?
}

/// A status list as an HTTP client receives it.
package struct PublishedList: Sendable, Equatable {
  /// The content.
  package let bytes: [UInt8]
  /// The media type of the content.
  package let mediaType: String

  /// Creates a published list.
  package init(bytes: [UInt8], mediaType: String) {
    self.bytes = bytes
    self.mediaType = mediaType
  }
}

/// The status-list issuer of a world without faults: signs the list with the authority's status signer.
package struct StandardStatusListIssuer: StatusListIssuer {
  /// Creates the standard issuer.
  package init() {}

  /// Signs the list as it is.
  package func publish(_ list: StatusListIssuance) throws -> PublishedList? {
    PublishedList(bytes: try list.signed(list.token, by: list.signer), mediaType: list.mediaType)
  }
}

/// A status list that an issuing authority is about to publish, with its signers.
package struct StatusListIssuance: Sendable {
  /// A key and the certificate chain for it.
  package struct Signer: Sendable {
    /// The private key.
    package let key: DeterministicSigningKey
    /// The certificates in DER, leaf first.
    package let chain: [[UInt8]]

    /// Creates a signer.
    package init(key: DeterministicSigningKey, chain: [[UInt8]]) {
      self.key = key
      self.chain = chain
    }
  }

  /// The kind of list.
  package let kind: StatusListKind
  /// The form of its token.
  package let form: StatusTokenForm
  /// The authority's description in the world.
  package let issuer: WorldDescription.Issuer
  /// The signed content, ready to be signed.
  package var token: StatusTokenDraft
  /// The authority's status signer.
  package let signer: Signer
  /// The authority's document signer.
  package let documentSigner: Signer
  /// The authority, which certifies signers.
  package let authority: CertificateAuthority
  /// The authority's time, randomness and journal.
  package let station: Station

  /// The media type of the list.
  package var mediaType: String { form == .cwt ? kind.mediaType : StatusListKind.jwtMediaType }

  /// Signs a token in the form of the list.
  package func signed(_ token: StatusTokenDraft, by signer: Signer) throws -> [UInt8] {
    switch form {
    case .cwt: try token.signed(by: signer.key, chain: signer.chain)
    case .jwt: Array((try token.signedJWT(by: signer.key, chain: signer.chain) ?? "").utf8)
    }
  }

  /// The name in the status signer's certificate.
  package static func signerName(of issuer: WorldDescription.Issuer) -> CertificateName {
    CertificateName(
      country: issuer.certifiedCountry, state: issuer.certifiedState, commonName: "\(issuer.name) Status Signer")
  }
}
