import COSE
import Certificates
import Checks
import Crypto
import MobileDocument
import Primitives
import StatusLists
import SwiftASN1
import TestSupport
import X509

/// A certificate with fields that a test can set to any value.
package struct CertificateBlueprint: Sendable {
  package var version = Certificate.Version.v3
  package var serial: [UInt8] = [UInt8](repeating: 0x55, count: 16)
  package var days = 300
  package var isEd25519 = false
  /// Replaces the usual key.
  package var subjectPublicKey: Certificate.PublicKey?
  package var edwardsKey: Curve25519.Signing.PrivateKey?
  package var name: CertificateName
  /// Replaces ``name`` if a test needs attributes that it does not have.
  package var distinguishedName: DistinguishedName?
  package var isSelfIssued: Bool
  package var issuerName: DistinguishedName?
  package var isAuthority: Bool
  package var pathLength: Int? = 0
  package var hasBasicConstraints: Bool
  package var basicConstraintsCritical = true
  package var usage: KeyUsage?
  package var usageCritical = true
  package var purposes: [ASN1ObjectIdentifier]
  package var purposesCritical = true
  package var subjectKey = true
  package var authorityKey: [UInt8]?
  package var alternativeName: [UInt8]?
  package var distributionPoints: [UInt8]?
  package var others: [Certificate.Extension] = []

  package init(_ profile: CertificateProfile, issuer: CertificateAuthority) throws {
    name = CertificateName(country: "US", state: "US-CA", commonName: "Subject")
    isSelfIssued = profile.isRoot
    isAuthority = profile.isAuthority
    hasBasicConstraints = profile.isAuthority
    usage = profile.isAuthority ? KeyUsage(keyCertSign: true, cRLSign: true) : KeyUsage(digitalSignature: true)
    purposes = profile.extendedKeyUsage.map { [$0] } ?? []
    authorityKey = profile.isRoot ? nil : issuer.keyIdentifier
    alternativeName = [UInt8](try alternativeIssuerName("https://issuer.example").value)
    distributionPoints = [UInt8](try crlDistributionPoint("https://issuer.example/crl").value)
  }

  package func made(by issuer: Certificate, key issuerKey: P256.Signing.PrivateKey) throws -> Certificate {
    let subjectKey = try fixedKey(20)
    let edwards = try edwardsKey ?? Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 20, count: 32))
    let usual = isEd25519 ? Certificate.PublicKey(edwards.publicKey) : Certificate.PublicKey(subjectKey.publicKey)
    let publicKey = subjectPublicKey ?? usual
    var extensions: [Certificate.Extension] = []
    if hasBasicConstraints {
      let constraints =
        isAuthority ? BasicConstraints.isCertificateAuthority(maxPathLength: pathLength) : .notCertificateAuthority
      extensions.append(try Certificate.Extension(constraints, critical: basicConstraintsCritical))
    }
    if let usage { extensions.append(try Certificate.Extension(usage, critical: usageCritical)) }
    if !purposes.isEmpty {
      let usages = try ExtendedKeyUsage(purposes.map(ExtendedKeyUsage.Usage.init(oid:)))
      extensions.append(try Certificate.Extension(usages, critical: purposesCritical))
    }
    if self.subjectKey {
      extensions.append(try Certificate.Extension(SubjectKeyIdentifier(hash: publicKey), critical: false))
    }
    if let authorityKey {
      extensions.append(
        try Certificate.Extension(AuthorityKeyIdentifier(keyIdentifier: ArraySlice(authorityKey)), critical: false))
    }
    for (oid, value) in [
      (CertificateOID.issuerAlternativeName, alternativeName),
      (CertificateOID.crlDistributionPoints, distributionPoints),
    ] {
      if let value { extensions.append(Certificate.Extension(oid: oid, critical: false, value: value[...])) }
    }
    extensions += others
    let subject = try distinguishedName ?? name.distinguishedName()
    let now = try Spaceport.shared.now
    return try Certificate(
      version: version, serialNumber: Certificate.SerialNumber(bytes: serial), publicKey: publicKey,
      notValidBefore: now.date, notValidAfter: now.adding(days: days).date,
      issuer: issuerName ?? (isSelfIssued ? subject : issuer.subject), subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: Certificate.Extensions(extensions), issuerPrivateKey: Certificate.PrivateKey(issuerKey))
  }
}
