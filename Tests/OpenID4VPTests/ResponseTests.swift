import CBOR
import COSE
import Certificates
import Checks
import CrossCheckTrait
import Crypto
import DocumentFixtures
import JOSE
import JSON
import MobileDocument
import OpenID4VPVectors
import Primitives
import SDJWT
import TestSupport
import TestTraits
import Testing

@testable import OpenID4VP

@Suite("Known responses of OpenID4VP", .crossChecked, .requiresOpenID4VPVectors)
struct KnownResponseTests {
  private let synthetic: Synthetic

  init() throws { synthetic = try Synthetic() }

  @Test(
    "every exchange verifies from the response to the claims",
    arguments: KnownItem.entries(of: Synthetic.name, "exchanges"))
  func exchanges(entry: KnownItem) async throws {
    let expected = try synthetic.expected(entry)
    let response = try PresentationResponse(data: entry.item("response_data").json.bytes, expecting: expected)
    guard case .token(let token) = response else {
      guard case .error(let code) = response else { return }
      #expect(entry.identifier == "error" && code == PresentationErrorCode.accessDenied.rawValue)
      return
    }
    let parameters = try entry.optional("request_parameters") ?? entry.item("request_data")
    let nonce = try parameters.text("nonce")
    let transcript = OpenID4VPHandover.sessionTranscript(
      origin: try synthetic.origin, nonce: nonce, thumbprint: expected.thumbprint)
    if let known = try entry.optional("session_transcript_hex") {
      #expect(hexadecimal(transcript.encoded) == (try known.json.text()))
    }
    if let plain = try entry.optional("response_plain") {
      #expect(isEqual(token.json, try plain.item("vp_token").value))
    }
    let transactions = try parameters.optional("transaction_data")?.list().map { try $0.json.text() } ?? []
    for answer in token.answers {
      let query = try #require(expected.query.credential(answer.id))
      for presentation in answer.presentations {
        switch query.format {
        case .sdJWT?:
          let report = await SDJWTVerifier(
            trustedIssuers: try synthetic.trusted("issuer-root", for: .statusListSigner)
          ).verify(
            presentation, types: query.types,
            binding: ExpectedKeyBinding(
              audience: ClientIdentifier.audience(of: try synthetic.origin), nonce: nonce, transactionData: transactions
            ),
            isBindingRequired: query.requiresHolderBinding, at: try synthetic.moment)
          #expect(report.failure == nil)
          let verified = DCQLCredential(try #require(report.verified))
          #expect(throws: Never.self) { try query.match(verified, .asPresented) }
          #expect(query.surplus(in: verified) == [])
        case .mdoc?:
          let report = try await verify(presentation, over: transcript)
          #expect(report.failure == nil)
          let document = DCQLCredential(try #require(report.verified?.documents.first))
          #expect(throws: Never.self) { try query.match(document, .asPresented) }
          #expect(query.surplus(in: document) == [])
        case nil: Issue.record("unknown format")
        }
      }
    }
  }

  private func verify(_ presentation: String, over transcript: SessionTranscript) async throws -> VerificationReport {
    await DeviceResponseVerifier(trustedIssuers: try synthetic.trusted("iaca", for: .documentSigner)).verify(
      try #require(Base64URL.decode(presentation)), over: transcript, requests: nil, at: try synthetic.moment)
  }

  @Test(
    "every presentation of an mdoc over another transcript is refused by the device's signature",
    arguments: KnownItem.entries(of: Synthetic.name, "mdoc_presentations_refused", "cases"))
  func otherTranscripts(entry: KnownItem) async throws {
    let exchange = try synthetic.exchange("signed-san-dns-mdoc-apu-apv")
    let transcript = OpenID4VPHandover.sessionTranscript(
      origin: try synthetic.origin, nonce: try exchange.item("request_parameters").text("nonce"),
      thumbprint: try synthetic.encryption().key.thumbprint)
    let report = try await verify(entry.text("presentation"), over: transcript)
    #expect(report.failure?.check == ResponseCheck.deviceSignature.id)
  }

  @Test("a presentation that lacks a requested claim does not answer its query")
  func claimsMissing() async throws {
    let cases = KnownItem.entries(of: Synthetic.name, "sd_jwt_presentations", "refused")
    let entry = try #require(cases.first { $0.identifier == "claims-missing" })
    let exchange = try synthetic.exchange("unsigned-plain-sdjwt")
    let query = try synthetic.expected(exchange).query.credentials[0]
    let report = await SDJWTVerifier(
      trustedIssuers: try synthetic.trusted("issuer-root", for: .statusListSigner)
    ).verify(
      try entry.text("presentation"), types: query.types,
      binding: ExpectedKeyBinding(
        audience: ClientIdentifier.audience(of: try synthetic.origin),
        nonce: try exchange.item("request_parameters").text("nonce")), at: try synthetic.moment)
    let verified = DCQLCredential(try #require(report.verified))
    #expect(throws: DCQLMismatch.self) { try query.match(verified, .asPresented) }
  }

  private func decrypt(_ entry: KnownItem) throws -> PresentationResponse {
    let data = JSONValue(members: [("response", .string(try entry.text("response")))]).bytes
    let expected = try synthetic.expected(synthetic.exchange("signed-san-dns-mdoc-apu-apv"))
    return try PresentationResponse(data: data, expecting: expected)
  }

  @Test("every good ciphertext decrypts", arguments: KnownItem.entries(of: Synthetic.name, "jwe", "accepted"))
  func decrypts(entry: KnownItem) throws { #expect(throws: Never.self) { try decrypt(entry) } }

  @Test(
    "every bad ciphertext is refused by its check", arguments: KnownItem.entries(of: Synthetic.name, "jwe", "refused"))
  func refusesCiphertexts(entry: KnownItem) throws {
    let wanted = try #require(Self.refusals[entry.identifier], "no check is declared for \(entry)")
    let error = #expect(throws: PresentationResponseFailure.self) { try decrypt(entry) }
    #expect(error?.name == "openid4vp.response.\(wanted)", "\(error?.message ?? "accepted")")
  }

  private static let refusals: [String: String] = [
    "zip-header": "encrypted-form", "crit": "encrypted-form", "alg-a128kw": "encrypted-form",
    "alg-dir": "encrypted-form",
    "alg-rsa1_5": "encrypted-form", "enc-not-offered": "encryption", "kid-missing": "key/missing",
    "kid-other": "key/unknown", "other-recipient": "decryption", "epk-zero": "encrypted-form",
    "epk-short-coordinate": "encrypted-form", "epk-okp": "encrypted-form", "epk-missing": "encrypted-form",
    "encrypted-key-present": "encrypted-form", "tag-altered": "decryption", "ciphertext-altered": "decryption",
    "apu-changed": "decryption", "plaintext-array": "content", "plaintext-duplicate": "content",
    "four-parts": "encrypted-form", "nested-jws": "encrypted-form", "raw-shared-secret": "decryption",
  ]

  private static let captured = "captured_dcapi.json"

  @Test(
    "every recorded answer verifies with the keys and the transcript of its draft",
    arguments: KnownItem.entries(of: captured, "draft_28") + KnownItem.entries(of: captured, "draft_24"))
  func recorded(entry: KnownItem) async throws {
    let origin = try entry.text("origin")
    let nonce = try entry.text("nonce")
    let clientID = try entry.optional("client_id").map { try $0.json.text() }
    var token = try entry.optional("vp_token")?.json
    if let response = try entry.optional("response") {
      let content = try JWE(compact: response.json.text()).decrypt(with: entry.item("private_jwk").agreementKey())
      #expect(String(decoding: content, as: UTF8.self) == (try entry.text("plaintext")))
      token = try JSONReader.item(content).item("vp_token")
    }
    let json = try #require(token)
    let query = try DCQLQuery(
      json: JSONReader.item(
        Array(#"{"credentials":[{"id":"\#(json.onlyMember().name)","format":"x","meta":{}}]}"#.utf8)))
    // The answers of both drafts are bare strings.
    let error = #expect(throws: PresentationResponseFailure.self) {
      try PresentationToken(json: json, answering: query)
    }
    #expect(error?.name == "openid4vp.response.count/bare")
    let lenient = try PresentationToken(json: json, answering: query, policy: .lenient)
    #expect(lenient.findings.map(\.finding.name) == ["openid4vp.response.count/bare"])
    #expect(lenient.answers.map(\.presentations) == [[try json.onlyMember().item.text()]])
    let text = try json.onlyMember().item.text()
    if text.contains("~") {
      let received = try UnverifiedSDJWT(compact: text)
      let chain = try CertificateChain.read(received.issuerJWT.header.x5c ?? [])
      let payload = try received.issuerJWT.verify(
        with: try #require(chain.first).verificationKey(), type: SDJWTType.credential
      ).claims()
      let claims = try DisclosedClaims(payload, disclosures: received.disclosures)
      let key = try JWK(json: payload.item("cnf").item("jwk")).verificationKey()
      let bound = try #require(received.keyBindingJWT).verify(with: key, type: SDJWTType.keyBinding).claims()
      #expect(try bound.member("nonce") as String == nonce)
      #expect(try bound.member("aud") as String == clientID ?? ClientIdentifier.audience(of: origin))
      #expect(try bound.member("sd_hash") as String == claims.hash.digest(of: received.presentedText))
      return
    }
    let transcript =
      clientID.map { OpenID4VPHandover.draft24Transcript(origin: origin, clientID: $0, nonce: nonce) }
      ?? OpenID4VPHandover.sessionTranscript(origin: origin, nonce: nonce, thumbprint: nil)
    #expect(hexadecimal(transcript.encoded) == (try entry.text("session_transcript_hex")))
    let response = try UnverifiedDeviceResponse(try #require(Base64URL.decode(text)))
    let report = await DeviceResponseVerifier(
      trustedIssuers: [], policy: .lenient
    ).verify(
      try #require(Base64URL.decode(text)), over: transcript, requests: nil, at: try synthetic.moment)
    #expect(!response.documents.isEmpty)
    for check in [ResponseCheck.issuerSignature, .elementDigest, .deviceSignature] {
      let results = report.checks.filter { $0.check == check.id }
      #expect(!results.isEmpty && results.allSatisfy { $0.status == .passed }, "\(check.id)")
    }
  }

  @Test("the files have the entries that they had when this was written")
  func counts() {
    #expect(KnownItem.entries(of: Synthetic.name, "mdoc_presentations_refused", "cases").count == 7)
    #expect(KnownItem.entries(of: Synthetic.name, "jwe", "accepted").count == 6)
    #expect(KnownItem.entries(of: Synthetic.name, "jwe", "refused").count == Self.refusals.count)
    #expect(KnownItem.entries(of: Self.captured, "draft_28").count == 3)
    #expect(KnownItem.entries(of: Self.captured, "draft_24").count == 4)
  }
}

@Suite("Responses of OpenID4VP")
struct ResponseTests {
  private func query() throws -> DCQLQuery {
    try DCQLQuery(
      json: json(
        #"{"credentials":[{"id":"a","format":"dc+sd-jwt","meta":{}},{"id":"b","format":"mso_mdoc","meta":{},"multiple":true}],"credential_sets":[{"options":[["a"]]},{"options":[["b"]],"required":false}]}"#
      ))
  }

  private func encryption() throws -> ExpectedPresentations.Encryption {
    let key = try fixedAgreementKey(3)
    return .init(
      privateKey: key, key: JWK(COSEKey(key.publicKey), keyID: "k", use: "enc", algorithm: JWE.algorithm),
      encryptions: [.a256GCM])
  }

  private func encrypted(_ token: PresentationToken, _ encryption: JWEEncryption = .a256GCM) throws -> [UInt8] {
    try PresentationResponse.encrypted(
      token, to: self.encryption().key, encryption: encryption,
      ephemeralKey: fixedAgreementKey(4),
      initializationVector: [UInt8](repeating: 5, count: 12))
  }

  private let token = PresentationToken([
    .init(id: "a", presentations: ["x~"]), .init(id: "b", presentations: ["AA", "AQ"]),
  ])

  private func failure(_ data: [UInt8], encrypted: Bool = false) throws -> String? {
    let expected = ExpectedPresentations(query: try query(), encryption: encrypted ? try encryption() : nil)
    do {
      _ = try PresentationResponse(data: data, expecting: expected)
      return nil
    } catch { return error.name }
  }

  @Test("a response survives a round trip in both modes")
  func roundTrip() throws {
    for (data, encryption) in [
      (PresentationResponse.plain(token), nil), (try encrypted(token), try encryption()),
    ] as [([UInt8], ExpectedPresentations.Encryption?)] {
      let response = try PresentationResponse(
        data: data, expecting: ExpectedPresentations(query: query(), encryption: encryption))
      guard case .token(let read) = response else { throw MissingMember(description: "no token") }
      #expect(read.answers.map(\.id) == ["a", "b"] && read.answers.map(\.presentations) == [["x~"], ["AA", "AQ"]])
    }
  }

  @Test("an error is read alone, and is never encrypted")
  func errors() throws {
    let data = PresentationResponse.error(.accessDenied)
    #expect(String(decoding: data, as: UTF8.self) == #"{"error":"access_denied"}"#)
    for encryption in [nil, try encryption()] {
      guard
        case .error("access_denied") = try PresentationResponse(
          data: data, expecting: ExpectedPresentations(query: query(), encryption: encryption))
      else { throw MissingMember(description: "no error") }
    }
  }

  @Test("a response in the other mode is refused")
  func modes() throws {
    #expect(try failure(PresentationResponse.plain(token), encrypted: true) == "openid4vp.response.mode/plain")
    #expect(try failure(try encrypted(token)) == "openid4vp.response.mode/encrypted")
    #expect(try failure(try encrypted(token, .a128GCM), encrypted: true) == "openid4vp.response.encryption")
  }

  @Test(
    "another structure is refused",
    arguments: [
      ("[]", "structure"), ("", "structure"), ("{}", "structure"), (#"{"error":1}"#, "structure"),
      (#"{"vp_token":{"a":["x"]},"response":"x"}"#, "structure"),
      (#"{"vp_token":{"a":["x"]},"vp_token":{}}"#, "structure"),
      (#"{"vp_token":null}"#, "token/malformed"), (#"{"vp_token":{}}"#, "token/empty"),
      (#"{"vp_token":{"b":["AA"]}}"#, "identifiers/missing"),
      (#"{"vp_token":{"a":["x"],"b":[null]}}"#, "form"),
      (#"{"vp_token":{"a":["x"],"z":["y"]}}"#, "identifiers/unknown"),
      (#"{"vp_token":{"a":["x","y"]}}"#, "count"), (#"{"vp_token":{"a":["x"]},"state":"s"}"#, nil),
    ] as [(String, String?)])
  func structure(text: String, check: String?) throws {
    #expect(try failure(Array(text.utf8)) == check.map { "openid4vp.response.\($0)" })
  }

  @Test("more presentations than anyone needs are refused")
  func bounds() throws {
    let many = Array(repeating: #""AA""#, count: OpenID4VPLimits.presentations + 1).joined(separator: ",")
    let data = Array(#"{"vp_token":{"a":["x"],"b":[\#(many)]}}"#.utf8)
    #expect(try failure(data) == "openid4vp.response.count/too-many")
  }

  @Test("a query in no set is not asked for, so that an answer to it is refused")
  func unlisted() throws {
    let query = try DCQLQuery(
      json: json(
        #"{"credentials":[{"id":"a","format":"x","meta":{}},{"id":"b","format":"x","meta":{}}],"credential_sets":[{"options":[["a"]]}]}"#
      ))
    #expect(query.requestedIDs == ["a"])
    #expect(throws: PresentationResponseFailure.self) {
      try PresentationToken(json: json(#"{"a":["x"],"b":["y"]}"#), answering: query)
    }
  }

  @Test("a drawn change of an encrypted response is refused")
  func altered() throws {
    let data = try encrypted(token)
    for changed in Damage.sample(of: data, seed: 17) { #expect(try failure(changed, encrypted: true) != nil) }
  }
}
