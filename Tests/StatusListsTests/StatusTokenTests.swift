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

@Suite("Status tokens")
struct StatusTokenTests {
  private let world: StatusPort

  init() throws { world = try StatusPort() }

  private func read(
    replacing: [(Int, CBORValue?)] = [], list: CBORValue? = nil, kind: StatusListKind = .statusList
  ) throws -> StatusTokenClaims {
    let usual = CBORValue.textMap([("bits", .unsigned(1)), ("lst", .bytes(Inflate.stored([0x80])))])
    let members: [(Int, CBORValue)] = [
      (2, .text("u")), (6, .unsigned(1)), (4, .unsigned(2)), (65_534, .unsigned(3)),
      (kind == .statusList ? 65_533 : 65_530, list ?? usual),
    ]
    let entries = members.compactMap { label, value -> CBORValue.Entry? in
      guard let change = replacing.first(where: { $0.0 == label }) else {
        return CBORValue.Entry(.integer(label), value)
      }
      return change.1.map { CBORValue.Entry(.integer(label), $0) }
    }
    let more = CBORValue.Entry(.integer(1), .text("issuer"))
    return try StatusTokenClaims(CBORValue.map(entries + [more]).encoded, kind: kind)
  }

  @Test("claims are read, unknown ones ignored")
  func claims() throws {
    let found = try read()
    #expect(found.subject == "u" && found.timeToLive == 3 && found.deviations == [])
    #expect(found.issuedAt.secondsSince1970 == 1 && found.expires.secondsSince1970 == 2)
    #expect(found.content == .statusList(StatusList(entrySize: .one, bytes: [0x80])))
    #expect(try read(replacing: [(65_534, nil)]).timeToLive == nil)
    let fraction = try read(replacing: [(6, .float(1.75))])
    #expect(fraction.issuedAt.secondsSince1970 == 1 && fraction.deviations == ["iat has fractional seconds"])
  }

  @Test("malformed claims are refused with a code")
  func malformed() throws {
    let tooMuch = CBORValue.textMap([
      ("bits", .unsigned(8)),
      ("lst", .bytes(Inflate.stored([UInt8](repeating: 0, count: StatusLimits.listLength + 1)))),
    ])
    let rows: [(Int, CBORValue?)] = [
      (2, nil), (2, .bytes([1])), (4, nil), (4, .text("tomorrow")), (4, .integer(-62_167_219_201)),
      (4, .unsigned(.max)),
      (4, .float(.nan)), (4, .float(.infinity)), (4, .float(-1e12)), (4, .unsigned(253_402_300_800)), (6, nil),
      (65_534, .integer(-1)), (65_534, .float(1)), (65_533, nil), (65_533, .bytes([1])), (65_533, tooMuch),
      (65_533, .textMap([("bits", .unsigned(3)), ("lst", .bytes(Inflate.stored([])))])),
      (65_533, .textMap([("bits", .unsigned(.max)), ("lst", .bytes(Inflate.stored([])))])),
      (65_533, .textMap([("bits", .unsigned(1)), ("lst", .bytes([1]))])),
      (65_533, .textMap([("bits", .unsigned(1))])), (65_533, .textMap([("lst", .bytes(Inflate.stored([])))])),
    ]
    for row in rows {
      #expect("\(row.0)") { try read(replacing: [row]) } throws: { $0 is CBORError || $0 is InflateError }
    }
    #expect(throws: CBORError.self) { try StatusTokenClaims([], kind: .statusList) }
    #expect(throws: CBORError.self) { try StatusTokenClaims([0x80], kind: .statusList) }
  }

  @Test("an identifier list is read")
  func identifiers() throws {
    func list(_ keys: [CBORValue], value: CBORValue = .map([])) -> CBORValue {
      .textMap([("identifiers", .map(keys.map { CBORValue.Entry($0, value) })), ("aggregation_uri", .text("a"))])
    }
    let found = try read(list: list([.bytes([1]), .bytes([2, 3])]), kind: .identifierList)
    #expect(found.content == .identifierList([[1], [2, 3]]))
    #expect(try read(list: list([]), kind: .identifierList).content == .identifierList([]))
    let long = CBORValue.bytes([UInt8](repeating: 1, count: StatusLimits.identifierLength + 1))
    let texts = try read(list: list([.bytes([1]), .text("95")]), kind: .identifierList)
    #expect(texts.content == .identifierList([[1], [0x39, 0x35]]))
    #expect(texts.deviations == ["an identifier of an identifier list is text"])
    let longText = CBORValue.text(String(repeating: "1", count: StatusLimits.identifierLength + 1))
    for malformed in [
      list([.integer(1)]), list([long]), list([longText]), list([.bytes([1])], value: .null), .array([]), .textMap([]),
    ] {
      #expect(throws: CBORError.self) { try read(list: malformed, kind: .identifierList) }
    }
  }

  @Test("a token is a tagged COSE_Sign1 with algorithm, type and chain in its protected header")
  func written() throws {
    let signed = try world.token(world.statusList(1))
    let item = try CBORReader.read(signed)
    #expect(item.tag == 18)
    let array = try item.withoutTag(18).array(count: 4)
    let header = try CBORReader.read(array.at(0).bytes()).map()
    #expect(try header.required(1).integer() == -7)
    #expect(try header.required(16).text() == "application/statuslist+cwt")
    #expect(try header.required(33).bytes() == world.listSigner.derEncoded())
    #expect(try array.at(1).map().isEmpty)
    let token = try UnverifiedStatusToken(signed)
    #expect(token.deviations == [] && token.chain.count == 1)
    #expect(try token.verified().claims(.statusList) == world.statusList(1))
    let ids = world.claims(.identifierList([[1], [2]]), timeToLive: nil)
    let other = try UnverifiedStatusToken(world.token(ids))
    #expect(other.type == "application/identifierlist+cwt")
    #expect(try other.verified().claims(.identifierList) == ids)
  }

  @Test("a missing tag and a chain in the unprotected header are accepted with a finding")
  func departures() async throws {
    let signed = try world.token(world.statusList())
    let untagged = Array(signed.dropFirst())
    let found = try await world.checked(untagged)
    #expect(found.failed == [] && found.deviating == ["status.list.structure/departs"])
    let strict = try await world.report().checkingStatus(
      [StatusPort.uri: .token(untagged, fetched: world.now)], under: .standard, formPolicy: .strict, at: world.now)
    #expect(strict.failed == ["status.list.structure/departs"] && strict.report.verified == nil)
    let payload = try #require(COSESign1(CBORReader.read(signed)).unverifiedPayload)
    let unprotected = try COSESign1.sign(
      payload: payload, detached: false, x5chain: [world.signer().derEncoded()], with: world.listKey)
    let typeless = try await world.checked(unprotected)
    #expect(typeless.failed == ["status.list.type/other-type"])
    #expect(typeless.deviating == ["status.list.structure/departs", "status.list.structure/departs"])
  }

  @Test("a token above the limit is refused")
  func tooLong() {
    let error = #expect(throws: CBORError.self) {
      try UnverifiedStatusToken([UInt8](repeating: 0, count: StatusLimits.tokenLength + 1))
    }
    #expect(error?.code == .tooLarge)
  }

  @Test("damaged tokens are always refused with a code")
  func damaged() async throws {
    let report = try await world.report()
    let token = try world.token(world.statusList())
    for changed in Damage.sample(of: token, seed: 3) {
      let outcome = await report.checkingStatus(
        [StatusPort.uri: .token(changed, fetched: world.now)], under: .strict, at: world.now)
      #expect(outcome.report.verified == nil)
      #expect(outcome.failed.first?.hasPrefix("status.list.") == true)
    }
  }

  @Test("damaged claims are read or refused with a code")
  func damagedClaims() throws {
    for kind in StatusListKind.allCases {
      let claims = kind == .statusList ? world.statusList(1) : world.claims(.identifierList([[1, 2], [3]]))
      var readable = 0
      for changed in Damage.sample(of: claims.encoded(), seed: 5) {
        do {
          _ = try StatusTokenClaims(changed, kind: kind)
          readable += 1
        } catch {
          #expect(error is CBORError || error is InflateError)
        }
      }
      #expect(readable > 0)
    }
  }
}
