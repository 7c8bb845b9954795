import COSE
import Crypto
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import MobileDocument

@Suite("Certificate profiles")
struct CertificateProfileTests {
  /// A certificate whose parts a test may set to anything.
  struct Blueprint: Sendable {
    var version = Certificate.Version.v3
    var serial: [UInt8] = [UInt8](repeating: 0x55, count: 16)
    var days = 300
    var isEd25519 = false
    var name: CertificateName
    var isAuthority: Bool
    var pathLength: Int? = 0
    var hasBasicConstraints: Bool
    var basicConstraintsCritical = true
    var usage: KeyUsage?
    var usageCritical = true
    var purposes: [ASN1ObjectIdentifier]
    var purposesCritical = true
    var subjectKey = true
    var authorityKey: [UInt8]?
    var alternativeName = true
    var distributionPoints = true

    init(_ profile: CertificateProfile, issuer: CertificateAuthority) {
      name = CertificateName(country: "US", state: "US-CA", commonName: "Subject")
      isAuthority = profile.isAuthority
      hasBasicConstraints = profile.isAuthority
      usage = profile.isAuthority ? KeyUsage(keyCertSign: true, cRLSign: true) : KeyUsage(digitalSignature: true)
      purposes = profile.extendedKeyUsage.map { [$0] } ?? []
      authorityKey = profile.isRoot ? nil : issuer.keyIdentifier
    }

    func made(by issuer: Certificate, key issuerKey: P256.Signing.PrivateKey) throws -> Certificate {
      let subjectKey = try fixedKey(20)
      let edwards = try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 20, count: 32))
      let publicKey = isEd25519 ? Certificate.PublicKey(edwards.publicKey) : Certificate.PublicKey(subjectKey.publicKey)
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
      var unread: [ASN1ObjectIdentifier] = []
      if alternativeName { unread.append(CertificateOID.issuerAlternativeName) }
      if distributionPoints { unread.append(CertificateOID.crlDistributionPoints) }
      extensions += unread.map { Certificate.Extension(oid: $0, critical: false, value: [0x30, 0x00]) }
      let now = try Spaceport.shared.now
      return try Certificate(
        version: version, serialNumber: Certificate.SerialNumber(bytes: serial), publicKey: publicKey,
        notValidBefore: now.date, notValidAfter: now.adding(days: days).date, issuer: issuer.subject,
        subject: name.distinguishedName(), signatureAlgorithm: .ecdsaWithSHA256,
        extensions: Certificate.Extensions(extensions), issuerPrivateKey: Certificate.PrivateKey(issuerKey))
    }
  }

  private func results(
    _ profile: CertificateProfile, _ change: (inout Blueprint) -> Void = { _ in }
  ) throws -> [CheckResult] {
    let issuer = try Spaceport.shared.issuer
    var blueprint = Blueprint(profile, issuer: issuer)
    change(&blueprint)
    let made = try blueprint.made(by: issuer.root, key: fixedKey(1))
    // Checked as it would come from a stranger, through its bytes.
    let certificate = try Certificate(derEncoded: made.derEncoded())
    return profile.check(certificate, issuer: profile.isRoot ? nil : issuer.root)
  }

  @Test("what authorities issue passes every rule of its profile")
  func ownCertificates() throws {
    let port = try Spaceport.shared
    let through = try Spaceport.readersWithIntermediate()
    let own: [(CertificateProfile, Certificate, Certificate?)] = [
      (.readerRoot, through.root, nil), (.readerIntermediate, through.issuing, through.root),
      (.issuingAuthorityRoot, port.issuer.root, nil), (.documentSigner, port.signer, port.issuer.root),
      (.readerRoot, port.readers.root, nil), (.reader, port.reader, port.readers.root),
    ]
    for (profile, certificate, issuer) in own {
      for read in [certificate, try Certificate(derEncoded: certificate.derEncoded())] {
        let results = profile.check(read, issuer: issuer)
        #expect(results.count >= 8 && results.allSatisfy { $0.outcome == .passed }, "\(profile)")
      }
    }
    #expect(
      Set(CertificateProfile.documentSigner.check(port.signer, issuer: port.issuer.root).map(\.code))
        == Set(CertificateRule.allCases.map(\.rawValue)))
  }

  @Test("the blueprint of these tests passes too", arguments: CertificateProfile.allCases)
  func blueprint(profile: CertificateProfile) throws {
    #expect(try results(profile).allSatisfy { $0.outcome == .passed })
  }

  struct Row: Sendable, CustomStringConvertible {
    let description: String
    var profiles: [CertificateProfile] = CertificateProfile.allCases
    let rule: CertificateRule
    var outcome = CheckResult.Outcome.deviates
    let change: @Sendable (inout Blueprint) -> Void
  }

  static let leaves: [CertificateProfile] = [.documentSigner, .reader]
  static let roots: [CertificateProfile] = [.issuingAuthorityRoot, .readerRoot]
  static let authorities = roots + [.readerIntermediate]
  static let issued = leaves + [.readerIntermediate]
  static let issuing: [CertificateProfile] = [.issuingAuthorityRoot, .documentSigner]
  static let rows = [
    Row(description: "version 1", rule: .version) { $0.version = .v1 },
    Row(description: "serial number 1", rule: .serialNumber) { $0.serial = [1] },
    Row(description: "serial number of 62 bits", rule: .serialNumber) {
      $0.serial = [0x3f] + [UInt8](repeating: 0xff, count: 7)
    },
    Row(description: "serial number of 21 octets", rule: .serialNumber) {
      $0.serial = [UInt8](repeating: 0x55, count: 21)
    },
    Row(description: "458 days", profiles: [.documentSigner], rule: .validityPeriod) { $0.days = 458 },
    Row(description: "1188 days", profiles: [.reader], rule: .validityPeriod) { $0.days = 1188 },
    Row(description: "21 years", profiles: authorities, rule: .validityPeriod) { $0.days = 21 * 366 },
    Row(description: "Ed25519", rule: .key, outcome: .failed) { $0.isEd25519 = true },
    Row(description: "no country", profiles: [.issuingAuthorityRoot], rule: .country) { $0.name.country = nil },
    Row(description: "a country of one letter", profiles: [.issuingAuthorityRoot], rule: .country) {
      $0.name.country = "U"
    },
    Row(description: "a small country", profiles: [.issuingAuthorityRoot], rule: .country) { $0.name.country = "us" },
    Row(description: "another country", profiles: [.documentSigner], rule: .issuerPlace, outcome: .failed) {
      $0.name.country = "UT"
    },
    Row(description: "another state", profiles: [.documentSigner], rule: .issuerPlace, outcome: .failed) {
      $0.name.state = "US-NY"
    },
    Row(description: "an authority where none may be", profiles: leaves, rule: .basicConstraints, outcome: .failed) {
      ($0.isAuthority, $0.hasBasicConstraints) = (true, true)
    },
    Row(description: "no authority", profiles: authorities, rule: .basicConstraints, outcome: .failed) {
      $0.isAuthority = false
    },
    Row(description: "no basic constraints", profiles: authorities, rule: .basicConstraints, outcome: .failed) {
      $0.hasBasicConstraints = false
    },
    Row(
      description: "path length 1", profiles: [.issuingAuthorityRoot, .readerIntermediate], rule: .basicConstraints,
      outcome: .failed
    ) { $0.pathLength = 1 },
    Row(description: "basic constraints that are not critical", profiles: authorities, rule: .basicConstraints) {
      $0.basicConstraintsCritical = false
    },
    Row(description: "no key usage", rule: .keyUsage, outcome: .failed) { $0.usage = nil },
    Row(description: "every key usage", rule: .keyUsage, outcome: .failed) {
      $0.usage = KeyUsage(digitalSignature: true, keyCertSign: true, cRLSign: true)
    },
    Row(description: "key usage that is not critical", rule: .keyUsage) { $0.usageCritical = false },
    Row(description: "no purpose", profiles: leaves, rule: .extendedKeyUsage, outcome: .failed) { $0.purposes = [] },
    Row(description: "another purpose", profiles: leaves, rule: .extendedKeyUsage, outcome: .failed) {
      $0.purposes = [[1, 3, 6, 1, 5, 5, 7, 3, 1]]
    },
    Row(description: "a signer's purpose for a reader", profiles: [.reader], rule: .extendedKeyUsage, outcome: .failed)
    {
      $0.purposes = [CertificateOID.documentSignerKeyPurpose]
    },
    Row(
      description: "a reader's purpose for a signer", profiles: [.documentSigner], rule: .extendedKeyUsage,
      outcome: .failed
    ) {
      $0.purposes = [CertificateOID.readerKeyPurpose]
    },
    Row(description: "a purpose that is not critical", profiles: leaves, rule: .extendedKeyUsage) {
      $0.purposesCritical = false
    },
    Row(description: "no subject key identifier", rule: .subjectKeyIdentifier) { $0.subjectKey = false },
    Row(
      description: "no issuer's key", profiles: issued, rule: .authorityKeyIdentifier, outcome: .failed
    ) { $0.authorityKey = nil },
    Row(description: "another issuer's key", profiles: issued, rule: .authorityKeyIdentifier, outcome: .failed) {
      $0.authorityKey = [1]
    },
    Row(description: "no issuer alternative name", profiles: issuing, rule: .issuerAlternativeName) {
      $0.alternativeName = false
    },
    Row(description: "no distribution point", profiles: [.documentSigner], rule: .crlDistributionPoints) {
      $0.distributionPoints = false
    },
  ]

  @Test("each rule can be broken, and nothing else is", arguments: rows)
  func broken(_ row: Row) throws {
    for profile in row.profiles {
      let results = try results(profile, row.change)
      let found = results.filter { $0.outcome != .passed }
      #expect(found.map(\.code) == [row.rule.rawValue], "\(profile)")
      #expect(found.first?.outcome == row.outcome && found.first?.sentence.isEmpty == false)
    }
  }

  @Test("a common name can be missing")
  func commonName() throws {
    let key = Certificate.PrivateKey(try fixedKey(20))
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
      notValidBefore: Spaceport.shared.now.date, notValidAfter: Spaceport.shared.now.adding(days: 1).date,
      issuer: DistinguishedName(), subject: DistinguishedName(), signatureAlgorithm: .ecdsaWithSHA256,
      extensions: Certificate.Extensions(), issuerPrivateKey: key)
    let results = CertificateProfile.reader.check(certificate)
    #expect(results.first { $0.code == CertificateRule.commonName.rawValue }?.outcome == .deviates)
    #expect(results.first { $0.code == CertificateRule.authorityKeyIdentifier.rawValue }?.outcome == .failed)
  }

  @Test("the table breaks every rule but the one that has its own test")
  func complete() {
    #expect(Set(Self.rows.map(\.rule)).union([.commonName]) == Set(CertificateRule.allCases))
  }

  @Test("more purposes than the one that is needed do no harm")
  func morePurposes() throws {
    let results = try results(.documentSigner) { $0.purposes.append([1, 0, 23220, 4, 1, 2]) }
    #expect(results.allSatisfy { $0.outcome == .passed })
  }
}
