import CBOR
import COSE
import Crypto
import DocumentFixtures
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Verification of a status")
struct StatusVerificationTests {
  private let world: StatusPort

  init() throws { world = try StatusPort() }

  /// The token without its expiry, signed again.
  private static func withoutEnd(_ token: [UInt8], signedAgainBy key: P256.Signing.PrivateKey) throws -> [UInt8] {
    let parts = try CBORReader.read(token).withoutTag(18).array(count: 4)
    guard case .map(let claims) = CBORValue(try CBORReader.read(try parts.at(2).bytes())) else { return token }
    return try COSESign1.signTagged(
      payload: CBORValue.map(claims.filter { $0.key != .integer(StatusTokenLabel.expires) }).encoded,
      protectedHeader: try parts.at(0).bytes(), with: key)
  }

  private static let allOfList = StatusCheck.ofList.map(\.id)

  @Test("a document that is valid in a genuine list stays verified, with every check passed")
  func valid() async throws {
    let outcome = try await world.checked(world.token(world.statusList()))
    #expect(outcome.failed == [] && outcome.deviating == [] && outcome.report.verified != nil)
    let checks = outcome.report.checks.filter { $0.check.hasPrefix("status.") }
    #expect(checks.map(\.name) == ["status.published", "status.structure"] + Self.allOfList)
    #expect(checks.allSatisfy { $0.status == .passed })
    #expect(outcome.lifetimes.map(\.list) == [StatusPort.uri])
    #expect(outcome.lifetimes.first?.until == world.now.adding(seconds: 3600))
  }

  @Test("the status is checked after all other checks, and only for a verified response")
  func order() async throws {
    let report = try await world.report()
    #expect(report.statusLists(under: .standard).map(\.uri) == [StatusPort.uri])
    #expect(report.statusLists(under: .none).isEmpty)
    let outcome = await report.checkingStatus([:], under: .strict, at: world.now)
    #expect(Array(outcome.report.checks.prefix(report.checks.count)) == report.checks)
    let expired = try await world.report(at: world.now.adding(days: 31))
    #expect(expired.failed == ["mso.validity/expired"])
    #expect(expired.statusLists(under: .strict).isEmpty && expired.statusQueries.isEmpty)
    let unlisted = try await world.report(nil)
    #expect(unlisted.statusLists(under: .strict).isEmpty)
    for policy in [RevocationPolicy.standard, .strictWherePublished] {
      let unchanged = await unlisted.checkingStatus([:], under: policy, at: world.now)
      let status = unchanged.report.checks.dropFirst(unlisted.checks.count)
      #expect(Array(unchanged.report.checks.prefix(unlisted.checks.count)) == unlisted.checks)
      #expect(status.map(\.name) == ["status.published", "status.structure"])
      #expect(status.allSatisfy { $0.status == .passed } && unchanged.report.verified != nil)
    }
  }

  @Test("a document without a list is refused by a policy that requires a status")
  func absent() async throws {
    let unlisted = try await world.report(nil)
    let outcome = await unlisted.checkingStatus([:], under: .strict, at: world.now)
    #expect(outcome.failed == ["status.published"] && outcome.report.verified == nil)
    let token = StatusListAnswer.token(try world.token(world.statusList()), fetched: world.now)
    let report = try await world.report()
    let listed = await report.checkingStatus([StatusPort.uri: token], under: .strict, at: world.now)
    #expect(listed.failed == [] && listed.report.verified != nil)
    #expect(listed.report.checks.contains { $0.name == "status.published" && $0.status == .passed })
  }

  @Test("each URI is fetched once, and only over TLS")
  func locations() async throws {
    let other = "https://spaceport.example/ids/1"
    let twice = try await world.report(
      DocumentStatus([
        StatusReference(.index(1), uri: StatusPort.uri), StatusReference(.identifier([1]), uri: StatusPort.uri),
      ]))
    #expect(twice.statusLists(under: .standard).map(\.uri) == [StatusPort.uri])
    let mixed = try await world.report(
      DocumentStatus([
        StatusReference(.index(1), uri: "http://spaceport.example/1"), StatusReference(.identifier([1]), uri: other),
      ]))
    #expect(mixed.statusLists(under: .standard).map(\.uri) == [other])
  }

  @Test("entries of every width are checked", arguments: StatusList.EntrySize.allCases)
  func values(size: StatusList.EntrySize) async throws {
    let revoked = try await world.checked(world.token(world.statusList(1, entrySize: size)))
    #expect(revoked.failed == ["status.revocation/revoked"] && revoked.report.verified == nil)
    guard size != .one else { return }
    let suspended = try await world.checked(world.token(world.statusList(2, entrySize: size)))
    #expect(suspended.failed == ["status.revocation/suspended"] && suspended.report.verified == nil)
    let unknown = try await world.checked(world.token(world.statusList(3, entrySize: size)))
    #expect(unknown.failed == ["status.value"] && unknown.report.verified == nil)
    #expect(unknown.notReached == ["status.revocation"])
  }

  @Test("a listed identifier is revoked, another is not")
  func identifiers() async throws {
    let reference = StatusReference(.identifier(StatusPort.identifier), uri: StatusPort.uri)
    let listed = try world.token(world.claims(.identifierList([StatusPort.identifier, [1]])))
    #expect(try await world.checked(listed, reference: reference).failed == ["status.revocation/revoked"])
    for others in [[], [[0xab], [0xab, 0xcd, 0]]] as [Set<[UInt8]>] {
      let outcome = try await world.checked(world.token(world.claims(.identifierList(others))), reference: reference)
      #expect(outcome.failed == [] && outcome.report.verified != nil)
    }
  }

  /// A change of a list, and its findings.
  struct Row: Sendable, CustomStringConvertible {
    let description: String
    let token: [UInt8]?
    var reference: StatusReference?
    let failed: [String]
    var deviating: [String] = []
    var reached = StatusCheck.revocation
  }

  static var rows: [Row] {
    get throws {
      let world = try StatusPort()
      let port = world.port
      let good = world.statusList()
      let otherRoot = try world.signer(of: port.otherIssuer)
      var elsewhere = good
      elsewhere.subject += "0"
      var future = good
      future.issuedAt = world.now.adding(seconds: 61)
      var over = good
      over.expires = world.now.adding(seconds: -1)
      let far = StatusReference(.index(16), uri: StatusPort.uri)
      let open = StatusReference(.index(StatusPort.index), uri: "http://spaceport.example/status/1")
      var flipped = try world.token(good)
      flipped[flipped.count - 1] ^= 1
      let identifiers = world.claims(.identifierList([]))
      return [
        Row(
          description: "nothing there", token: nil, failed: [], deviating: ["status.list.fetched"], reached: .fetched),
        Row(
          description: "no TLS", token: try world.token(good), reference: open, failed: [],
          deviating: ["status.list.location"],
          reached: .location),
        Row(
          description: "no token", token: [0xa0], failed: ["status.list.structure/malformed"], reached: .listStructure),
        Row(
          description: "nothing in it", token: [], failed: ["status.list.structure/malformed"], reached: .listStructure),
        Row(
          description: "another kind of list", token: try world.token(identifiers),
          failed: ["status.list.type/other-type", "status.list.claims/malformed"], reached: .listClaims),
        Row(
          description: "another type", token: try world.token(good) { $0.type = "application/cwt" },
          failed: ["status.list.type/other-type"]),
        Row(
          description: "the draft's spelling", token: try world.token(good) { $0.type = "statuslist+cwt" }, failed: [],
          deviating: ["status.list.type/departs"]),
        Row(
          description: "signed by the document signer",
          token: try world.token(good, chain: [port.signer], signedBy: port.signerKey),
          failed: ["status.list.signer", "status.list.certificate/invalid"]),
        Row(
          description: "signed by another document signer of the same root",
          token: try world.token(
            good,
            chain: [
              Spaceport.documentSigner(
                of: port.issuer, key: world.listKey, terms: Spaceport.terms(world.now, days: 100))
            ]), failed: ["status.list.certificate/invalid"]),
        Row(
          description: "signed by a reader of the same root",
          token: try world.token(
            good,
            chain: [Spaceport.reader(of: port.issuer, key: world.listKey, terms: Spaceport.terms(world.now, days: 100))]
          ),
          failed: ["status.list.certificate/invalid"]),
        Row(
          description: "signed under a document signer", token: try world.token(good, chain: world.underSigner()),
          failed: ["status.list.trust"], reached: .listSignature),
        Row(
          description: "signed with the document signer's key, certified again",
          token: try world.token(
            good,
            chain: [
              port.issuer.statusListSigner(
                name: CertificateName(country: "US", commonName: "List Signer"),
                publicKey: Certificate.PublicKey(port.signerKey.publicKey), contact: "https://spaceport.example",
                terms: Spaceport.terms(world.now, days: 10))
            ], signedBy: port.signerKey), failed: ["status.list.signer"], deviating: ["status.list.certificate/profile"]
        ),
        Row(
          description: "under another root", token: try world.token(good, chain: [otherRoot]),
          failed: ["status.list.trust"], reached: .listSignature),
        Row(
          description: "under another root that travels along",
          token: try world.token(good, chain: [otherRoot, port.otherIssuer.root]), failed: ["status.list.trust"],
          reached: .listSignature),
        Row(
          description: "without a certificate", token: try world.token(good, chain: []),
          failed: ["status.list.trust"], reached: .listTrust),
        Row(
          description: "expired certificate",
          token: try world.token(good, chain: [world.signer(days: 10, at: world.now.adding(days: -6))]),
          failed: ["status.list.certificate/invalid"]),
        Row(
          description: "certificate for too long", token: try world.token(good, chain: [world.signer(days: 1300)]),
          failed: [], deviating: ["status.list.certificate/profile"]),
        Row(
          description: "an authority's own certificate",
          token: try world.token(good, chain: [port.issuer.root], signedBy: fixedKey(1)),
          failed: ["status.list.certificate/invalid"]),
        Row(
          description: "a bit flipped", token: flipped, failed: ["status.list.signature"], reached: .listSignature),
        Row(
          description: "another key", token: try world.token(good, signedBy: fixedKey(41)),
          failed: ["status.list.signature"], reached: .listSignature),
        Row(
          description: "no end", token: try Self.withoutEnd(world.token(good), signedAgainBy: world.listKey),
          failed: ["status.list.claims/malformed"], reached: .listClaims),
        Row(
          description: "another list", token: try world.token(elsewhere), failed: ["status.list.subject"],
          reached: .listValidity),
        Row(
          description: "from the future", token: try world.token(future), failed: ["status.list.validity/not-yet-valid"]
        ),
        Row(description: "over", token: try world.token(over), failed: [], deviating: ["status.list.validity/stale"]),
        Row(
          description: "past the end", token: try world.token(good), reference: far,
          failed: ["status.entry"], reached: .entry),
      ]
    }
  }

  @Test("each fault of a list has its own code", arguments: try rows)
  func dishonest(row: Row) async throws {
    let outcome = try await world.checked(row.token, reference: row.reference)
    #expect(outcome.failed == row.failed)
    #expect(outcome.deviating == row.deviating)
    #expect((outcome.report.verified == nil) == !row.failed.isEmpty)
    let last = try #require(StatusCheck.ofList.firstIndex(of: row.reached))
    // A list without a certificate has no signer to compare, and one of another root has no valid path.
    let expected = StatusCheck.ofList[(last + 1)...].map(\.id)
    #expect(outcome.notReached.suffix(expected.count) == expected[...])
    // A faulty list is not kept, because a copy would refuse for longer than the list is published.
    let isKept = row.failed.isEmpty && row.reached == .revocation && row.deviating != ["status.list.validity/stale"]
    #expect(outcome.lifetimes.isEmpty != isKept)
    // Except for deviations of form, the strict policy accepts what the standard policy accepts.
    let strict = try await world.checked(row.token, reference: row.reference, under: .strict)
    let findings =
      row.failed + row.deviating.filter { $0 != "status.list.type/departs" && $0 != "status.list.certificate/profile" }
    #expect(Set(strict.failed) == Set(findings))
    let lenient = RevocationPolicy(refuses: [])
    let accepted = try await world.checked(row.token, reference: row.reference, under: lenient)
    #expect(accepted.failed == [] && accepted.report.verified != nil)
    #expect(Set(accepted.deviating) == Set(row.failed + row.deviating))
  }

  @Test("accepted findings are reported, and a stale list with a revocation refuses")
  func stale() async throws {
    var claims = world.statusList(1)
    claims.expires = world.now.adding(seconds: -1)
    let outcome = try await world.checked(world.token(claims))
    #expect(outcome.failed == ["status.revocation/revoked"] && outcome.deviating == ["status.list.validity/stale"])
    let forgiving = RevocationPolicy(refuses: [.stale])
    let other = try await world.checked(world.token(claims), under: forgiving)
    #expect(other.failed == ["status.list.validity/stale"] && other.deviating == ["status.revocation/revoked"])
  }

  @Test("a list is valid until it expires, and a copy lasts as long as its issuer allows")
  func dates() async throws {
    let now = world.now
    var edge = StatusTokenClaims(
      subject: StatusPort.uri, issuedAt: now.adding(seconds: 60), expires: now.adding(seconds: 1),
      content: world.statusList().content)
    #expect(try await world.checked(world.token(edge)).deviating == [])
    edge.expires = now
    #expect(try await world.checked(world.token(edge)).deviating == ["status.list.validity/stale"])
    let token = try world.token(world.statusList())
    #expect(try await world.checked(token, fetched: now.adding(seconds: -3600)).deviating == [])
    #expect(
      try await world.checked(token, fetched: now.adding(seconds: -3601)).deviating == ["status.list.validity/stale"])
    var endless = world.statusList()
    endless.timeToLive = .max
    endless.expires = now.adding(days: 400)
    let signed = try world.token(endless)
    let longest = StatusLimits.cachingSeconds
    #expect(try await world.checked(signed, fetched: now.adding(seconds: -longest)).deviating == [])
    let old = try await world.checked(signed, fetched: now.adding(seconds: -longest - 1))
    #expect(old.deviating == ["status.list.validity/stale"])
    let fresh = try await world.checked(signed)
    #expect(fresh.lifetimes.first?.until == now.adding(seconds: longest))
  }

  @Test("the entry's own certificate replaces the root")
  func ownCertificate() async throws {
    let token = try world.token(world.statusList(), chain: [world.signer(of: world.port.otherIssuer)])
    func reference(_ certificate: [UInt8]) -> StatusReference {
      StatusReference(.index(StatusPort.index), uri: StatusPort.uri, certificate: certificate)
    }
    let other = try world.port.otherIssuer.root.derEncoded()
    #expect(try await world.checked(token, reference: reference(other)).failed == [])
    let usual = try world.token(world.statusList())
    #expect(try await world.checked(usual, reference: reference(other)).failed == ["status.list.trust"])
    #expect(try await world.checked(usual, reference: reference([1])).failed == ["status.list.trust"])
  }

  @Test("a document signer with CA rights does not certify a status signer")
  func certifiedBySigner() async throws {
    let port = world.port
    var blueprint = try CertificateBlueprint(.documentSigner, issuer: port.issuer)
    (blueprint.isAuthority, blueprint.hasBasicConstraints) = (true, true)
    blueprint.usage = KeyUsage(digitalSignature: true, keyCertSign: true)
    let signer = try blueprint.made(by: port.issuer.root, key: fixedKey(1))
    let leaf = try world.signer(by: signer, key: fixedKey(20))
    let query = StatusQuery(
      documentType: "t", status: DocumentStatus([]), root: try port.issuer.root, signer: signer, form: .cwt)
    for (chain, named) in [([leaf], try signer.derEncoded()), ([leaf, signer], nil)] as [([Certificate], [UInt8]?)] {
      let list = await StatusListVerification(
        query, StatusReference(.index(StatusPort.index), uri: StatusPort.uri, certificate: named),
        in: .token(try world.token(world.statusList(), chain: chain), fetched: world.now), at: world.now)
      #expect(list.outcome(of: .listSigner).findings.count == 1)
    }
  }

  @Test("a list with a revocation is kept, and a faulty one is not")
  func copies() async throws {
    let revoked = try await world.checked(world.token(world.statusList(1)))
    #expect(revoked.failed == ["status.revocation/revoked"] && revoked.lifetimes.count == 1)
    let lenient = RevocationPolicy(refuses: [])
    let odd = try await world.checked(world.token(world.statusList()) { $0.type = "application/cwt" }, under: lenient)
    #expect(odd.deviating == ["status.list.type/other-type"] && odd.lifetimes.isEmpty)
    let spelt = StatusListAnswer.token(
      try world.token(world.statusList()) { $0.type = "statuslist+cwt" }, fetched: world.now)
    for (policy, copies) in [(VerificationPolicy.standard, 1), (.strict, 0)] {
      let outcome = try await world.report().checkingStatus(
        [StatusPort.uri: spelt], under: .standard, formPolicy: policy, at: world.now)
      #expect(outcome.lifetimes.count == copies && (outcome.report.verified != nil) == (copies == 1))
    }
  }

  @Test("a malformed status is found, and the policy decides")
  func malformedStatus() async throws {
    let key = COSEKey(world.port.deviceKey.publicKey)
    let object = try MobileSecurityObject(
      payload: CBORValue.tagged(
        24,
        .bytes(
          CBORValue.textMap([
            ("version", .text("1.0")), ("digestAlgorithm", .text("SHA-256")),
            ("valueDigests", .textMap([("s", .map([CBORValue.Entry(.integer(0), .bytes([]))]))])),
            ("deviceKeyInfo", .textMap([("deviceKey", CBORValue(try CBORReader.read(key.encoded)))])),
            ("docType", .text("t")), ("status", .textMap([("status_list", .null)])),
            (
              "validityInfo",
              .textMap(
                ["signed", "validFrom", "validUntil"].map { ($0, .tagged(0, .text("2025-09-15T17:00:00Z"))) })
            ),
          ]).encoded)
      ).encoded)
    let path = try await TrustedCertificates([world.port.issuer.root], for: .documentSigner)
      .validate([world.port.signer], at: world.now).get()
    let document = VerifiedDocument(
      documentType: "t", elements: [], issuer: nil, issuerPath: nil, validUntil: nil,
      statusQuery: StatusQuery(documentType: object.documentType, status: object.status, path: path),
      isOfTestProgramme: false)
    let report = VerificationReport(checks: [], verified: VerifiedDeviceResponse(documents: [document]))
    #expect(report.statusLists(under: .standard).isEmpty)
    let standard = await report.checkingStatus([:], under: .standard, at: world.now)
    #expect(standard.failed == ["status.structure"] && standard.report.verified == nil)
    let lenient = await report.checkingStatus([:], under: RevocationPolicy(refuses: []), at: world.now)
    #expect(lenient.deviating == ["status.structure"] && lenient.report.verified != nil)
  }
}
