import Certificates
import Checks
import CommandSupport
import CrossCheckTrait
import Crypto
import IdentityDocumentServices
import JSON
import OpenID4VP
import OpenID4VPVectors
import Primitives
import RelyingParty
import TestSupport
import TestTraits
import Testing

@testable import ExchangeFiles

/// The exchanges of the vectors for OpenID4VP as exchange files, as they are and altered.
@Suite("Exchange files with OpenID4VP", .crossChecked)
struct PresentationFileTests {
  private static let synthetic = "synthetic_dcapi.json"

  private func pem(_ names: [String]) throws -> JSONValue {
    let certificates = try KnownItem.file(Self.synthetic).item("certificates")
    return .array(
      try names.map { name in
        let text = try certificates.item(name).text("der_base64")
        return .string("-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n")
      })
  }

  private func file(_ exchange: KnownItem, response: JSONValue? = nil, protocol name: String? = nil) throws
    -> ExchangeFile
  {
    let keys = try KnownItem.file(Self.synthetic).item("keys")
    return ExchangeFile(
      json: JSONValue(members: [
        ("origin", .string(try exchange.text("origin"))), ("protocol", .string(try exchange.text("protocol"))),
        ("request", try exchange.item("request_data").value),
        (
          "response",
          JSONValue(members: [
            ("protocol", .string(try name ?? exchange.text("protocol"))),
            ("data", try response ?? exchange.item("response_data").value),
          ])
        ), ("recipientPrivateKey", try keys.item("enc").value), ("trustedIssuers", try pem(["issuer-root", "iaca"])),
      ]))
  }

  private func report(_ file: ExchangeFile, policy: VerificationPolicy = .standard) async throws -> ExchangeReport {
    let moment = try #require(DateTime.parse(KnownItem.file(Self.synthetic).text("verification_time"))).moment
    let exchange = try VerifiableExchange(file, policy: policy, reading: { _ in [] })
    return await ExchangeVerifier().verify(exchange, at: moment)
  }

  private func failed(_ report: ExchangeReport) -> [String] {
    report.checks.filter { $0.status == .failed }.map(\.name)
  }

  @Test("every exchange verifies with its key", arguments: KnownItem.entries(of: synthetic, "exchanges"))
  func verifies(entry: KnownItem) async throws {
    let report = try await report(file(entry))
    let expected = entry.identifier == "error" ? ["openid4vp.response.error/access-denied"] : []
    #expect(failed(report) == expected, "\(report.text)")
    #expect(report.isVerified == expected.isEmpty)
  }

  private func entry(_ id: String) throws -> KnownItem {
    try KnownItem.entry(id, of: Self.synthetic, "exchanges")
  }

  @Test(
    "each altered SD-JWT presentation is refused by its own checks",
    arguments: KnownItem.entries(of: synthetic, "sd_jwt_presentations", "refused"))
  func altered(entry: KnownItem) async throws {
    let data = JSONValue(members: [
      ("vp_token", JSONValue(members: [("pid", .array([.string(try entry.text("presentation"))]))]))
    ])
    let report = try await report(file(self.entry("unsigned-plain-sdjwt"), response: data))
    #expect(!report.isVerified)
    let failed = failed(report)
    let isOfQuery = entry.identifier == "claims-missing"
    #expect(failed.allSatisfy { $0.hasPrefix(isOfQuery ? "openid4vp.response.query" : "sd-jwt.") }, "\(failed)")
    #expect(!failed.isEmpty)
  }

  @Test(
    "each altered ciphertext is refused around its presentations",
    arguments: KnownItem.entries(of: synthetic, "jwe", "refused"))
  func ciphertexts(entry: KnownItem) async throws {
    let data = JSONValue(members: [("response", .string(try entry.text("response")))])
    let failed = failed(try await report(file(self.entry("signed-san-dns-mdoc-apu-apv"), response: data)))
    #expect(failed.count == 1 && failed[0].hasPrefix("openid4vp.response."), "\(failed)")
  }

  @Test(
    "each mdoc over another transcript is refused, and the mistake is named",
    arguments: KnownItem.entries(of: synthetic, "mdoc_presentations_refused", "cases"))
  func transcripts(entry: KnownItem) async throws {
    let codes = [
      "origin-prefix": "transcript.openid4vp.audience", "redirect-handover": "transcript.openid4vp.redirect",
      "thumbprint-text": "transcript.openid4vp.thumbprint-form", "draft24": "transcript.openid4vp.dc-api-draft",
    ]
    var plain = try file(
      self.entry("signed-san-dns-mdoc-apu-apv"),
      response: JSONValue(members: [
        (
          "vp_token",
          JSONValue(members: [
            (
              try self.entry("signed-san-dns-mdoc-apu-apv").item("response_plain").item("vp_token").json.members()
                .map(\.name)[0], .array([.string(try entry.text("presentation"))])
            )
          ])
        )
      ]))
    // The response is encrypted again, so that its mode is right.
    let text = try #require(try PresentationRequestText(anywhereIn: plain))
    let session = try plain.openID4VPSession(text, for: plain.origin())
    let encryption = try #require(session.encryption)
    let content = try #require(plain.root["response"]?["data"]).value.bytes
    guard
      case .token(let token) = try PresentationResponse(
        data: content, expecting: ExpectedPresentations(query: session.query))
    else { throw MissingMember(description: "no token") }
    let sealed = try PresentationResponse.encrypted(
      token, to: encryption.key, encryption: encryption.encryptions[0],
      ephemeralKey: fixedAgreementKey(7),
      initializationVector: [UInt8](repeating: 8, count: 12))
    plain = try file(self.entry("signed-san-dns-mdoc-apu-apv"), response: JSONReader.read(sealed))
    let report = try await report(plain)
    let failed = failed(report)
    #expect(failed.first?.hasPrefix("device.signature") == true && failed.count == 1, "\(failed)")
    let explained = report.checks.flatMap(\.evidence).first { $0.field == "explanation" }?.found
    if let code = codes[entry.identifier] { #expect(explained == code) }
  }

  @Test(
    "each recorded answer of a draft is refused, and accepted by a lenient policy with findings",
    arguments: KnownItem.entries(of: "captured_dcapi.json", "draft_28")
      + KnownItem.entries(of: "captured_dcapi.json", "draft_24"))
  func recorded(entry: KnownItem) async throws {
    let isEncrypted = try entry.optional("response") != nil
    let token =
      try isEncrypted
      ? KnownItem(JSONReader.item(Array(entry.text("plaintext").utf8)), at: "plaintext").item("vp_token").value
      : entry.item("vp_token").value
    guard case .object(let answers) = token else { throw MissingMember(description: "no token") }
    let queries = answers.map { answer in
      let format = answer.value.text?.hasPrefix("ey") == true ? "dc+sd-jwt" : "mso_mdoc"
      return JSONValue(members: [
        ("id", .string(answer.name)), ("format", .string(format)), ("meta", .object([])),
      ])
    }
    var request: [(String, JSONValue)] = [
      ("response_type", .string("vp_token")), ("response_mode", .string(isEncrypted ? "dc_api.jwt" : "dc_api")),
      ("nonce", .string(try entry.text("nonce"))),
      ("dcql_query", JSONValue(members: [("credentials", .array(queries))])),
    ]
    var members: [(String, JSONValue)] = [
      ("origin", .string(try entry.text("origin"))), ("protocol", .string("openid4vp-v1-unsigned")),
    ]
    if isEncrypted {
      let key = try entry.item("private_jwk").publicJWK()
      let named = JSONValue(members: [
        ("kty", .string("EC")), ("crv", .string("P-256")), ("x", .string(Base64URL.encode(key.publicKey.x))),
        ("y", .string(Base64URL.encode(key.publicKey.y ?? []))), ("alg", .string("ECDH-ES")),
      ])
      request.append(
        ("client_metadata", JSONValue(members: [("jwks", JSONValue(members: [("keys", .array([named]))]))])))
      members.append(("recipientPrivateKey", try entry.item("private_jwk").value))
    }
    members.append(("request", JSONValue(members: request)))
    let data =
      isEncrypted
      ? JSONValue(members: [("response", .string(try entry.text("response")))])
      : JSONValue(members: [("vp_token", token)])
    members.append(
      ("response", JSONValue(members: [("protocol", .string("openid4vp")), ("data", data)])))
    members.append(("trustedIssuers", .array([])))
    let file = ExchangeFile(json: JSONValue(members: members))
    #expect(failed(try await report(file)) == ["response.protocol/draft"])
    let lenient = try await report(file, policy: .lenient)
    let deviating = lenient.checks.filter { $0.status == .deviates }.map(\.name)
    #expect(deviating.prefix(2) == ["response.protocol/draft", "openid4vp.response.count/bare"])
    // The issuers are test issuers of 2025, which nothing here trusts: the holder's signatures are what is judged.
    let signatures = lenient.checks.filter {
      ["device.signature", "sd-jwt.key-binding.signature", "sd-jwt.key-binding.nonce", "sd-jwt.key-binding.sd-hash"]
        .contains($0.check)
    }
    #expect(!signatures.isEmpty)
    if lenient.isVerified { return }
    #expect(failed(lenient).contains { $0.contains("trust") })
  }

  @Test(
    "a credential from a file answers a request that the command makes", arguments: OpenID4VPProtocol.allCases,
    [true, false])
  func roundTrip(kind: OpenID4VPProtocol, isEncrypted: Bool) async throws {
    guard Vectors.openID4VPAreHere else { return }
    let vectors = try KnownItem.file(Self.synthetic)
    let moment = try #require(DateTime.parse(vectors.text("verification_time"))).moment
    let key = try vectors.item("keys").item("holder").value.bytes
    let document = try DocumentFile.document(
      ("credential", Array(vectors.item("credentials").text("sd_jwt_issued").utf8)), deviceKey: ("key", key))
    guard case .sdJWT(let held) = document.credential else {
      Issue.record("not an SD-JWT")
      return
    }
    let asked = try RequestedElements.items(
      documentType: "dc+sd-jwt \(held.type)", elements: ["claims:given_name", "claims:address.locality"])
    var builder = RequestBuilder(
      origin: try RequestBuilder.origin("https://verifier.example.com"), documents: [asked], readers: [])
    if kind != .unsigned {
      builder.readers = [
        try ThrowawayReader(
          named: "Reader", domain: "verifier.example.com", at: moment, from: AuthorityIngredients()
        ).reader
      ]
    }
    let made = try builder.make(
      .init(kind, isEncrypted: isEncrypted, prefix: .sanDNS), recipientKey: P256.KeyAgreement.PrivateKey(),
      nonce: [UInt8](repeating: 5, count: OpenID4VPSession.nonceLength), at: moment)
    let wallet = WalletResponder(documents: [document])
    let text = try #require(try PresentationRequestText(anywhereIn: made.exchange))
    let seal = PresentationSeal(
      ephemeralKey: P256.KeyAgreement.PrivateKey(), initializationVector: [UInt8](repeating: 3, count: 12))
    let answered = try await wallet.answer(made.exchange, with: text, origin: nil, at: moment, seal: seal)
    let report = try await report(answered.exchange.setting("trustedIssuers", to: pem(["issuer-root"])))
    #expect(report.isVerified, "\(report.text)")
    #expect(report.json.contains(#"[{"id":"document-1","vct":"\#(held.type)""#))
    #expect(report.json.contains(#""claims":{"given_name":"Erika","address.locality":"Utopia City"}"#))
    // The options of a page are answered too.
    let page = try ExchangeFile(made.page)
    let again = try #require(try PresentationRequestText(anywhereIn: page, wanting: kind.rawValue))
    #expect(again.data == text.data && again.kind == kind)
    await #expect(throws: (any Error).self) {
      _ = try await WalletResponder(documents: []).answer(
        made.exchange, with: text, origin: nil, at: moment, seal: seal)
    }
  }
}
