import COSE
import Primitives
import SwiftASN1
import X509

/// The name of a certificate's subject.
public struct CertificateName: Sendable, Equatable {
  /// Two upper-case letters; nil leaves the attribute out.
  public var country: String?
  /// State or province, as `US-CA`; nil leaves the attribute out.
  public var state: String?
  /// Organization; nil leaves the attribute out.
  public var organization: String?
  /// Common name.
  public var commonName: String

  /// A name from its parts.
  public init(country: String? = nil, state: String? = nil, organization: String? = nil, commonName: String) {
    self.country = country
    self.state = state
    self.organization = organization
    self.commonName = commonName
  }

  func distinguishedName() throws -> DistinguishedName {
    var names: [RelativeDistinguishedName] = []
    if let country { names.append(try CountryName(country).makeRDN()) }
    if let state { names.append(try StateOrProvinceName(state).makeRDN()) }
    if let organization { names.append(try OrganizationName(organization).makeRDN()) }
    names.append(try CommonName(commonName).makeRDN())
    return DistinguishedName(names)
  }
}

/// An authority that issues certificates: its root certificate, those between the root and what it issues, and the key
/// that issues.
public struct CertificateAuthority: Sendable {
  /// The self-signed root.
  public let root: Certificate
  /// Certificates between the root and what the authority issues, the issuing one first; none when the root issues.
  public let intermediates: [Certificate]
  /// How many further authorities may follow below ``issuing`` (RFC 5280, 4.2.1.9).
  private let pathLength: Int
  private let signer: any ES256Signer

  /// How long and from when a certificate is valid, and its serial number.
  public struct Terms: Sendable {
    /// Start of validity.
    public var from: DateTime
    /// End of validity.
    public var until: DateTime
    /// 8 to 20 random octets; the first is made positive and not zero.
    public var serialNumber: [UInt8]

    /// Terms from their parts.
    public init(from: DateTime, until: DateTime, serialNumber: [UInt8]) {
      self.from = from
      self.until = until
      self.serialNumber = serialNumber
    }

    var serial: Certificate.SerialNumber {
      var bytes = serialNumber
      if let first = bytes.first { bytes[0] = first & 0x7f | 0x40 }
      return Certificate.SerialNumber(bytes: bytes)
    }
  }

  /// The path length constraint of an authority's certificate leaves no room for another authority below it.
  public struct NoRoomForIntermediate: Error, Sendable, CustomStringConvertible {
    /// Subject of the certificate with the constraint.
    public let subject: String

    /// What is wrong, for a person to read.
    public var description: String { "the path length constraint of \(subject) allows no authority below it" }
  }

  /// Makes the root of an authority.
  ///
  /// - Parameters:
  ///   - profile: ``CertificateProfile/issuingAuthorityRoot`` or ``CertificateProfile/readerRoot``.
  ///   - pathLength: how many intermediates may stand between the root and what the authority issues.
  ///   - contact: URI of the issuer alternative name, which issuing authorities must have.
  /// - Throws: when the name cannot be written or the signer cannot sign.
  public init(
    profile: CertificateProfile, pathLength: Int = 0, name: CertificateName, contact: String, terms: Terms,
    signer: some ES256Signer
  ) throws {
    let subject = try name.distinguishedName()
    let publicKey = Certificate.PublicKey(signer.publicKey)
    var extensions = try Self.authorityExtensions(publicKey: publicKey, pathLength: pathLength)
    try extensions.append(alternativeIssuerName(contact))
    root = try Certificate(
      version: .v3, serialNumber: terms.serial, publicKey: publicKey, notValidBefore: terms.from.date,
      notValidAfter: terms.until.date, issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: extensions, issuerPrivateKey: Certificate.PrivateKey(CertificateSigningKey(signer: signer)))
    intermediates = []
    self.pathLength = pathLength
    self.signer = signer
  }

  private init(root: Certificate, intermediates: [Certificate], pathLength: Int, signer: any ES256Signer) {
    self.root = root
    self.intermediates = intermediates
    self.pathLength = pathLength
    self.signer = signer
  }

  /// `keyIdentifier` of the root, by which registrations name the authority.
  public var keyIdentifier: [UInt8] { root.subjectKeyIdentifier ?? [] }

  /// The certificate whose key issues: the first of ``intermediates``, or the root.
  public var issuing: Certificate { intermediates.first ?? root }

  /// Certifies an authority below this one: the same root, with an intermediate in front of it that issues.
  /// - Throws: ``NoRoomForIntermediate``; or when the name cannot be written or a signer cannot sign.
  public func intermediate(
    name: CertificateName, terms: Terms, signer subordinate: some ES256Signer
  ) throws -> CertificateAuthority {
    guard pathLength > 0 else { throw NoRoomForIntermediate(subject: issuing.subject.description) }
    let publicKey = Certificate.PublicKey(subordinate.publicKey)
    var extensions = try Self.authorityExtensions(publicKey: publicKey, pathLength: pathLength - 1)
    let issuer = AuthorityKeyIdentifier(keyIdentifier: ArraySlice(issuing.subjectKeyIdentifier ?? []))
    try extensions.append(Certificate.Extension(issuer, critical: false))
    let certificate = try issue(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
    return CertificateAuthority(
      root: root, intermediates: [certificate] + intermediates, pathLength: pathLength - 1, signer: subordinate)
  }

  private static func authorityExtensions(
    publicKey: Certificate.PublicKey, pathLength: Int
  ) throws -> Certificate.Extensions {
    try Certificate.Extensions {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: pathLength))
      Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      SubjectKeyIdentifier(hash: publicKey)
    }
  }

  /// Issues a document signer certificate (ISO/IEC 18013-5, B.1.4).
  /// - Throws: when the name cannot be written or the key cannot sign.
  public func documentSigner(
    name: CertificateName, publicKey: Certificate.PublicKey, contact: String, revocationList: String, terms: Terms
  ) throws -> Certificate {
    var extensions = try leafExtensions(publicKey: publicKey, purpose: CertificateOID.documentSignerKeyPurpose)
    try extensions.append(alternativeIssuerName(contact))
    try extensions.append(crlDistributionPoint(revocationList))
    return try issue(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
  }

  /// Issues a certificate for a signer of status lists (ISO/IEC 18013-5 second edition draft, 12.3.6 and B.1).
  /// - Throws: when the name cannot be written or the key cannot sign.
  public func statusListSigner(
    name: CertificateName, publicKey: Certificate.PublicKey, contact: String, terms: Terms
  ) throws -> Certificate {
    var extensions = try Certificate.Extensions {
      Critical(KeyUsage(digitalSignature: true))
      AuthorityKeyIdentifier(keyIdentifier: ArraySlice(issuing.subjectKeyIdentifier ?? []))
      SubjectKeyIdentifier(hash: publicKey)
    }
    try extensions.append(alternativeIssuerName(contact))
    return try issue(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
  }

  /// Issues a reader certificate (ISO/IEC 18013-5, B.1.7) for a domain, with the brand that was approved for it.
  /// - Throws: when the name cannot be written or the key cannot sign.
  public func reader(
    name: CertificateName, domain: String, brand: BrandIdentity?, publicKey: Certificate.PublicKey, terms: Terms
  ) throws -> Certificate {
    var extensions = try leafExtensions(publicKey: publicKey, purpose: CertificateOID.readerKeyPurpose)
    try extensions.append(Certificate.Extension(SubjectAlternativeNames([.dnsName(domain)]), critical: false))
    if let brand { try extensions.append(brand.certificateExtension()) }
    return try issue(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
  }

  private func leafExtensions(
    publicKey: Certificate.PublicKey, purpose: ASN1ObjectIdentifier
  ) throws -> Certificate.Extensions {
    try Certificate.Extensions {
      Critical(KeyUsage(digitalSignature: true))
      Critical(try ExtendedKeyUsage([ExtendedKeyUsage.Usage(oid: purpose)]))
      AuthorityKeyIdentifier(keyIdentifier: ArraySlice(issuing.subjectKeyIdentifier ?? []))
      SubjectKeyIdentifier(hash: publicKey)
    }
  }

  /// Issues a certificate with any extensions, also for those who err.
  /// - Throws: when the name cannot be written or the key cannot sign.
  package func issue(
    name: CertificateName, publicKey: Certificate.PublicKey, terms: Terms, extensions: Certificate.Extensions
  ) throws -> Certificate {
    try Certificate(
      version: .v3, serialNumber: terms.serial, publicKey: publicKey, notValidBefore: terms.from.date,
      notValidAfter: terms.until.date, issuer: issuing.subject, subject: try name.distinguishedName(),
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(CertificateSigningKey(signer: signer)))
  }
}

/// Issuer alternative name with one URI (RFC 5280, 4.2.1.7). It has the syntax of a subject alternative name.
func alternativeIssuerName(_ uri: String) throws -> Certificate.Extension {
  let names = try Certificate.Extension(SubjectAlternativeNames([.uniformResourceIdentifier(uri)]), critical: false)
  return Certificate.Extension(oid: CertificateOID.issuerAlternativeName, critical: false, value: names.value)
}

/// CRL distribution points with one point of one URI (RFC 5280, 4.2.1.13).
func crlDistributionPoint(_ uri: String) throws -> Certificate.Extension {
  let zero = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
  var serializer = DER.Serializer()
  try serializer.appendConstructedNode(identifier: .sequence) { points in
    try points.appendConstructedNode(identifier: .sequence) { point in
      try point.appendConstructedNode(identifier: zero) { name in
        try name.appendConstructedNode(identifier: zero) { fullName in
          try fullName.serialize(GeneralName.uniformResourceIdentifier(uri))
        }
      }
    }
  }
  return Certificate.Extension(
    oid: CertificateOID.crlDistributionPoints, critical: false, value: ArraySlice(serializer.serializedBytes))
}
