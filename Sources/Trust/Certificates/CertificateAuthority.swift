import COSE
import Crypto
import FoundationEssentials
import Primitives
import SwiftASN1
import X509

/// The name of a certificate's subject.
public struct CertificateName: Sendable, Equatable {
  /// The country as two upper-case letters, or nil to omit the attribute.
  public var country: String?
  /// The state or province, for example `US-CA`, or nil to omit the attribute.
  public var state: String?
  /// The organization, or nil to omit the attribute.
  public var organization: String?
  /// The organizational unit, or nil to omit the attribute.
  public var organizationalUnit: String?
  /// The common name.
  public var commonName: String

  /// Creates a name.
  public init(
    country: String? = nil, state: String? = nil, organization: String? = nil, organizationalUnit: String? = nil,
    commonName: String
  ) {
    self.country = country
    self.state = state
    self.organization = organization
    self.organizationalUnit = organizationalUnit
    self.commonName = commonName
  }

  package func distinguishedName() throws -> DistinguishedName {
    var names: [RelativeDistinguishedName] = []
    if let country { names.append(try CountryName(country).makeRDN()) }
    if let state { names.append(try StateOrProvinceName(state).makeRDN()) }
    if let organization { names.append(try OrganizationName(organization).makeRDN()) }
    if let organizationalUnit { names.append(try OrganizationalUnitName(organizationalUnit).makeRDN()) }
    names.append(try CommonName(commonName).makeRDN())
    return DistinguishedName(names)
  }
}

/// An authority that issues certificates: its root, its intermediate certificates, and its signing key.
public struct CertificateAuthority: Sendable {
  /// The self-signed root as DER.
  package let encodedRoot: [UInt8]
  /// The `keyIdentifier` of the root, by which registrations name the authority.
  public let keyIdentifier: [UInt8]
  /// The intermediate certificates as DER, the issuing one first. Empty if the root issues.
  package let encodedIntermediates: [[UInt8]]
  /// The encoded subject of ``issuing``.
  let encodedIssuer: [UInt8]
  /// The number of further authorities that may follow below ``issuing`` (RFC 5280, 4.2.1.9).
  private let pathLength: Int
  /// The `keyIdentifier` of ``issuing``.
  let issuingKeyIdentifier: ArraySlice<UInt8>
  let signer: any ES256Signer

  /// The validity period and the serial number of a certificate.
  public struct Terms: Sendable {
    /// The start of the validity period.
    public var from: DateTime
    /// The end of the validity period.
    public var until: DateTime
    /// 8 to 20 random octets. The first is changed so that the number is positive and has its full length.
    public var serialNumber: [UInt8]

    /// Creates terms.
    public init(from: DateTime, until: DateTime, serialNumber: [UInt8]) {
      self.from = from
      self.until = until
      self.serialNumber = serialNumber
    }

    /// The serial number of the certificate.
    package var serial: Certificate.SerialNumber {
      var bytes = serialNumber
      if let first = bytes.first { bytes[0] = first & 0x7f | 0x40 }
      return Certificate.SerialNumber(bytes: bytes)
    }
  }

  /// Creates an authority with a self-signed root.
  ///
  /// - Parameters:
  ///   - pathLength: The largest number of intermediate certificates below the root.
  ///   - contact: The URI of the issuer alternative name, which issuing authorities must have.
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public init(
    pathLength: Int = 0, name: CertificateName, contact: String, terms: Terms, signer: some ES256Signer
  ) throws {
    let subject = try name.encoded()
    let key = try SubjectKey(Certificate.PublicKey(signer.publicKey))
    var extensions = try Self.authorityExtensions(key.identifier, pathLength: pathLength)
    try extensions.append(alternativeIssuerName(contact))
    encodedRoot = try signer.signed(
      CertificateContent(issuer: subject, subject: subject, key: key, terms: terms, extensions: extensions).encoded())
    keyIdentifier = Array(key.identifier.keyIdentifier)
    encodedIntermediates = []
    encodedIssuer = subject
    issuingKeyIdentifier = key.identifier.keyIdentifier
    self.pathLength = pathLength
    self.signer = signer
  }

  /// Creates an authority below another one.
  private init(
    below superior: CertificateAuthority, encodedCertificate: [UInt8], encodedSubject: [UInt8], key: SubjectKey,
    signer: any ES256Signer
  ) {
    encodedRoot = superior.encodedRoot
    keyIdentifier = superior.keyIdentifier
    encodedIntermediates = [encodedCertificate] + superior.encodedIntermediates
    encodedIssuer = encodedSubject
    issuingKeyIdentifier = key.identifier.keyIdentifier
    pathLength = superior.pathLength - 1
    self.signer = signer
  }

  /// The self-signed root, parsed at each call.
  public var root: Certificate { get throws { try Certificate(derEncoded: encodedRoot) } }

  /// The intermediate certificates, the issuing one first. Empty if the root issues.
  public var intermediates: [Certificate] {
    get throws { try encodedIntermediates.map { try Certificate(derEncoded: $0) } }
  }

  /// The issuing certificate: the first of ``intermediates``, or the root.
  public var issuing: Certificate { get throws { try Certificate(derEncoded: encodedIssuing) } }

  /// The issuing certificate as DER.
  package var encodedIssuing: [UInt8] { encodedIntermediates.first ?? encodedRoot }

  /// Returns a subordinate authority with the same root, which issues with a new intermediate certificate.
  /// - Throws: ``CertificateRuleError``, or an error if the name cannot be encoded or a signer fails.
  public func intermediate(
    name: CertificateName, terms: Terms, signer subordinate: some ES256Signer
  ) throws -> CertificateAuthority {
    guard pathLength > 0 else {
      throw CertificateRuleError(
        .pathLength, .basicConstraints,
        "the path length constraint of \(try issuing.subject) does not allow an authority below it")
    }
    let key = try SubjectKey(Certificate.PublicKey(subordinate.publicKey))
    var extensions = try Self.authorityExtensions(key.identifier, pathLength: pathLength - 1)
    let issuer = AuthorityKeyIdentifier(keyIdentifier: issuingKeyIdentifier)
    try extensions.append(Certificate.Extension(issuer, critical: false))
    return CertificateAuthority(
      below: self, encodedCertificate: try issue(name: name, key: key, terms: terms, extensions: extensions),
      encodedSubject: try name.encoded(), key: key, signer: subordinate)
  }

  private static func authorityExtensions(
    _ keyIdentifier: SubjectKeyIdentifier, pathLength: Int
  ) throws -> Certificate.Extensions {
    try Certificate.Extensions {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: pathLength))
      Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      keyIdentifier
    }
  }

  /// Issues a document signer certificate (ISO/IEC 18013-5, B.1.4).
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public func documentSigner(
    name: CertificateName, publicKey: Certificate.PublicKey, contact: String, revocationList: String, terms: Terms
  ) throws -> Certificate {
    try Certificate(
      derEncoded: encodedDocumentSigner(
        name: name, publicKey: publicKey, contact: contact, revocationList: revocationList, terms: terms))
  }

  /// Issues a document signer certificate (ISO/IEC 18013-5, B.1.4), and returns it as DER.
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  package func encodedDocumentSigner(
    name: CertificateName, publicKey: Certificate.PublicKey, contact: String, revocationList: String, terms: Terms
  ) throws -> [UInt8] {
    let key = try SubjectKey(publicKey)
    var extensions = try leafExtensions(purpose: CertificateOID.documentSignerKeyPurpose, keyIdentifier: key.identifier)
    try extensions.append(alternativeIssuerName(contact))
    try extensions.append(crlDistributionPoint(revocationList))
    return try issue(name: name, key: key, terms: terms, extensions: extensions)
  }

  /// Issues a certificate for a signer of status lists (ISO/IEC 18013-5 second edition draft, 12.3.6 and B.1).
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public func statusListSigner(
    name: CertificateName, publicKey: Certificate.PublicKey, contact: String, terms: Terms
  ) throws -> Certificate {
    let key = try SubjectKey(publicKey)
    var extensions = try Certificate.Extensions {
      Critical(KeyUsage(digitalSignature: true))
      AuthorityKeyIdentifier(keyIdentifier: issuingKeyIdentifier)
      key.identifier
    }
    try extensions.append(alternativeIssuerName(contact))
    return try Certificate(derEncoded: issue(name: name, key: key, terms: terms, extensions: extensions))
  }

  /// Issues a certificate for a signer of lists of issuing authorities (ISO/IEC 18013-5, C.1.7.2).
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public func listSigner(
    name: CertificateName, publicKey: Certificate.PublicKey, contact: String, terms: Terms
  ) throws -> Certificate {
    let key = try SubjectKey(publicKey)
    var extensions = try leafExtensions(purpose: CertificateOID.listSignerKeyPurposes[0], keyIdentifier: key.identifier)
    try extensions.append(alternativeIssuerName(contact))
    return try Certificate(derEncoded: issue(name: name, key: key, terms: terms, extensions: extensions))
  }

  /// Issues a reader certificate (ISO/IEC 18013-5, B.1.7) for a domain, with its approved brand.
  /// - Parameter revocationList: The URI of the authority's list of revoked certificates, or nil without a list.
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public func reader(
    name: CertificateName, domain: String, brand: BrandIdentity?, publicKey: Certificate.PublicKey,
    revocationList: String? = nil, terms: Terms
  ) throws -> Certificate {
    try Certificate(
      derEncoded: encodedReader(
        name: name, domain: domain, brand: brand, key: SubjectKey(publicKey), revocationList: revocationList,
        terms: terms))
  }

  /// Issues the reader certificate that a website requests, and returns it as DER.
  /// - Parameters:
  ///   - country: The country in the certificate; nil without one.
  ///   - organization: The organization that the authority has verified.
  ///   - revocationList: The URI of the authority's list of revoked certificates, or nil without a list.
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  package func encodedReader(
    for request: ReaderCertificateRequest, country: String? = nil, organization: String, brand: BrandIdentity?,
    revocationList: String?, terms: Terms
  ) throws -> [UInt8] {
    try encodedReader(
      name: CertificateName(country: country, organization: organization, commonName: request.domain),
      domain: request.domain, brand: brand, key: request.key, revocationList: revocationList, terms: terms)
  }

  private func encodedReader(
    name: CertificateName, domain: String, brand: BrandIdentity?, key: SubjectKey, revocationList: String?, terms: Terms
  ) throws -> [UInt8] {
    var extensions = try leafExtensions(purpose: CertificateOID.readerKeyPurpose, keyIdentifier: key.identifier)
    try extensions.append(Certificate.Extension(SubjectAlternativeNames([.dnsName(domain)]), critical: false))
    if let brand { try extensions.append(brand.certificateExtension()) }
    if let logotype = brand?.logotype { try extensions.append(logotype.certificateExtension()) }
    if let revocationList { try extensions.append(crlDistributionPoint(revocationList)) }
    return try issue(name: name, key: key, terms: terms, extensions: extensions)
  }

  private func leafExtensions(
    purpose: ASN1ObjectIdentifier, keyIdentifier: SubjectKeyIdentifier
  ) throws -> Certificate.Extensions {
    try Certificate.Extensions {
      Critical(KeyUsage(digitalSignature: true))
      Critical(try ExtendedKeyUsage([ExtendedKeyUsage.Usage(oid: purpose)]))
      AuthorityKeyIdentifier(keyIdentifier: issuingKeyIdentifier)
      keyIdentifier
    }
  }

  /// Issues a certificate with any extensions, including those of faulty authorities.
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  package func issue(
    name: CertificateName, publicKey: Certificate.PublicKey, terms: Terms, extensions: Certificate.Extensions
  ) throws -> Certificate {
    try Certificate(derEncoded: issue(name: name, key: SubjectKey(publicKey), terms: terms, extensions: extensions))
  }

  /// Issues a certificate and returns it as DER.
  func issue(
    name: CertificateName, key: SubjectKey, terms: Terms, extensions: Certificate.Extensions
  ) throws -> [UInt8] {
    try signer.signed(
      CertificateContent(
        issuer: encodedIssuer, subject: name.encoded(), key: key, terms: terms, extensions: extensions
      ).encoded())
  }
}

extension Certificate {
  /// Returns a certificate with the same content and the signature of another issuer, as a forger makes it.
  /// - Throws: An error if the signer fails.
  package func copied(signedBy signer: some ES256Signer) throws -> Certificate {
    try Certificate(derEncoded: signer.signed(Array(tbsCertificateBytes)))
  }
}

/// Returns an issuer alternative name with one URI (RFC 5280, 4.2.1.7). It has the syntax of a subject alternative
/// name.
package func alternativeIssuerName(_ uri: String) throws -> Certificate.Extension {
  let names = try Certificate.Extension(SubjectAlternativeNames([.uniformResourceIdentifier(uri)]), critical: false)
  return Certificate.Extension(oid: CertificateOID.issuerAlternativeName, critical: false, value: names.value)
}

/// Returns CRL distribution points with one point of one URI (RFC 5280, 4.2.1.13).
package func crlDistributionPoint(_ uri: String) throws -> Certificate.Extension {
  let zero = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
  return try Certificate.Extension(CertificateOID.crlDistributionPoints) { value in
    try value.appendConstructedNode(identifier: .sequence) { points in
      try points.appendConstructedNode(identifier: .sequence) { point in
        try point.appendConstructedNode(identifier: zero) { name in
          try name.appendConstructedNode(identifier: zero) { fullName in
            try fullName.serialize(GeneralName.uniformResourceIdentifier(uri))
          }
        }
      }
    }
  }
}
