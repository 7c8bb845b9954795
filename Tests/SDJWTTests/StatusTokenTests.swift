import COSE
import CrossCheckTrait
import Crypto
import DocumentFixtures
import JOSE
import JSON
import OpenID4VPVectors
import Primitives
import TestSupport
import TestTraits
import Testing

@testable import Certificates
@testable import SDJWT
@testable import StatusLists

@Suite("Status tokens in JWT", .crossChecked)
struct StatusTokenTests {
  @Test(
    "every known token and list is read", .requiresOpenID4VPVectors,
    arguments: KnownItem.entries(of: "status_list_jwt.json", "vectors"))
  func known(entry: KnownItem) throws {
    let list: StatusList
    if let compact = try entry.optional("compact") {
      let token = try UnverifiedStatusToken(Array(try compact.json.text().utf8), form: .jwt)
      #expect(token.type == StatusListKind.jwtType)
      let key = try entry.item("jwk").publicJWK().verificationKey()
      let claims = try token.verified(with: key).claims(.statusList)
      let payload = try entry.item("payload")
      #expect(claims.subject == (try payload.text("sub")))
      #expect(claims.expires.secondsSince1970 == (try payload.json.member("exp")))
      #expect(claims.timeToLive == (try payload.json.member("ttl")))
      guard case .statusList(let found) = claims.content else { throw MissingMember(description: "no list") }
      list = found
    } else {
      list = try StatusList(json: entry.item("json").json)
      #expect(list.bytes.count == (try entry.json.member("list_bytes")))
      #expect(hexadecimal(SHA256.hash(data: list.bytes)) == (try entry.text("list_sha256")))
    }
    if let hex = try entry.optional("list_hex") { #expect(hexadecimal(list.bytes) == (try hex.json.text())) }
    if let values = try entry.optional("values") {
      for (index, value) in try values.list().enumerated() {
        #expect(list[UInt64(index)] == (try value.json.integer()))
      }
    }
    for row in try entry.optional("non_zero")?.list() ?? [] {
      let parts = try row.list()
      #expect(list[try parts[0].json.integer()] == (try parts[1].json.integer()))
    }
  }

  @Test("a credential of a revoked index is noticed, and the token must be a JWT of the document's list")
  func revoked() async throws {
    let bureau = try Bureau()
    let port = try StatusPort()
    let text = try bureau.issued { $0.status = StatusReference(.index(7), uri: StatusPort.uri) }
    let verified = try #require(try await bureau.report(text, isBindingRequired: false).verified)
    let query = try #require(verified.statusQuery)
    func revocation(
      _ value: UInt8, uri: String = StatusPort.uri, type: String? = nil, byIssuer: Bool = false, issued: Int64 = 0,
      expiring: Int64 = 86_400
    ) async throws -> [String] {
      var list = StatusList(entrySize: .one, count: 16)
      list.set(7, to: value)
      let claims = StatusTokenClaims(
        subject: uri, issuedAt: port.now.adding(seconds: issued), expires: port.now.adding(seconds: expiring),
        content: .statusList(list))
      let chain = [try (byIssuer ? bureau.signer : port.listSigner).derEncoded()]
      let key = byIssuer ? bureau.signerKey : port.listKey
      let token =
        try type.map {
          try JWS.sign(
            try #require(claims.json).bytes, header: JOSEHeaderDraft(type: $0, x5c: chain), with: key)
        } ?? StatusTokenDraft(claims).signedJWT(by: key, chain: chain)
      let found = await StatusListVerification(
        query, query.status.references[0], in: .token(Array(try #require(token).utf8), fetched: port.now), at: port.now)
      return StatusCheck.ofList.flatMap { check in found.outcome(of: check).findings.map { check.name($0.reason) } }
        .filter { !$0.hasSuffix("profile") }
    }
    #expect(try await revocation(0) == [])
    #expect(try await revocation(1) == ["status.revocation/revoked"])
    #expect(try await revocation(0, uri: "https://other.example/1") == ["status.list.subject"])
    #expect(try await revocation(0, type: "dc+sd-jwt") == ["status.list.type/other-type"])
    // The issuer of the credential may be that of the list.
    #expect(try await revocation(0, byIssuer: true) == [])
    #expect(try await revocation(1, byIssuer: true) == ["status.revocation/revoked"])
    // Clocks differ, and a list ends when it expires.
    #expect(try await revocation(0, issued: 60) == [])
    #expect(try await revocation(0, issued: 61) == ["status.list.validity/not-yet-valid"])
    #expect(try await revocation(0, expiring: 1) == [])
    #expect(try await revocation(0, expiring: 0) == ["status.list.validity/stale"])
  }

  @Test("a malformed reference of a credential is refused by its check")
  func references() throws {
    func read(_ text: String) throws -> StatusReference? { try StatusReference(credential: json(text)) }
    for other in ["{}", #"{"status":{}}"#, #"{"status":{"other":1}}"#] { #expect(try read(other) == nil) }
    #expect(try read(#"{"status":{"status_list":{"idx":3,"uri":"https://a"}}}"#)?.entry == .index(3))
    for text in [
      #"{"status":null}"#, #"{"status":[]}"#, #"{"status":{"status_list":{"idx":-1,"uri":"u"}}}"#,
      #"{"status":{"status_list":{"idx":1.0,"uri":"u"}}}"#, #"{"status":{"status_list":{"idx":1}}}"#,
      #"{"status":{"status_list":{"idx":"1","uri":"u"}}}"#,
    ] { #expect(throws: JOSEError.self, "\(text)") { try read(text) } }
  }
}
