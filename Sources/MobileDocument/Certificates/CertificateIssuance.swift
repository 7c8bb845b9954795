import COSE
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

/// An authority that issues certificates: its root certificate and the key behind it.
public struct CertificateAuthority: Sendable {
  /// The self-signed root.
  public let root: Certificate
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

  /// Makes the root of an authority.
  ///
  /// - Parameters:
  ///   - profile: ``CertificateProfile/issuingAuthorityRoot`` or ``CertificateProfile/readerRoot``.
  ///   - contact: URI of the issuer alternative name, which issuing authorities must have.
  /// - Throws: when the name cannot be written or the signer cannot sign.
  public init(
    profile: CertificateProfile, name: CertificateName, contact: String, terms: Terms, signer: some ES256Signer
  ) throws {
    let subject = try name.distinguishedName()
    let publicKey = Certificate.PublicKey(signer.publicKey)
    var extensions = try Certificate.Extensions {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
      Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      SubjectKeyIdentifier(hash: publicKey)
    }
    try extensions.append(alternativeIssuerName(contact))
    root = try Certificate(
      version: .v3, serialNumber: terms.serial, publicKey: publicKey, notValidBefore: terms.from.date,
      notValidAfter: terms.until.date, issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: extensions, issuerPrivateKey: Certificate.PrivateKey(CertificateSigningKey(signer: signer)))
    self.signer = signer
  }

  /// `keyIdentifier` of the root, by which registrations name the authority.
  public var keyIdentifier: [UInt8] { root.subjectKeyIdentifier ?? [] }

  /// Issues a document signer certificate (ISO/IEC 18013-5, B.1.4).
  /// - Throws: when the name cannot be written or the key cannot sign.
  public func documentSigner(
    name: CertificateName, publicKey: Certificate.PublicKey, contact: String, revocationList: String, terms: Terms
  ) throws -> Certificate {
    var extensions = try leafExtensions(publicKey: publicKey, purpose: CertificateOID.documentSignerKeyPurpose)
    try extensions.append(alternativeIssuerName(contact))
    try extensions.append(crlDistributionPoint(revocationList))
    return try leaf(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
  }

  /// Issues a reader certificate (ISO/IEC 18013-5, B.1.7) for a domain, with the brand that was approved for it.
  /// - Throws: when the name cannot be written or the key cannot sign.
  public func reader(
    name: CertificateName, domain: String, brand: BrandIdentity?, publicKey: Certificate.PublicKey, terms: Terms
  ) throws -> Certificate {
    var extensions = try leafExtensions(publicKey: publicKey, purpose: CertificateOID.readerKeyPurpose)
    try extensions.append(Certificate.Extension(SubjectAlternativeNames([.dnsName(domain)]), critical: false))
    if let brand { try extensions.append(brand.certificateExtension()) }
    return try leaf(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
  }

  private func leafExtensions(
    publicKey: Certificate.PublicKey, purpose: ASN1ObjectIdentifier
  ) throws -> Certificate.Extensions {
    try Certificate.Extensions {
      Critical(KeyUsage(digitalSignature: true))
      Critical(try ExtendedKeyUsage([ExtendedKeyUsage.Usage(oid: purpose)]))
      AuthorityKeyIdentifier(keyIdentifier: ArraySlice(keyIdentifier))
      SubjectKeyIdentifier(hash: publicKey)
    }
  }

  private func leaf(
    name: CertificateName, publicKey: Certificate.PublicKey, terms: Terms, extensions: Certificate.Extensions
  ) throws -> Certificate {
    try Certificate(
      version: .v3, serialNumber: terms.serial, publicKey: publicKey, notValidBefore: terms.from.date,
      notValidAfter: terms.until.date, issuer: root.subject, subject: try name.distinguishedName(),
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(CertificateSigningKey(signer: signer)))
  }
}

/// Issuer alternative name with one URI (RFC 5280, 4.2.1.7). It has the syntax of a subject alternative name.
private func alternativeIssuerName(_ uri: String) throws -> Certificate.Extension {
  let names = try Certificate.Extension(SubjectAlternativeNames([.uniformResourceIdentifier(uri)]), critical: false)
  return Certificate.Extension(oid: CertificateOID.issuerAlternativeName, critical: false, value: names.value)
}

/// CRL distribution points with one point of one URI (RFC 5280, 4.2.1.13).
private func crlDistributionPoint(_ uri: String) throws -> Certificate.Extension {
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
