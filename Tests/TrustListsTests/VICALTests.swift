import CBOR
import COSE
import Certificates
import Checks
import CrossCheckTrait
import Crypto
import DocumentFixtures
import Primitives
import TestSupport
import Testing
import TrustLists
import X509

/// A provider of lists, and lists that it signs.
private struct Provider {
  let port: Spaceport
  let root: CertificateAuthority
  let trusted: TrustedCertificates
  let key: P256.Signing.PrivateKey
  let signer: Certificate

  init() throws {
    port = try Spaceport.shared
    key = try fixedKey(51)
    root = try CertificateAuthority(
      name: CertificateName(country: "US", commonName: "Lists"), contact: "https://lists.example",
      terms: Spaceport.terms(port.now, days: 3650), signer: fixedKey(50))
    trusted = TrustedCertificates([try root.root], for: .listSigner)
    signer = try Self.signer(of: root, key: key)
  }

  static func signer(
    of root: CertificateAuthority, key: P256.Signing.PrivateKey, profile: CertificateProfile = .listSigner
  ) throws -> Certificate {
    var blueprint = try CertificateBlueprint(profile, issuer: root)
    blueprint.subjectPublicKey = Certificate.PublicKey(key.publicKey)
    return try blueprint.made(by: root.root, key: fixedKey(50))
  }

  /// An entry for a certificate, with replaced members.
  func entry(_ certificate: Certificate, _ replacing: [String: CBORValue?] = [:]) throws -> CBORValue {
    let members: [(String, CBORValue)] = [
      ("certificate", .bytes(try certificate.derEncoded())),
      ("serialNumber", .tagged(2, .bytes(Array(certificate.serialNumber.bytes)))),
      ("ski", .bytes(certificate.subjectKeyIdentifier ?? [])), ("docType", .array([.text("org.iso.18013.5.1.mDL")])),
      ("issuingAuthority", .text("Spaceport")), ("issuingCountry", .text("US")),
    ]
    return .textMap(members.compactMap { name, value in (replacing[name] ?? value).map { (name, $0) } })
  }

  /// A signed list, with replaced members.
  func list(
    entries: [CBORValue]? = nil, _ replacing: [String: CBORValue?] = [:], chain: [Certificate]? = nil,
    key signing: P256.Signing.PrivateKey? = nil
  ) throws -> [UInt8] {
    let members: [(String, CBORValue)] = [
      ("version", .text("1.0")), ("vicalProvider", .text("Lists")), ("date", date(port.now.adding(seconds: -3600))),
      ("vicalIssueID", .unsigned(3)), ("nextUpdate", date(port.now.adding(seconds: 86_400))),
      ("certificateInfos", .array(try entries ?? [entry(port.issuer.root), entry(port.otherIssuer.root)])),
    ]
    let payload = CBORValue.textMap(
      members.compactMap { name, value in (replacing[name] ?? value).map { (name, $0) } })
    return try COSESign1.sign(
      payload: payload.encoded, detached: false, x5chain: try (chain ?? [signer]).map { try $0.derEncoded() },
      with: signing ?? key)
  }

  func date(_ moment: DateTime) -> CBORValue { .tagged(0, .text("\(moment)")) }

  func report(
    _ bytes: [UInt8], trusting other: TrustedCertificates? = nil, after last: VICAL.Issue? = nil
  ) async -> UnverifiedVICAL.Report {
    await UnverifiedVICAL(bytes).verified(trusting: other ?? trusted, at: port.now, after: last)
  }

  /// The findings of a list.
  func findings(_ bytes: [UInt8], trusting other: TrustedCertificates? = nil) async -> [String] {
    await report(bytes, trusting: other).checks.filter { $0.status != .passed && $0.status != .notReached }.map(\.name)
  }
}

@Suite("Lists of issuing authorities", .crossChecked)
struct VICALTests {
  private let provider: Provider

  init() throws { provider = try Provider() }

  @Test("Are verified in the order of the checks")
  func verified() async throws {
    let report = await provider.report(try provider.list())
    #expect(report.checks.map(\.check) == VICALCheck.definitions.map(\.id))
    #expect(report.checks.filter { $0.status == .failed } == [])
    let list = try #require(report.list)
    #expect(list.provider == "Lists" && list.issueID == 3 && list.entries.count == 2)
    #expect(list.entries[0].documentTypes == ["org.iso.18013.5.1.mDL"] && list.entries[0].issuingCountry == "US")
    let trusted = [try provider.port.issuer.root, try provider.port.otherIssuer.root]
    #expect(report.trustedIssuers.anchors == trusted)
    let path = await report.trustedIssuers.validate([provider.port.signer], at: provider.port.now)
    #expect(try (try? path.get())?.anchor == provider.port.issuer.root)
  }

  @Test("Are trusted only when a trusted provider signed them")
  func signers() async throws {
    let none = TrustedCertificates([], for: .listSigner)
    #expect(await provider.findings(try provider.list(), trusting: none) == ["vical.signer/untrusted"])
    let others = try Provider.signer(of: provider.root, key: provider.key, profile: .documentSigner)
    #expect(await provider.findings(try provider.list(chain: [others])).contains("vical.signer/invalid"))
    let forged = try provider.list(key: fixedKey(52))
    #expect(await provider.findings(forged).contains("vical.signature"))
    let report = await provider.report(forged)
    #expect(report.list == nil && report.trustedIssuers.count == 0)
  }

  @Test("Are refused with a reason for each fault")
  func faults() async throws {
    let now = provider.port.now
    func names(_ replacing: [String: CBORValue?], entries: [CBORValue]? = nil) async throws -> [String] {
      await provider.findings(try provider.list(entries: entries, replacing))
        .filter { $0 != "vical.signer/departs" }
    }
    #expect(try await names(["version": .text("2.0")]) == ["vical.version"])
    #expect(
      try await names(["date": provider.date(now.adding(seconds: 60))]) == ["vical.validity/not-yet-valid"])
    #expect(
      try await names(["nextUpdate": provider.date(now.adding(seconds: -60))]) == ["vical.validity/stale"])
    #expect(try await names(["nextUpdate": nil as CBORValue?]) == [])
    for (name, value) in [
      ("vicalProvider", nil), ("date", .text("2025-09-15T17:00:00Z")), ("date", .tagged(0, .text("today"))),
      ("certificateInfos", .textMap([])), ("certificateInfos", .array([.unsigned(1)])), ("vicalIssueID", .integer(-1)),
    ] as [(String, CBORValue?)] {
      #expect(try await names([name: value]) == ["vical.contents/malformed"], "\(name)")
    }
    #expect(await provider.findings([0x80]) == ["vical.structure/malformed"])
    #expect(await provider.findings(try provider.list(chain: [])) == ["vical.structure/malformed"])
  }

  @Test("Are refused if they are older than the last one: by their numbers, or by their dates without one")
  func sequence() async throws {
    let date = provider.port.now.adding(seconds: -3600)
    let numbered = try provider.list()
    let unnumbered = try provider.list(["vicalIssueID": nil as CBORValue?])
    for (bytes, last, isOlder) in [
      (numbered, nil, false), (numbered, VICAL.Issue(number: 3, date: date), false),
      (numbered, VICAL.Issue(number: 2, date: date.adding(days: 1)), false),
      (numbered, VICAL.Issue(number: 4, date: date.adding(days: -1)), true),
      (numbered, VICAL.Issue(number: nil, date: date), false),
      (numbered, VICAL.Issue(number: nil, date: date.adding(seconds: 1)), true),
      (unnumbered, VICAL.Issue(number: 9, date: date), false),
      (unnumbered, VICAL.Issue(number: 1, date: date.adding(seconds: 1)), true),
    ] {
      let report = await provider.report(bytes, after: last)
      #expect((report.list == nil) == isOlder, "\(String(describing: last))")
      #expect(report.checks.contains { $0.name == "vical.sequence" && $0.status == .failed } == isOlder)
    }
  }

  @Test("Are written as they are read")
  func draft() async throws {
    let now = provider.port.now
    let draft = VICALDraft(
      provider: "Lists", date: now, issueID: 7, nextUpdate: now.adding(days: 7),
      entries: [
        try VICAL.Entry(
          of: provider.port.issuer.encodedRoot, documentTypes: ["org.iso.18013.5.1.mDL"], issuingAuthority: "Spaceport",
          issuingCountry: "US", stateOrProvince: "US-CA")
      ])
    let certificate = try provider.root.listSigner(
      name: CertificateName(country: "US", commonName: "Signer"),
      publicKey: Certificate.PublicKey(provider.key.publicKey),
      contact: "https://lists.example", terms: Spaceport.terms(now, days: 30))
    let report = await provider.report(
      try draft.signed(by: provider.key, chain: [try certificate.derEncoded()]))
    #expect(report.checks.filter { $0.status != .passed }.map(\.name) == [])
    let list = try #require(report.list)
    #expect(list.issue == VICAL.Issue(number: 7, date: now) && list.nextUpdate == now.adding(days: 7))
    #expect(list.entries == draft.entries)
    #expect(try report.trustedIssuers.anchors == [provider.port.issuer.root])
  }

  @Test("Leave out certificates that their entries do not describe")
  func entries() async throws {
    let root = try provider.port.issuer.root
    for (name, value) in [
      ("ski", CBORValue.bytes([1])), ("serialNumber", .unsigned(1)), ("certificate", .bytes([0x30, 0])),
      ("certificate", .bytes(try provider.port.otherIssuer.root.derEncoded())),
    ] {
      let report = await provider.report(
        try provider.list(entries: [
          provider.entry(root, [name: value]), provider.entry(provider.port.otherIssuer.root),
        ]))
      let found = report.checks.filter { $0.check == "vical.entries" }.map(\.name)
      #expect(found == [value == .bytes([0x30, 0]) ? "vical.entries/unusable" : "vical.entries/mismatch"], "\(name)")
      #expect(try report.trustedIssuers.anchors == [provider.port.otherIssuer.root])
    }
  }
}
