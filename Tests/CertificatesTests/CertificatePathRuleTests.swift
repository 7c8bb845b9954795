import CrossCheckTrait
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

/// Paths that are valid except for one field of one certificate.
@Suite("Rules of certificate paths", .crossChecked)
struct CertificatePathRuleTests {
  /// A root, an intermediate and a reader certificate whose fields a test may change.
  private struct Family {
    struct Member {
      var name: String
      var isAuthority = true
      var pathLength: Int?
      var usage: KeyUsage? = KeyUsage(keyCertSign: true)
      var days: ClosedRange<Int> = -100...100
      var others: [Certificate.Extension] = []
      var key: Certificate.PrivateKey
      /// The key that issues the leaf.
      var algorithm = Certificate.SignatureAlgorithm.ecdsaWithSHA256
    }

    var root: Member
    var between: Member
    let now: DateTime

    init() throws {
      now = try Spaceport.shared.now
      root = Member(name: "Top", key: Certificate.PrivateKey(try fixedKey(60)))
      between = Member(name: "Middle", key: Certificate.PrivateKey(try fixedKey(61)))
    }

    private func certificate(_ member: Member, by issuer: Member) throws -> Certificate {
      var extensions: [Certificate.Extension] = []
      if member.isAuthority {
        let constraints = BasicConstraints.isCertificateAuthority(maxPathLength: member.pathLength)
        extensions.append(try Certificate.Extension(constraints, critical: true))
      }
      if let usage = member.usage { extensions.append(try Certificate.Extension(usage, critical: true)) }
      extensions.append(
        try Certificate.Extension(SubjectKeyIdentifier(hash: member.key.publicKey), critical: false))
      return try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(bytes: [UInt8](repeating: 0x55, count: 16)),
        publicKey: member.key.publicKey, notValidBefore: now.adding(days: member.days.lowerBound).date,
        notValidAfter: now.adding(days: member.days.upperBound).date,
        issuer: CertificateName(commonName: issuer.name).distinguishedName(),
        subject: CertificateName(commonName: member.name).distinguishedName(),
        signatureAlgorithm: issuer.algorithm, extensions: Certificate.Extensions(extensions + member.others),
        issuerPrivateKey: issuer.key)
    }

    func made() throws -> (leaf: Certificate, between: Certificate, root: Certificate) {
      let top = try certificate(root, by: root)
      let between = try certificate(self.between, by: root)
      var blueprint = try CertificateBlueprint(.reader, issuer: Spaceport.shared.readers)
      blueprint.authorityKey = between.subjectKeyIdentifier
      let leaf = try blueprint.made(by: between, key: fixedKey(61))
      return (leaf, between, top)
    }
  }

  private struct Verdict: Equatable {
    let code: CertificatePathError.Code
    let place: CertificatePathError.Place
    let rule: String?

    init(_ code: CertificatePathError.Code, _ place: CertificatePathError.Place, _ rule: CertificateRule? = nil) {
      (self.code, self.place, self.rule) = (code, place, rule?.name)
    }

    init(_ error: CertificatePathError) {
      code = error.code
      place = error.place
      rule = error.fields.first { $0.field == "rule" }?.found
    }
  }

  private func verdict(
    _ chain: [Certificate], _ anchor: Certificate, as profile: CertificateProfile = .reader, at time: DateTime? = nil
  ) async throws -> Verdict? {
    let moment = try time ?? Spaceport.shared.now
    switch await TrustedCertificates([anchor], for: profile).validate(chain, at: moment) {
    case .success: return nil
    case .failure(let error): return Verdict(error)
    }
  }

  private func verdict(_ change: (inout Family) throws -> Void) async throws -> Verdict? {
    var family = try Family()
    try change(&family)
    let (leaf, between, root) = try family.made()
    return try await verdict([leaf, between], root)
  }

  @Test("an intermediate must follow the rules for all certificates")
  func intermediates() async throws {
    #expect(try await verdict { _ in } == nil)
    // A forbidden extension is refused even if it is not critical.
    let names = Certificate.Extension(oid: .X509ExtensionID.nameConstraints, critical: false, value: [0x30, 0x00])
    #expect(try await verdict { $0.between.others = [names] } == Verdict(.profile, .path, .forbiddenExtension))
    let unknown = Certificate.Extension(oid: [1, 2, 3, 4], critical: true, value: [0x05, 0x00])
    #expect(try await verdict { $0.between.others = [unknown] } == Verdict(.profile, .path, .criticalExtension))
    #expect(try await verdict { $0.root.others = [unknown] } == Verdict(.profile, .path, .criticalExtension))
    #expect(try await verdict { $0.between.days = -100 ... -1 } == Verdict(.expired, .path))
    #expect(try await verdict { $0.root.days = 1...100 } == Verdict(.notYetValid, .path))
    #expect(try await verdict { $0.between.isAuthority = false } == Verdict(.profile, .path, .basicConstraints))
    #expect(try await verdict { $0.root.pathLength = 0 } == Verdict(.profile, .path, .basicConstraints))
  }

  @Test("a trusted certificate with a key usage issues only if the usage allows it")
  func anchorsUsage() async throws {
    #expect(try await verdict { $0.root.usage = nil } == nil)
    #expect(
      try await verdict { $0.root.usage = KeyUsage(digitalSignature: true) } == Verdict(.profile, .path, .keyUsage))
    // The same applies to a trusted signer with CA rights.
    let port = try Spaceport.shared
    var blueprint = try CertificateBlueprint(.documentSigner, issuer: port.issuer)
    (blueprint.isAuthority, blueprint.hasBasicConstraints) = (true, true)
    let pinned = try blueprint.made(by: port.issuer.root, key: fixedKey(1))
    #expect(try await verdict([pinned], pinned, as: .documentSigner) == nil)
    var below = try CertificateBlueprint(.documentSigner, issuer: port.issuer)
    below.name.commonName = "Below"
    below.authorityKey = pinned.subjectKeyIdentifier
    let leaf = try below.made(by: pinned, key: fixedKey(20))
    #expect(try await verdict([leaf], pinned, as: .documentSigner) == Verdict(.profile, .path, .keyUsage))
  }

  @Test("no certificate issues with an EdDSA key, trusted or not")
  func edwards() async throws {
    let edwards = try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 21, count: 32))
    var family = try Family()
    (family.root.key, family.root.algorithm) = (Certificate.PrivateKey(edwards), .ed25519)
    let (leaf, between, root) = try family.made()
    // An intermediate must not have the root's signature algorithm.
    #expect(try await verdict([leaf, between], root) == Verdict(.profile, .path, .signatureAlgorithm))
    let port = try Spaceport.shared
    let signed = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(bytes: [UInt8](repeating: 0x55, count: 16)),
      publicKey: Certificate.PublicKey(fixedKey(3).publicKey), notValidBefore: port.now.date,
      notValidAfter: port.now.adding(days: 9).date, issuer: root.subject,
      subject: CertificateName(country: "US", commonName: "Signer").distinguishedName(), signatureAlgorithm: .ed25519,
      extensions: Certificate.Extensions(), issuerPrivateKey: Certificate.PrivateKey(edwards))
    #expect(try await verdict([signed], root, as: .documentSigner) == Verdict(.key, .path, .key))
    // And the leaf breaks its own profile.
    let results = CertificateProfile.documentSigner.check(signed)
    #expect(results.first { $0.reason == CertificateRule.signatureAlgorithm.rawValue }?.status == .failed)
  }

  @Test("an error only in the leaf shows that its issuer is trusted")
  func places() async throws {
    let port = try Spaceport.shared
    let root = try port.readers.root
    let late = port.reader.validity.until.adding(seconds: 1)
    #expect(try await verdict([port.reader], root, at: late) == Verdict(.expired, .leaf))
    let later = root.validity.until.adding(seconds: 1)
    #expect(try await verdict([port.reader], root, at: later) == Verdict(.expired, .path))
    #expect(try await verdict([port.reader], root, as: .documentSigner)?.place == .leaf)
    #expect(try await verdict([port.reader], port.otherReaders.root) == Verdict(.untrusted, .path))
    #expect(try await verdict([], root) == Verdict(.untrusted, .path))
  }

  @Test("of many trusted certificates with one name, those with the key identifier are tried first")
  func manyOfOneName() async throws {
    let port = try Spaceport.shared
    let others = try (0..<40).map { number in
      try CertificateAuthority(
        name: CertificateName(country: "US", state: "US-CA", commonName: "Readers"),
        contact: "https://readers.example", terms: Spaceport.terms(port.now, days: 100),
        signer: fixedKey(UInt8(100 + number))
      ).root
    }
    let trusted = TrustedCertificates(others + [try port.readers.root], for: .reader)
    #expect(try await trusted.validate([port.reader], at: port.now).get().anchor == port.readers.root)
  }

  @Test("unused bits of a key usage are ignored")
  func unusedBits() throws {
    let port = try Spaceport.shared
    func usage(_ value: [UInt8]) throws -> String? {
      var blueprint = try CertificateBlueprint(.reader, issuer: port.readers)
      blueprint.usage = nil
      blueprint.others = [Certificate.Extension(oid: .X509ExtensionID.keyUsage, critical: true, value: value[...])]
      return CertificateFields(try blueprint.made(by: port.readers.root, key: fixedKey(4))).usage?.usage.names
    }
    #expect(try usage([0x03, 0x02, 0x07, 0x80]) == "digitalSignature")
    #expect(try usage([0x03, 0x02, 0x07, 0x84]) == "digitalSignature")
    #expect(try usage([0x03, 0x02, 0x00, 0x84]) == "digitalSignature, keyCertSign")
    #expect(try usage([0x03, 0x03, 0x07, 0x06, 0x00]) == "keyCertSign, cRLSign")
    #expect(try usage([0x03, 0x03, 0x07, 0x06, 0x7f]) == "keyCertSign, cRLSign")
    #expect(try usage([0x03, 0x02, 0x08, 0x84]) == nil)
  }

  @Test("a response with an invalid path is never reported as that of a trusted issuer")
  func responses() async throws {
    let port = try Spaceport.shared
    func results(_ chain: [Certificate], key: P256.Signing.PrivateKey, root: Certificate) async throws -> [String] {
      let held = try port.held(port.draft(), chain: chain, signedBy: key)
      let request = Spaceport.request(["family_name"])
      let document = try held.presented(
        held.answer(to: request).nameSpaces, over: port.transcript, signedWith: port.deviceKey)
      let report = await port.verify(
        DeviceResponseWriter.encoded(documents: [document]), requests: [request], trusting: [root])
      #expect(report.verified == nil)
      let trust = report.checks.filter { $0.name == "issuer.trust" }
      #expect(trust.map(\.status) == [.failed])
      return report.failed.filter { $0.hasPrefix("issuer.") }
    }
    // A signer that another signer certified, which is not an authority.
    var below = try CertificateBlueprint(.documentSigner, issuer: port.issuer)
    below.authorityKey = port.signer.subjectKeyIdentifier
    let leaf = try below.made(by: port.signer, key: port.signerKey)
    #expect(
      try await results([leaf, port.signer], key: fixedKey(20), root: port.issuer.root) == ["issuer.trust"])
    let expired = try CertificateAuthority(
      name: CertificateName(country: "US", state: "US-CA", commonName: "Bygone"),
      contact: "https://bygone.example",
      terms: CertificateAuthority.Terms(
        from: port.now.adding(days: -100), until: port.now.adding(days: -1),
        serialNumber: [UInt8](repeating: 0x55, count: 16)), signer: fixedKey(62))
    let signer = try Spaceport.documentSigner(
      of: expired, key: port.signerKey, terms: Spaceport.terms(port.now, days: 200))
    #expect(try await results([signer], key: port.signerKey, root: expired.root) == ["issuer.trust"])
  }
}
