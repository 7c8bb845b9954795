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
  /// The self-signed root.
  public let root: Certificate
  /// The intermediate certificates, the issuing one first. Empty if the root issues.
  public let intermediates: [Certificate]
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

    var serial: Certificate.SerialNumber {
      var bytes = serialNumber
      if let first = bytes.first { bytes[0] = first & 0x7f | 0x40 }
      return Certificate.SerialNumber(bytes: bytes)
    }
  }

  /// Creates an authority with a self-signed root.
  ///
  /// - Parameters:
  ///   - profile: ``CertificateProfile/issuingAuthorityRoot`` or ``CertificateProfile/readerRoot``.
  ///   - pathLength: The largest number of intermediate certificates below the root.
  ///   - contact: The URI of the issuer alternative name, which issuing authorities must have.
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public init(
    profile: CertificateProfile, pathLength: Int = 0, name: CertificateName, contact: String, terms: Terms,
    signer: some ES256Signer
  ) throws {
    let subject = try name.distinguishedName()
    let publicKey = Certificate.PublicKey(signer.publicKey)
    let keyIdentifier = SubjectKeyIdentifier(hash: publicKey)
    var extensions = try Self.authorityExtensions(keyIdentifier, pathLength: pathLength)
    try extensions.append(alternativeIssuerName(contact))
    root = try Certificate(
      version: .v3, serialNumber: terms.serial, publicKey: publicKey, notValidBefore: terms.from.date,
      notValidAfter: terms.until.date, issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: extensions, issuerPrivateKey: Certificate.PrivateKey(CertificateSigningKey(signer: signer)))
    intermediates = []
    issuingKeyIdentifier = keyIdentifier.keyIdentifier
    self.pathLength = pathLength
    self.signer = signer
  }

  private init(
    root: Certificate, intermediates: [Certificate], issuingKeyIdentifier: ArraySlice<UInt8>, pathLength: Int,
    signer: any ES256Signer
  ) {
    self.root = root
    self.intermediates = intermediates
    self.issuingKeyIdentifier = issuingKeyIdentifier
    self.pathLength = pathLength
    self.signer = signer
  }

  /// The `keyIdentifier` of the root, by which registrations name the authority.
  public var keyIdentifier: [UInt8] { root.subjectKeyIdentifier ?? [] }

  /// The issuing certificate: the first of ``intermediates``, or the root.
  public var issuing: Certificate { intermediates.first ?? root }

  /// Returns a subordinate authority with the same root, which issues with a new intermediate certificate.
  /// - Throws: ``CertificateRuleError``, or an error if the name cannot be encoded or a signer fails.
  public func intermediate(
    name: CertificateName, terms: Terms, signer subordinate: some ES256Signer
  ) throws -> CertificateAuthority {
    guard pathLength > 0 else {
      throw CertificateRuleError(
        .pathLength, .basicConstraints,
        "the path length constraint of \(issuing.subject) does not allow an authority below it")
    }
    let publicKey = Certificate.PublicKey(subordinate.publicKey)
    let keyIdentifier = SubjectKeyIdentifier(hash: publicKey)
    var extensions = try Self.authorityExtensions(keyIdentifier, pathLength: pathLength - 1)
    let issuer = AuthorityKeyIdentifier(keyIdentifier: issuingKeyIdentifier)
    try extensions.append(Certificate.Extension(issuer, critical: false))
    let certificate = try issue(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
    return CertificateAuthority(
      root: root, intermediates: [certificate] + intermediates, issuingKeyIdentifier: keyIdentifier.keyIdentifier,
      pathLength: pathLength - 1, signer: subordinate)
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
    var extensions = try leafExtensions(
      purpose: CertificateOID.documentSignerKeyPurpose, keyIdentifier: SubjectKeyIdentifier(hash: publicKey))
    try extensions.append(alternativeIssuerName(contact))
    try extensions.append(crlDistributionPoint(revocationList))
    return try issue(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
  }

  /// Issues a certificate for a signer of status lists (ISO/IEC 18013-5 second edition draft, 12.3.6 and B.1).
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public func statusListSigner(
    name: CertificateName, publicKey: Certificate.PublicKey, contact: String, terms: Terms
  ) throws -> Certificate {
    var extensions = try Certificate.Extensions {
      Critical(KeyUsage(digitalSignature: true))
      AuthorityKeyIdentifier(keyIdentifier: issuingKeyIdentifier)
      SubjectKeyIdentifier(hash: publicKey)
    }
    try extensions.append(alternativeIssuerName(contact))
    return try issue(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
  }

  /// Issues a reader certificate (ISO/IEC 18013-5, B.1.7) for a domain, with its approved brand.
  /// - Parameters:
  ///   - keyIdentifier: The SHA-1 of the key's bits, or nil to compute it.
  ///   - revocationList: The URI of the authority's list of revoked certificates, or nil without a list.
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public func reader(
    name: CertificateName, domain: String, brand: BrandIdentity?, publicKey: Certificate.PublicKey,
    keyIdentifier: [UInt8]? = nil, revocationList: String? = nil, terms: Terms
  ) throws -> Certificate {
    var extensions = try leafExtensions(
      purpose: CertificateOID.readerKeyPurpose,
      keyIdentifier: keyIdentifier.map { SubjectKeyIdentifier(keyIdentifier: $0[...]) }
        ?? SubjectKeyIdentifier(hash: publicKey))
    try extensions.append(Certificate.Extension(SubjectAlternativeNames([.dnsName(domain)]), critical: false))
    if let brand { try extensions.append(brand.certificateExtension()) }
    if let revocationList { try extensions.append(crlDistributionPoint(revocationList)) }
    return try issue(name: name, publicKey: publicKey, terms: terms, extensions: extensions)
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
    try Certificate(
      version: .v3, serialNumber: terms.serial, publicKey: publicKey, notValidBefore: terms.from.date,
      notValidAfter: terms.until.date, issuer: issuing.subject, subject: try name.distinguishedName(),
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(CertificateSigningKey(signer: signer)))
  }
}

extension Certificate {
  /// Returns a certificate with the same content and the signature of another issuer, as a forger makes it.
  /// - Throws: An error if the signer fails.
  package func copied(signedBy signer: some ES256Signer) throws -> Certificate {
    try Certificate(
      version: .v3, serialNumber: serialNumber, publicKey: publicKey, notValidBefore: notValidBefore,
      notValidAfter: notValidAfter, issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: extensions, issuerPrivateKey: Certificate.PrivateKey(CertificateSigningKey(signer: signer)))
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

/// Adapts an ES256 signer to the library's private keys, so that a world's certificates are reproducible byte for byte.
struct CertificateSigningKey: CustomPrivateKey {
  let signer: any ES256Signer

  static func == (left: CertificateSigningKey, right: CertificateSigningKey) -> Bool {
    left.signer.publicKey.rawRepresentation == right.signer.publicKey.rawRepresentation
  }

  func hash(into hasher: inout Hasher) { hasher.combine(signer.publicKey.rawRepresentation) }

  var publicKey: Certificate.PublicKey { Certificate.PublicKey(signer.publicKey) }
  var defaultSignatureAlgorithm: Certificate.SignatureAlgorithm { .ecdsaWithSHA256 }
  var supportedSignatureAlgorithms: [Certificate.SignatureAlgorithm] { [.ecdsaWithSHA256] }

  func signSynchronously(
    bytes: some DataProtocol, signatureAlgorithm: Certificate.SignatureAlgorithm
  ) throws -> Certificate.Signature {
    try Certificate.Signature(
      signatureAlgorithm: signatureAlgorithm, signatureBytes: signer.encodedSignature(for: [UInt8](bytes)))
  }

  static let defaultPEMDiscriminator = "PRIVATE KEY"

  /// Always throws: private keys are not exported.
  func serialize(into coder: inout DER.Serializer) throws {
    throw COSEError(.key, "private keys are not exported")
  }
}

extension ES256Signer {
  /// Returns a signature in the form of certificates: `Ecdsa-Sig-Value` (RFC 3279, 2.2.3).
  /// - Throws: An error if the key cannot sign.
  func encodedSignature(for message: [UInt8]) throws -> ASN1BitString {
    let raw = try signature(for: message)
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { numbers in
      for number in [raw.prefix(raw.count / 2), raw.suffix(raw.count / 2)] {
        try numbers.serialize(number.drop { $0 == 0 })
      }
    }
    return ASN1BitString(bytes: serializer.serializedBytes[...])
  }
}
