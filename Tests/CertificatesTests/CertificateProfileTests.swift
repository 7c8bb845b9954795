import COSE
import Crypto
import DocumentFixtures
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Certificate profiles")
struct CertificateProfileTests {
  /// Rules of the chain and of reading, which are not part of a profile.
  private static let outsideProfiles: Set<CertificateRule> = [.readable, .size, .rootInChain, .trustedItself]

  private func results(
    _ profile: CertificateProfile, _ change: (inout CertificateBlueprint) throws -> Void = { _ in },
    documentType: String? = nil
  ) throws -> [CheckResult] {
    let issuer = try Spaceport.shared.issuer
    var blueprint = try CertificateBlueprint(profile, issuer: issuer)
    try change(&blueprint)
    let made = try blueprint.made(by: issuer.root, key: fixedKey(1))
    // Checked as received, from its bytes.
    let certificate = try Certificate(derEncoded: made.derEncoded())
    return profile.check(certificate, issuer: profile.isRoot ? nil : try issuer.root, documentType: documentType)
  }

  @Test("issued certificates pass every rule of their profile")
  func ownCertificates() throws {
    let port = try Spaceport.shared
    let through = try Spaceport.readersWithIntermediate()
    let own: [(CertificateProfile, Certificate, Certificate?)] = [
      (.readerRoot, try through.root, nil), (.readerIntermediate, try through.issuing, try through.root),
      (.issuingAuthorityRoot, try port.issuer.root, nil), (.documentSigner, port.signer, try port.issuer.root),
      (.readerRoot, try port.readers.root, nil), (.reader, port.reader, try port.readers.root),
    ]
    for (profile, certificate, issuer) in own {
      for read in [certificate, try Certificate(derEncoded: certificate.derEncoded())] {
        let results = profile.check(read, issuer: issuer)
        #expect(results.count >= 8 && results.allSatisfy { $0.status == .passed }, "\(profile)")
      }
    }
    // The other three rules about keys are reported only if one of them is broken.
    let unspoken = Self.outsideProfiles.union([.keyKind, .keyEncoding, .keySupport])
    #expect(
      try Set(CertificateProfile.documentSigner.check(port.signer, issuer: port.issuer.root).map(\.reason))
        == Set(CertificateRule.allCases.filter { !unspoken.contains($0) }.map(\.rawValue)))
  }

  @Test("the unchanged certificate of these tests passes", arguments: CertificateProfile.allCases)
  func blueprint(profile: CertificateProfile) throws {
    #expect(try results(profile).allSatisfy { $0.status == .passed })
  }

  struct Row: Sendable, CustomStringConvertible {
    let description: String
    var profiles: [CertificateProfile] = CertificateProfile.allCases
    let rule: CertificateRule
    var outcome = CheckResult.Status.deviates
    let change: @Sendable (inout CertificateBlueprint) throws -> Void
  }

  static let leaves = CertificateProfile.allCases.filter { !$0.isAuthority }
  static let withPurpose = CertificateProfile.allCases.filter { $0.extendedKeyUsage != nil }
  static let roots: [CertificateProfile] = [.issuingAuthorityRoot, .readerRoot]
  static let authorities = CertificateProfile.allCases.filter(\.isAuthority)
  static let issued = CertificateProfile.allCases.filter { !roots.contains($0) }
  static let issuing: [CertificateProfile] = [.issuingAuthorityRoot, .issuingAuthorityLink, .documentSigner]
  static let ofPlace: [CertificateProfile] = [.documentSigner, .statusListSigner, .responder]
  static let rows = [
    Row(description: "version 1", rule: .version, outcome: .failed) { $0.version = .v1 },
    Row(description: "serial number 1", rule: .serialNumber) { $0.serial = [1] },
    Row(description: "serial number of 62 bits", rule: .serialNumber) {
      $0.serial = [0x3f] + [UInt8](repeating: 0xff, count: 7)
    },
    Row(description: "serial number of 21 octets", rule: .serialNumber) {
      $0.serial = [UInt8](repeating: 0x55, count: 21)
    },
    Row(description: "458 days", profiles: [.documentSigner], rule: .validityPeriod) { $0.days = 458 },
    Row(description: "1188 days", profiles: [.reader, .statusListSigner], rule: .validityPeriod) { $0.days = 1188 },
    Row(description: "21 years", profiles: authorities, rule: .validityPeriod) { $0.days = 21 * 366 },
    Row(description: "Ed25519", profiles: authorities, rule: .key, outcome: .failed) { $0.isEd25519 = true },
    Row(description: "no country", profiles: [.issuingAuthorityRoot, .listSigner], rule: .country) {
      $0.name.country = nil
    },
    Row(description: "a country of one letter", profiles: [.issuingAuthorityRoot, .reader], rule: .country) {
      $0.name.country = "U"
    },
    Row(description: "a small country", profiles: [.issuingAuthorityRoot, .reader], rule: .country) {
      $0.name.country = "us"
    },
    Row(description: "an unassigned country", profiles: [.issuingAuthorityRoot, .reader], rule: .countryCode) {
      $0.name.country = "UK"
    },
    Row(description: "a country in UTF-8", rule: .countryEncoding) {
      $0.distinguishedName = DistinguishedName([
        .init([.init(type: .RDNAttributeType.countryName, utf8String: "US")]),
        .init([try .init(type: .RDNAttributeType.stateOrProvinceName, printableString: "US-CA")]),
        .init([.init(type: .RDNAttributeType.commonName, utf8String: "Subject")]),
      ])
    },
    Row(description: "a common name in another type of string", rule: .nameEncoding, outcome: .failed) {
      $0.distinguishedName = DistinguishedName([
        .init([try .init(type: .RDNAttributeType.countryName, printableString: "US")]),
        .init([.init(type: .RDNAttributeType.stateOrProvinceName, utf8String: "US-CA")]),
        .init([try .init(type: .RDNAttributeType.commonName, ia5String: "Subject")]),
      ])
    },
    Row(description: "another issuer's name", profiles: issued, rule: .issuerName, outcome: .failed) {
      $0.issuerName = try CertificateName(commonName: "Somebody").distinguishedName()
    },
    Row(description: "an authority that is not its own issuer", profiles: roots, rule: .issuerName) {
      $0.issuerName = try CertificateName(commonName: "Somebody").distinguishedName()
    },
    Row(description: "another country", profiles: ofPlace, rule: .issuerCountry, outcome: .failed) {
      $0.name.country = "CA"
    },
    Row(description: "another state", profiles: ofPlace, rule: .issuerState, outcome: .failed) {
      $0.name.state = "US-NY"
    },
    Row(description: "no state where the issuer has one", profiles: ofPlace, rule: .issuerState) {
      $0.name.state = nil
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
      description: "path length 1", profiles: [.issuingAuthorityRoot, .issuingAuthorityLink, .readerIntermediate],
      rule: .basicConstraints, outcome: .failed
    ) { $0.pathLength = 1 },
    Row(
      description: "no path length", profiles: [.issuingAuthorityRoot, .issuingAuthorityLink, .readerIntermediate],
      rule: .basicConstraints
    ) { $0.pathLength = nil },
    Row(description: "basic constraints that are not critical", profiles: authorities, rule: .basicConstraints) {
      $0.basicConstraintsCritical = false
    },
    Row(description: "no key usage", rule: .keyUsage, outcome: .failed) { $0.usage = nil },
    Row(description: "every key usage", rule: .keyUsage, outcome: .failed) {
      $0.usage = KeyUsage(digitalSignature: true, keyCertSign: true, cRLSign: true)
    },
    Row(description: "key usage that is not critical", rule: .keyUsage) { $0.usageCritical = false },
    Row(description: "no purpose", profiles: withPurpose, rule: .extendedKeyUsage, outcome: .failed) {
      $0.purposes = []
    },
    Row(description: "another purpose", profiles: withPurpose, rule: .extendedKeyUsage, outcome: .failed) {
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
    Row(description: "a purpose that is not critical", profiles: [.documentSigner, .reader], rule: .extendedKeyUsage) {
      $0.purposesCritical = false
    },
    Row(description: "no subject key identifier", rule: .subjectKeyIdentifier) { $0.subjectKey = false },
    Row(description: "no issuer's key", profiles: issued, rule: .authorityKeyIdentifier) { $0.authorityKey = nil },
    Row(description: "another issuer's key", profiles: issued, rule: .authorityKeyIdentifier, outcome: .failed) {
      $0.authorityKey = [1]
    },
    Row(description: "no issuer alternative name", profiles: issuing, rule: .issuerAlternativeName) {
      $0.alternativeName = nil
    },
    Row(description: "an issuer alternative name that is a domain", profiles: issuing, rule: .issuerAlternativeName) {
      let names = SubjectAlternativeNames([.dnsName("issuer.example")])
      $0.alternativeName = [UInt8](try Certificate.Extension(names, critical: false).value)
    },
    Row(description: "an empty issuer alternative name", profiles: issuing, rule: .issuerAlternativeName) {
      $0.alternativeName = [0x30, 0x00]
    },
    Row(
      description: "no distribution point", profiles: [.documentSigner, .issuingAuthorityLink],
      rule: .crlDistributionPoints
    ) { $0.distributionPoints = nil },
    Row(description: "a distribution point without a scheme", rule: .crlDistributionPoints) {
      $0.distributionPoints = [UInt8](try crlDistributionPoint("issuer.example/crl").value)
    },
    Row(description: "an empty distribution point", rule: .crlDistributionPoints) {
      $0.distributionPoints = [0x30, 0x00]
    },
    Row(description: "a distribution point with reasons", rule: .crlDistributionPoints) {
      // Another member, [1], after the name of the distribution point.
      let whole = try crlDistributionPoint("https://a.example").value
      let point = whole.dropFirst(4)
      $0.distributionPoints = [0x30, UInt8(point.count + 6), 0x30, UInt8(point.count + 4)] + point + [0x81, 2, 1, 6]
    },
    Row(description: "name constraints", rule: .forbiddenExtension, outcome: .failed) {
      $0.others = [Certificate.Extension(oid: [2, 5, 29, 30], critical: false, value: [0x30, 0x00])]
    },
    Row(description: "an unknown critical extension", rule: .criticalExtension, outcome: .failed) {
      $0.others = [Certificate.Extension(oid: [1, 2, 3, 4], critical: true, value: [0x05, 0x00])]
    },
    Row(description: "a critical purpose of an authority", profiles: authorities, rule: .criticalExtension) {
      $0.purposes = [[1, 0, 18013, 5, 1, 7]]
    },
  ]

  @Test("each change breaks exactly one rule", arguments: rows)
  func broken(_ row: Row) throws {
    for profile in row.profiles {
      let results = try results(profile, row.change)
      let found = results.filter { $0.status != .passed }
      #expect(found.map(\.reason) == [row.rule.rawValue], "\(profile)")
      #expect(found.first?.status == row.outcome && found.first?.message.isEmpty == false)
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
    #expect(results.first { $0.reason == CertificateRule.commonName.rawValue }?.status == .deviates)
    #expect(results.first { $0.reason == CertificateRule.authorityKeyIdentifier.rawValue }?.status == .deviates)
  }

  @Test("the table breaks every rule without a test of its own")
  func complete() {
    let elsewhere: Set<CertificateRule> = [.commonName, .signatureAlgorithm, .keyKind, .keyEncoding, .keySupport]
    #expect(
      Set(Self.rows.map(\.rule)).union(elsewhere).union(Self.outsideProfiles)
        == Set(CertificateRule.allCases))
  }

  @Test("additional extended key usages are accepted")
  func morePurposes() throws {
    let both = try results(.documentSigner) { $0.purposes.append([1, 0, 23220, 4, 1, 2]) }
    #expect(both.allSatisfy { $0.status == .passed })
    let one = try results(.documentSigner)
    let messages = [both, one].map { results in
      results.first { $0.reason == CertificateRule.extendedKeyUsage.rawValue }?.message
    }
    // A missing recommendation is a note and not a deviation.
    #expect(
      messages[0] == CertificateRule.extendedKeyUsage.title
        && messages[1]?.contains("1.0.23220.4.1.2 is recommended") == true)
  }

  @Test("the required purpose depends on the signed document")
  func purposeByDocumentType() throws {
    let mobile = DocumentType.self
    let rows: [(String?, ASN1ObjectIdentifier, CheckResult.Status)] = [
      (mobile.drivingLicence, [1, 0, 18013, 5, 1, 2], .passed),
      (mobile.drivingLicence, [1, 0, 23220, 4, 1, 2], .failed),
      (mobile.drivingLicence, [1, 3, 130, 2, 0, 0, 1, 2], .failed), (mobile.photoID, [1, 0, 23220, 4, 1, 2], .passed),
      (mobile.photoID, [1, 0, 18013, 5, 1, 2], .passed), (mobile.photoID, [1, 3, 6, 1, 5, 5, 7, 3, 1], .failed),
      (mobile.personIdentification, [1, 3, 130, 2, 0, 0, 1, 2], .passed),
      (mobile.ageVerification, [1, 3, 6, 1, 5, 5, 7, 3, 1], .failed),
      (mobile.ageVerification, [1, 3, 130, 2, 0, 0, 9, 9], .deviates),
      (mobile.ageVerification, CertificateOID.statusSigningKeyPurpose, .failed),
      (mobile.ageVerification, [1, 0, 18013, 5, 1, 6], .failed), (nil, [1, 0, 18013, 5, 1, 2], .passed),
      (nil, [1, 0, 23220, 4, 1, 2], .passed), (nil, [1, 3, 130, 2, 0, 0, 1, 2], .failed),
    ]
    for (type, purpose, expected) in rows {
      let found = try results(.documentSigner, { $0.purposes = [purpose] }, documentType: type)
      let rule = found.first { $0.reason == CertificateRule.extendedKeyUsage.rawValue }
      #expect(rule?.status == expected, "\(type ?? "any") \(purpose)")
    }
  }

  @Test("a signer of lists needs no purpose, and may have none of another role")
  func purposesOfListSigners() throws {
    let own = CertificateOID.statusSigningKeyPurpose
    let rows: [([ASN1ObjectIdentifier], CheckResult.Status)] = [
      ([], .passed), ([own], .passed), ([[1, 2, 3, 4]], .deviates), ([own, CertificateOID.readerKeyPurpose], .failed),
      ([CertificateOID.documentSignerKeyPurpose], .failed), ([CertificateOID.mdocSignerKeyPurpose], .failed),
      ([CertificateOID.personIdentificationSignerKeyPurpose], .failed), ([CertificateOID.readerKeyPurpose], .failed),
      ([CertificateOID.responderKeyPurpose], .failed), ([CertificateOID.listSignerKeyPurposes[0]], .failed),
      ([[1, 3, 6, 1, 5, 5, 7, 3, 1]], .failed), ([own, [1, 3, 6, 1, 5, 5, 7, 3, 3]], .failed),
    ]
    for (purposes, expected) in rows {
      let found = try results(.statusListSigner) { ($0.purposes, $0.purposesCritical) = (purposes, false) }
      let rule = found.first { $0.reason == CertificateRule.extendedKeyUsage.rawValue }
      #expect(rule?.status == expected, "\(purposes)")
    }
  }

  @Test("Ed25519 signs documents and requests")
  func edwards() throws {
    for profile in Self.leaves {
      #expect(try results(profile) { $0.isEd25519 = true }.allSatisfy { $0.status == .passed }, "\(profile)")
    }
  }

  @Test("an OCSP responder is short-lived or names its revocation list")
  func responder() throws {
    let rule = CertificateRule.validityPeriod.rawValue
    let check = Certificate.Extension(oid: CertificateOID.noRevocationCheck, critical: false, value: [5, 0])
    for (days, expected) in [(90, CheckResult.Status.passed), (91, .deviates)] {
      let found = try results(.responder) { ($0.days, $0.distributionPoints, $0.others) = (days, nil, [check]) }
      #expect(found.first { $0.reason == rule }?.status == expected)
      #expect(found.filter { $0.reason != rule }.allSatisfy { $0.status == .passed })
    }
    let neither = try results(.responder) { ($0.days, $0.distributionPoints) = (90, nil) }
    #expect(neither.filter { $0.status != .passed }.map(\.reason) == [CertificateRule.crlDistributionPoints.rawValue])
  }

  @Test("the country codes are those of ISO 3166-1")
  func countryCodes() {
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(Unicode.Scalar($0)) }
    let all = letters.flatMap { first in letters.map { first + $0 } }.filter(CountryCodes.contains)
    // 249 countries, AA, QM to QZ, XA to XZ, ZZ, EU.
    #expect(all.count == 249 + 1 + 14 + 26 + 1 + 1)
    #expect(["US", "DE", "JP", "GB", "ZZ"].allSatisfy(all.contains) && !all.contains("UK") && !all.contains("UT"))
  }
}
