import COSE
import Certificates
import Checks
import CrossCheckTrait
import Crypto
import DocumentFixtures
import JOSE
import JSON
import MobileDocument
import Primitives
import RelyingParty
import SDJWT
import TestSupport
import Testing
import WebPresentment

@testable import OpenID4VP

@Suite("Answers with OpenID4VP", .crossChecked)
struct PresentationAnswerTests {
  private typealias How = PresentationSite.Answering

  @Test(
    "both formats verify in one verdict, in each kind of request and both modes", arguments: OpenID4VPProtocol.allCases,
    [true, false])
  func verifies(kind: OpenID4VPProtocol, isEncrypted: Bool) async throws {
    let site = try PresentationSite(kind, isEncrypted: isEncrypted)
    let verdict = await site.verdict(on: try site.answer())
    #expect(verdict.checks.failed == [])
    #expect(verdict.isVerified)
    #expect(verdict.presentations.map(\.id) == ["mdoc", "sd-jwt"])
    #expect(verdict.documents.map(\.documentType) == [Spaceport.documentType, "dc+sd-jwt \(PresentationSite.type)"])
    #expect(
      verdict.pageJSON.hasSuffix(
        #""documents":[{"id":"mdoc","docType":"org.iso.18013.5.1.mDL","issuer":"Spaceport","elements":"#
          + #"{"org.iso.18013.5.1":{"age_over_21":true}}},{"id":"sd-jwt","vct":"https://spaceport.example/id","#
          + #""issuer":"Spaceport","claims":{"name":"Kelly","address.locality":"Pad 9"}}]}"#))
  }

  @Test("the checks are those of the session, the response, each presentation and the exchange")
  func plan() async throws {
    let site = try PresentationSite()
    let verdict = await site.verdict(on: try site.answer())
    var names: [String] = []
    for check in verdict.checks where names.last != check.check { names.append(check.check) }
    let own = PresentationResponseCheck.ofPresentation.map(\.id)
    #expect(
      names == [ExchangeCheck.sessionKnown, .sessionUnused, .sessionCurrent, .protocol].map(\.id)
        + PresentationResponseCheck.ofToken(isEncrypted: true).map(\.id) + ResponseCheck.allCases.map(\.id) + own
        + SDJWTCheck.allCases.map(\.id) + own + [PresentationResponseCheck.profile.id] + ["status.published"]
        + ["status.structure"] + ["status.published"] + ["status.structure"])
    #expect(
      Set(verdict.response.compactMap(\.subject)) == [
        "mdoc", "mdoc, \(Spaceport.documentType)", "sd-jwt", Spaceport.documentType,
        "dc+sd-jwt \(PresentationSite.type)",
      ])
  }

  struct Row: Sendable, CustomStringConvertible {
    let description: String
    var isEncrypted = true
    let failed: [String]
    let how: @Sendable (PresentationSite, inout PresentationSite.Answering) throws -> Void
  }

  static let rows: [Row] = [
    Row(
      description: "another origin",
      failed: ["device.signature/invalid", "sd-jwt.key-binding.audience"]
    ) { $1.origin = "https://evil.example" },
    Row(
      description: "the origin with a slash",
      failed: ["device.signature/transcript", "sd-jwt.key-binding.audience"]
    ) { $1.origin = PresentationSite.origin + "/" },
    Row(
      description: "another nonce",
      failed: ["device.signature/invalid", "sd-jwt.key-binding.nonce"]
    ) { $1.nonce = "another" },
    Row(description: "a client identifier as audience", failed: ["sd-jwt.key-binding.audience"]) {
      $1.audience = "x509_san_dns:spaceport.example"
    },
    Row(description: "a key binding before the request", failed: ["sd-jwt.key-binding.time/too-old"]) {
      $1.issuedAt = $0.port.now.adding(seconds: -3600)
    },
    Row(description: "a plain answer where an encrypted one was asked for", failed: ["openid4vp.response.mode/plain"]) {
      $1.isPlain = true
    },
    Row(
      description: "a transcript without the thumbprint",
      failed: ["device.signature/transcript"]
    ) {
      $1.transcript = OpenID4VPHandover.sessionTranscript(
        origin: PresentationSite.origin, nonce: $0.asked.nonce, thumbprint: nil)
    },
    Row(
      description: "the transcript of annex C", failed: ["device.signature/transcript"]
    ) { $1.transcript = $0.annexC.sessionTranscript(origin: PresentationSite.origin) },
    Row(description: "a missing claim", failed: ["openid4vp.response.query/claim"]) { $1.disclosing = [0] },
    Row(description: "a query that was not asked", failed: ["openid4vp.response.identifiers/unknown"]) {
      $1.change = { $0.append(.init(id: "other", presentations: ["x"])) }
    },
    Row(description: "a query without an answer", failed: ["openid4vp.response.identifiers/missing"]) {
      $1.change = { $0.removeLast() }
    },
    Row(description: "two presentations for one", failed: ["openid4vp.response.count"]) {
      $1.change = { $0[0] = .init(id: "mdoc", presentations: $0[0].presentations + $0[0].presentations) }
    },
    Row(description: "no presentation", failed: ["openid4vp.response.count/empty"]) {
      $1.change = { $0[0] = .init(id: "mdoc", presentations: []) }
    },
    Row(
      description: "presentations in the other's place",
      failed: ["openid4vp.response.documents/malformed", "sd-jwt.structure"]
    ) {
      $1.change = { answers in
        answers = zip(answers, answers.reversed()).map { .init(id: $0.id, presentations: $1.presentations) }
      }
    },
    Row(
      description: "another key of the same identifier", failed: ["openid4vp.response.decryption"]
    ) { site, how in
      how.key = JWK(
        COSEKey(try fixedAgreementKey(11).publicKey), keyID: site.asked.encryption?.key.keyID, use: "enc",
        algorithm: JWE.algorithm)
    },
    Row(description: "a key of another identifier", failed: ["openid4vp.response.key/unknown"]) { _, how in
      how.key = JWK(COSEKey(try fixedAgreementKey(11).publicKey), keyID: "x", use: "enc", algorithm: JWE.algorithm)
    },
  ]

  @Test("each wrong answer is refused by the check that it breaks", arguments: rows)
  func refuses(_ row: Row) async throws {
    let site = try PresentationSite(isEncrypted: row.isEncrypted)
    var how = How()
    try row.how(site, &how)
    let verdict = await site.verdict(on: try site.answer(how))
    #expect(verdict.checks.failed == row.failed)
    #expect(!verdict.isVerified && verdict.documents.isEmpty && verdict.presentations.isEmpty)
  }

  @Test(
    "a verified claim is handed on as its issuer wrote it",
    arguments: ["1.80", "12345678901234567890123", "1e999", "-0", "1.8", "5", #"[1.10,{"a":2.50}]"#, "null"])
  func spelling(of value: String) async throws {
    let site = try PresentationSite(name: value)
    let verdict = await site.verdict(on: try site.answer())
    #expect(verdict.isVerified)
    #expect(
      verdict.pageJSON.contains(#""claims":{"name":\#(value),"address.locality":"Pad 9"}"#), "\(verdict.pageJSON)")
  }

  @Test("claims beyond the query are a finding, and are not handed on")
  func surplus() async throws {
    var site = try PresentationSite()
    let answer = try site.answer(How(disclosing: [0, 1, 2, 3]))
    let verdict = await site.verdict(on: answer)
    #expect(verdict.checks.deviating == ["openid4vp.response.surplus/claim"])
    #expect(verdict.documents.last?.elements.map(\.identifier) == ["name", "address.locality"])
    site.context.policy = .strict
    #expect(await site.verdict(on: answer).checks.failed == ["openid4vp.response.surplus/claim"])
  }

  @Test("only the request that the answer's protocol names counts")
  func protocols() async throws {
    let site = try PresentationSite(.signed)
    let answer = try site.answer()
    let other = SubmittedAnswer(protocol: "openid4vp-v1-unsigned", data: answer.data)
    let refused = await site.verdict(on: other)
    #expect(refused.checks.failed == ["response.protocol/other"])
    #expect(
      refused.failure?.evidence == [
        CheckResult.Evidence(
          "protocol", expected: "org-iso-mdoc or openid4vp-v1-signed", found: "openid4vp-v1-unsigned")
      ])
    // Another entry of the same call has its own nonce and key.
    var second = try PresentationSite(.unsigned)
    second.asked = OpenID4VPSession(
      .unsigned, asking: second.asked.query, nonce: [UInt8](repeating: 5, count: 32),
      recipientKey: try fixedAgreementKey(12),
      at: site.port.now)
    let both = site.session(of: [.openID4VP(site.asked), .openID4VP(second.asked), .annexC(site.annexC)])
    #expect(await site.verdict(on: answer, to: both).isVerified)
    #expect(await site.verdict(on: try second.answer(), to: both).isVerified)
    #expect(await site.verdict(on: other, to: both).checks.failed == ["openid4vp.response.key/unknown"])
    #expect(
      await site.verdict(on: try second.answer(protocol: "org-iso-mdoc"), to: both).checks.failed
        == ["response.data/malformed"])
  }

  @Test("a session accepts one answer in whichever protocol")
  func replay() async throws {
    let site = try PresentationSite()
    let session = site.session
    let used = VerifierSession(
      identifier: session.identifier, origin: session.origin, requests: session.requests, expires: session.expires,
      isUsed: true)
    let verdict = await site.verdict(on: try site.answer(), to: used)
    #expect(verdict.checks.failed == ["session.unused"])
    #expect(!verdict.checks.contains { $0.check.hasPrefix("response.data") })
    let late = await site.context.verdict(
      on: try site.answer(), to: session, now: { session.expires }, markUsed: { _ in true },
      fetch: { _ in .unreachable("") })
    #expect(late.checks.failed == ["session.current/expired"])
  }

  @Test("an answer to another session of the website says so")
  func anotherSession() async throws {
    let site = try PresentationSite()
    var other = site
    other.asked = OpenID4VPSession(
      .unsigned, asking: site.asked.query, nonce: [UInt8](repeating: 5, count: 32),
      recipientKey: try fixedAgreementKey(12),
      at: site.port.now)
    let others = [other.session(of: [.openID4VP(other.asked)], identifier: "8")]
    let verdict = await site.verdict(on: try other.answer(), others: others)
    #expect(verdict.checks.failed == ["openid4vp.response.key/another-session"])
    #expect(verdict.failure?.evidence.map(\.found) == ["8"])
  }

  @Test("an error of the wallet is refused with its code", arguments: PresentationErrorCode.allCases)
  func error(code: PresentationErrorCode) async throws {
    let site = try PresentationSite()
    let reasons: [PresentationErrorCode: String] = [.formatsNotSupported: "formats-not-supported"]
    let verdict = await site.verdict(
      on: SubmittedAnswer(protocol: "openid4vp-v1-unsigned", data: PresentationResponse.error(code)))
    let reason = reasons[code] ?? code.rawValue.replacing("_", with: "-")
    #expect(verdict.checks.failed == ["openid4vp.response.error/\(reason)"])
    #expect(verdict.failure?.evidence.map(\.found) == [code.rawValue])
  }

  @Test("an error is one in every form: of an unknown code, encrypted, and beside presentations")
  func formsOfErrors() async throws {
    let site = try PresentationSite()
    let encryption = try #require(site.asked.encryption)
    func sealed(_ content: [UInt8]) throws -> [UInt8] {
      let text = try JWE.encrypt(
        content, to: encryption.key, encryption: encryption.encryptions[0], ephemeralKey: fixedAgreementKey(13),
        initializationVector: [UInt8](repeating: 6, count: JWE.vectorLength))
      return JSONValue(members: [("response", .string(text))]).bytes
    }
    let token = #""vp_token":{"mdoc":["AA"]}"#
    let forms: [(data: [UInt8], failed: String)] = [
      (Array(#"{"error":"wallet_unavailable","error_description":"x"}"#.utf8), "error"),
      (try sealed(Array(#"{"error":"access_denied"}"#.utf8)), "error/access-denied"),
      (Array(#"{"error":"access_denied",\#(token)}"#.utf8), "error/access-denied"),
      (try sealed(Array(#"{"error":"server_error",\#(token)}"#.utf8)), "error/server-error"),
      (Array(#"{"error":1}"#.utf8), "structure"), (try sealed(Array(#"{"error":null,\#(token)}"#.utf8)), "structure"),
    ]
    for (data, failed) in forms {
      let verdict = await site.verdict(on: SubmittedAnswer(protocol: "openid4vp-v1-unsigned", data: data))
      #expect(verdict.checks.failed == ["openid4vp.response.\(failed)"])
      #expect(!verdict.isVerified && verdict.documents.isEmpty)
    }
  }

  @Test("a device response with several documents is one finding, with none a failure")
  func documents() async throws {
    let site = try PresentationSite()
    let transcript = site.asked.sessionTranscript(origin: PresentationSite.origin)
    let kept = site.mdoc.keeping { $1 == "age_over_21" }
    let document = try kept.presented(
      kept.nameSpaces.filter { !$0.items.isEmpty }, over: transcript, signedWith: site.port.deviceKey)
    for (count, failed, deviating) in [
      (0, ["response.documents"], [] as [String]), (2, [], ["openid4vp.response.documents/several"]),
    ] {
      let text = Base64URL.encode(DeviceResponseWriter.encoded(documents: Array(repeating: document, count: count)))
      let answer = try site.answer(How(change: { $0[0] = .init(id: "mdoc", presentations: [text]) }))
      let verdict = await site.verdict(on: answer)
      #expect(verdict.isVerified == (count == 2))
      if count == 2 {
        #expect(verdict.checks.failed == failed && verdict.checks.deviating == deviating)
      }
    }
  }

  @Test("a strict policy demands what HAIP does")
  func profile() async throws {
    var plain = try PresentationSite(isEncrypted: false)
    plain.context.policy = .strict
    #expect(await plain.verdict(on: try plain.answer()).checks.failed == ["openid4vp.response.haip/plain"])
    var named = try PresentationSite(.signed, identifiedBy: .sanDNS)
    #expect(await named.verdict(on: try named.answer()).isVerified)
    named.context.policy = .strict
    #expect(await named.verdict(on: try named.answer()).checks.failed == ["openid4vp.response.haip/client-identifier"])
    var one = try PresentationSite()
    one.asked = OpenID4VPSession(
      .unsigned, query: one.asked.query, nonce: one.asked.nonce,
      encryption: OpenID4VPSession.encryption(to: try fixedAgreementKey(6), encryptions: [.a256GCM]))
    one.context.policy = .strict
    #expect(await one.verdict(on: try one.answer()).checks.failed == ["openid4vp.response.haip/encryptions"])
    var good = try PresentationSite(.signed)
    good.context.policy = .strict
    #expect(await good.verdict(on: try good.answer()).checks.failed == [])
  }

  @Test("answers in the form of drafts are accepted by a lenient policy alone, with findings")
  func drafts() async throws {
    var site = try PresentationSite(isEncrypted: false)
    let clientID = "web-origin:\(PresentationSite.origin)"
    let token = try site.token(
      How(
        audience: clientID,
        transcript: OpenID4VPHandover.draft24Transcript(
          origin: PresentationSite.origin, clientID: clientID, nonce: site.asked.nonce)))
    let data = JSONValue(members: [
      (
        "vp_token",
        JSONValue(members: token.answers.map { ($0.id, .string($0.presentations[0])) })
      )
    ]).bytes
    let answer = SubmittedAnswer(protocol: "openid4vp", data: data)
    #expect(await site.verdict(on: answer).checks.failed == ["response.protocol/draft"])
    site.context.policy = .lenient
    let verdict = await site.verdict(on: answer)
    #expect(verdict.isVerified)
    #expect(
      verdict.checks.deviating
        == ["response.protocol/draft", "openid4vp.response.count/bare", "openid4vp.response.count/bare"])
    // The protocol of 1.0 has the bindings of 1.0.
    let named = SubmittedAnswer(protocol: "openid4vp-v1-unsigned", data: data)
    #expect(await site.verdict(on: named).checks.failed.contains("sd-jwt.key-binding.audience"))
  }

  @Test("a call has an entry for each protocol, in the stated order")
  func call() throws {
    let site = try PresentationSite(.multisigned)
    let signers = [try PresentationSite.signer(site.port, .hash)]
    let options = try PageRequest.options([
      PageRequest(site.asked.kind, site.asked.data(origin: PresentationSite.origin, signedBy: signers)),
      PageRequest(
        try site.annexC.data(
          asking: DeviceRequestDraft(documents: site.annexC.documents), signedBy: [], origin: PresentationSite.origin)),
    ])
    let requests = try JSONReader.item(options).item("digital").item("requests").elements().map { entry in
      (try entry.member("protocol") as String, try Array(entry.item("data").members()).map(\.name))
    }
    #expect(requests.map(\.0) == ["openid4vp-v1-multisigned", "org-iso-mdoc"])
    #expect(requests.map(\.1) == [["payload", "signatures"], ["deviceRequest", "encryptionInfo"]])
    #expect(throws: JOSEError.self) { try site.asked.data(origin: PresentationSite.origin, signedBy: []) }
  }

  @Test("what a website asks becomes a query with its intents to retain, issuers and use cases")
  func query() throws {
    let items = ItemsRequest(
      documentType: "org.iso.18013.5.1.mDL",
      nameSpaces: [
        .init(
          "org.iso.18013.5.1",
          [.init("age_over_21", intentToRetain: false), .init("portrait", intentToRetain: true)])
      ], issuerIdentifiers: [[1, 2]])
    let credential = ItemsRequest(
      documentType: "dc+sd-jwt https://x.example/id",
      nameSpaces: [.init("claims", [.init("address.locality", intentToRetain: false)])])
    let query = try DCQLQuery(
      asking: [items, credential], useCases: [.init(isMandatory: true, documentSets: [[0], [1]])])
    #expect(
      String(decoding: query.json.bytes, as: UTF8.self)
        == #"{"credentials":[{"id":"document-1","format":"mso_mdoc","meta":{"doctype_value":"org.iso.18013.5.1.mDL"},"#
        + #""trusted_authorities":[{"type":"aki","values":["AQI"]}],"claims":[{"path":["org.iso.18013.5.1","#
        + #""age_over_21"],"intent_to_retain":false},{"path":["org.iso.18013.5.1","portrait"],"#
        + #""intent_to_retain":true}]},{"id":"document-2","format":"dc+sd-jwt","meta":{"vct_values":"#
        + #"["https://x.example/id"]},"claims":[{"path":["address","locality"],"intent_to_retain":false}]}],"#
        + #""credential_sets":[{"options":[["document-1"],["document-2"]]}]}"#)
    let session = OpenID4VPSession(
      .unsigned, asking: query, nonce: [1], recipientKey: nil, at: DateTime(secondsSince1970: 0))
    let promise = RetentionPromise(
      VerifierSession(
        identifier: "1", origin: "https://x.example", requests: [.openID4VP(session)],
        expires: DateTime(secondsSince1970: 1)
      ).documents)
    #expect(
      promise.covers(documentType: items.documentType, nameSpace: "org.iso.18013.5.1", identifier: "portrait"))
    #expect(
      !promise.covers(documentType: items.documentType, nameSpace: "org.iso.18013.5.1", identifier: "age_over_21"))
  }
}
