import COSE
import Checks
import CrossCheckTrait
import Crypto
import DocumentFixtures
import JOSE
import JSON
import OpenID4VPVectors
import Primitives
import StatusLists
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import SDJWT

@Suite("Issued and presented SD-JWTs", .crossChecked)
struct IssuingTests {
  private let bureau: Bureau

  init() throws { bureau = try Bureau() }

  @Test("a verifier remembers the certificates of an issuer, and makes every check of them again")
  func remembers() async throws {
    let text = try disclosed(try path("given_name"))
    let certificate = try bureau.signer.derEncoded()
    var memory = CertificateMemory()
    for trusted in [try bureau.trusted, try bureau.trusted, TrustedCertificates([], for: .documentSigner)] {
      let report = await SDJWTVerifier(trustedIssuers: trusted).verify(
        text, types: [Bureau.type], binding: ExpectedKeyBinding(audience: Bureau.audience, nonce: "n-1"),
        at: bureau.port.now, remembering: &memory)
      #expect((report.verified != nil) == !trusted.anchors.isEmpty)
      #expect(memory.fields(of: certificate) != nil)
    }
    #expect(CertificateMemory().fields(of: certificate) == nil)
  }

  @Test("an issuer that a list trusts for some types alone issues no others")
  func limitedTrust() async throws {
    let root = try bureau.port.issuer.root
    let text = try disclosed(try path("given_name"))
    for (types, isTrusted) in [
      (["org.iso.18013.5.1.mDL"], false), (["dc+sd-jwt other"], false), ([Bureau.type], false),
      (["org.iso.18013.5.1.mDL", "dc+sd-jwt \(Bureau.type)"], true),
    ] {
      let trusted = TrustedCertificates([root], for: .documentSigner, documentTypes: [root: types])
      let report = await SDJWTVerifier(trustedIssuers: trusted).verify(
        text, types: [Bureau.type], binding: ExpectedKeyBinding(audience: Bureau.audience, nonce: "n-1"),
        at: bureau.port.now)
      #expect((report.verified != nil) == isTrusted, "\(types)")
      #expect(report.failure?.name == (isTrusted ? nil : "sd-jwt.trust/document-type"))
    }
  }

  @Test("of two certificates of one authority the one counts that is listed for the type")
  func renewedTrust() async throws {
    let port = bureau.port
    let renewed = try CertificateAuthority(
      name: CertificateName(country: "US", state: "US-CA", commonName: "Spaceport"),
      contact: "https://spaceport.example",
      terms: Spaceport.terms(port.now, days: 3000, serial: [UInt8](repeating: 0x44, count: 16)), signer: fixedKey(1)
    ).root
    let root = try port.issuer.root
    #expect(root != renewed && root.subject == renewed.subject)
    let text = try disclosed(try path("given_name"))
    for anchors in [[root, renewed], [renewed, root]] {
      for trusted in anchors {
        let types = [root: ["org.iso.18013.5.1.mDL"], renewed: ["org.iso.18013.5.1.mDL"]]
          .merging([trusted: ["dc+sd-jwt \(Bureau.type)"]]) { $1 }
        let report = await SDJWTVerifier(
          trustedIssuers: TrustedCertificates(anchors, for: .documentSigner, documentTypes: types)
        ).verify(
          text, types: [Bureau.type], binding: ExpectedKeyBinding(audience: Bureau.audience, nonce: "n-1"), at: port.now
        )
        #expect(report.failure == nil)
      }
    }
  }

  @Test("certificates beside the issuer's path name no authority")
  func unrelatedCertificate() async throws {
    let issued = try bureau.draft().issued(
      by: bureau.signerKey, chain: [bureau.signer.derEncoded(), bureau.port.reader.derEncoded()]
    ) { [UInt8](repeating: 7, count: $0) }
    let report = try await bureau.report(issued, isBindingRequired: false)
    let identifiers = try #require(report.verified?.issuerKeyIdentifiers)
    let own = try #require(bureau.signer.authorityKeyIdentifier)
    let other = try #require(bureau.port.reader.authorityKeyIdentifier)
    #expect(identifiers.contains(own) && !identifiers.contains(other))
  }

  @Test("a status that is not in a status list deviates")
  func otherStatus() async throws {
    let issued = try bureau.issued { $0.status = StatusReference(.index(7), uri: StatusPort.uri) }
    let jwt = try #require(issued.split(separator: "~").first).split(separator: ".").map(String.init)
    let payload = String(decoding: try #require(Base64URL.decode(jwt[1])), as: UTF8.self)
      .replacing("\"status_list\"", with: "\"other\"")
    let header = JOSEHeaderDraft(type: SDJWTType.credential, x5c: [try bureau.signer.derEncoded()])
    let other = try JWS.sign(Array(payload.utf8), header: header, with: bureau.signerKey)
    for policy in VerificationPolicy.allCases {
      let report = try await bureau.report(other + "~", isBindingRequired: false, policy: policy)
      #expect((report.verified == nil) == (policy == .strict))
      #expect(report.checks.contains { $0.name == "sd-jwt.status/departs" })
    }
  }

  @Test("a credential of a test programme is known by the country of its issuer, if that is disclosed")
  func testProgramme() async throws {
    for country in ["UT", "US"] {
      let held = try bureau.held { draft in
        guard case .object(let members) = draft.claims else { return }
        draft.claims = .object(members + [.init(name: "issuing_country", value: .string(country))])
        draft.disclosable += [try path("issuing_country")]
      }
      for disclosed in [held.disclosures(for: try held.claims.select(path("issuing_country"))), []] {
        let text = try held.presented(disclosing: disclosed, binding: bureau.binding, signedWith: bureau.holderKey)
        let report = await SDJWTVerifier(trustedIssuers: try bureau.trusted).verify(
          text, binding: ExpectedKeyBinding(audience: Bureau.audience, nonce: "n-1"), at: bureau.port.now)
        #expect(report.verified?.isOfTestProgramme == (country == "UT" && !disclosed.isEmpty))
      }
    }
  }

  @Test("the key of a signer of lists, which has no purpose, issues nothing under a strict policy")
  func withoutPurpose() async throws {
    let key = try fixedKey(51)
    let signer = try bureau.port.issuer.statusListSigner(
      name: CertificateName(country: "US", commonName: "lists"), publicKey: Certificate.PublicKey(key.publicKey),
      contact: "https://bureau.example",
      terms: CertificateAuthority.Terms(
        from: bureau.port.now.adding(days: -10), until: bureau.port.now.adding(days: 10),
        serialNumber: [UInt8](repeating: 5, count: 16)))
    var generator = SeededGenerator(seed: 9)
    let issued = try bureau.draft().issued(by: key, chain: [signer.derEncoded()]) { generator.bytes($0) }
    let held = try HeldSDJWT(issued: issued, holderKey: COSEKey(bureau.holderKey.publicKey))
    let text = try held.presented(disclosing: [], binding: bureau.binding, signedWith: bureau.holderKey)
    for policy in VerificationPolicy.allCases {
      var verifier = SDJWTVerifier(trustedIssuers: try bureau.trusted, policy: policy)
      verifier.profileWithoutPurpose = .statusListSigner
      let report = await verifier.verify(
        text, binding: ExpectedKeyBinding(audience: Bureau.audience, nonce: "n-1"), at: bureau.port.now)
      #expect((report.verified == nil) == (policy == .strict), "\(policy)")
      #expect(report.checks.contains { $0.name == "sd-jwt.trust/extended-key-usage-missing" })
    }
  }

  @Test("a holder without a claim discloses neither it nor what is below it; visible claims stay")
  func keeping() throws {
    let held = try bureau.held()
    let kept = held.keeping { place in place.first != .member("address") && place.last != .index(1) }
    #expect(kept.claims.member("address") == nil && held.claims.member("address") != nil)
    #expect(kept.claims.member("given_name") != nil && kept.claims.member("age") != nil)
    #expect(try kept.claims.select(path("nationalities", "*")).count == 1)
    let all = Set(kept.claims.disclosuresBelow)
    #expect(all.count < held.claims.disclosuresBelow.count)
    #expect(kept.presented(disclosing: all).split(separator: "~").count == all.count + 1)
  }

  private func disclosed(_ claims: ClaimsPath...) throws -> String {
    let held = try bureau.held()
    let selected = try claims.flatMap { try held.claims.select($0) }
    return try held.presented(
      disclosing: held.disclosures(for: selected), binding: bureau.binding, signedWith: bureau.holderKey)
  }

  @Test("The same seed gives the same credential but for the library's signature")
  func deterministic() throws {
    let parts = try [bureau.issued(), bureau.issued()].map { $0.split(separator: "~").dropFirst() }
    #expect(parts[0] == parts[1] && parts[0].count == 5)
  }

  @Test("A presentation verifies and has the chosen claims, with their parents and everything below")
  func presents() async throws {
    let report = try await bureau.report(try disclosed(try path("address", "street"), try path("nationalities", 1)))
    #expect(report.failure == nil)
    let verified = try #require(report.verified)
    #expect(verified.type == Bureau.type && verified.isHolderBound && verified.issuer == "Spaceport")
    #expect(verified.issuerKeyIdentifiers == [bureau.signer.authorityKeyIdentifier].compactMap(\.self))
    #expect(verified.claims.member("given_name") == nil)
    let address = try #require(verified.claims.member("address"))
    #expect(isEqual(address.node.value, JSONValue(try json(#"{"country":"US","street":"1 Main"}"#))))
    #expect(verified.claims.member("nationalities")?.node.value == .array([.string("DE")]))
    #expect(verified.claims.member("age")?.node.value == JSONValue(try json(#"{"18":true}"#)))
  }

  @Test("A whole object brings everything below it, and a visible claim needs no disclosure")
  func below() throws {
    let held = try bureau.held()
    #expect(held.disclosures(for: try held.claims.select(path("address"))).count == 2)
    #expect(held.disclosures(for: try held.claims.select(path("address", "country"))).count == 1)
    #expect(held.disclosures(for: try held.claims.select(path("age", "18"))).isEmpty)
    #expect(held.disclosures(for: try held.claims.select(path("nationalities"))).count == 2)
  }

  @Test("The payload does not show what is disclosable, and decoys add digests")
  func decoys() throws {
    func digests(_ text: String) throws -> [String] {
      let jws = try JWS(compact: String(text.prefix { $0 != "~" }))
      return try JSONReader.item(jws.unverifiedPayload).member("_sd")
    }
    let issued = try bureau.issued { $0.decoys = 3 }
    #expect(try digests(issued).count == 5 && digests(bureau.issued()).count == 2)
    #expect(try digests(issued).sorted() == digests(issued))
    let payload = String(
      decoding: try JWS(compact: String(issued.prefix { $0 != "~" })).unverifiedPayload, as: UTF8.self)
    for hidden in ["Kelly", "given_name", "Main", "address", #"["US"#] { #expect(!payload.contains(hidden)) }
    #expect(throws: Never.self) { try bureau.held { $0.decoys = 3 } }
  }

  @Test(
    "A claim that an issuer may not conceal or name so is refused",
    arguments: [#"{"vct":"x"}"#, #"{"exp":1}"#, #"{"_sd":[]}"#, #"{"a":{"...":1}}"#, #"{"_sd_alg":"x"}"#, "[]"])
  func refusedClaims(claims: String) throws {
    #expect(throws: SDJWTError.self) { try bureau.issued { $0.claims = JSONValue(try json(claims)) } }
  }

  @Test("A wallet keeps no presentation, no credential for another key and none with a wrong signature")
  func refusedCredentials() throws {
    let issued = try bureau.issued()
    let key = COSEKey(bureau.holderKey.publicKey)
    #expect(throws: SDJWTError.self) { try HeldSDJWT(issued: disclosed(path("age")), holderKey: key) }
    #expect(throws: SDJWTError.self) { try HeldSDJWT(issued: issued, holderKey: nil) }
    #expect(throws: SDJWTError.self) {
      try HeldSDJWT(issued: issued, holderKey: COSEKey(fixedKey(51).publicKey))
    }
    let unbound = try bureau.issued { $0.holderKey = nil }
    #expect(throws: SDJWTError.self) { try HeldSDJWT(issued: unbound, holderKey: key) }
    #expect(try !HeldSDJWT(issued: unbound, holderKey: nil).isHolderBound)
    var altered = Array(issued.utf8)
    altered[issued.utf8.count / 4] ^= 1
    #expect(throws: SDJWTError.self) { try HeldSDJWT(issued: String(decoding: altered, as: UTF8.self), holderKey: key) }
    #expect(throws: SDJWTError.self) {
      try HeldSDJWT(issued: bureau.issued { $0.headerType = "vc+sd-jwt" }, holderKey: key)
    }
  }

  @Test("A drawn change of any byte of a presentation is refused")
  func altered() async throws {
    let text = try disclosed(path("given_name"))
    for changed in Damage.sample(of: Array(text.utf8), seed: 3) {
      guard let text = String(validating: changed, as: UTF8.self) else { continue }
      #expect(try await bureau.report(text).verified == nil, "\(text)")
    }
  }

  @Test("Each expectation is compared, and its check names the difference")
  func expectations() async throws {
    let text = try disclosed(path("age"))
    func failure(_ types: [String]? = nil, _ change: (inout ExpectedKeyBinding) -> Void) async throws -> String? {
      try await bureau.report(text, types: types, change: change).failure?.name
    }
    #expect(try await failure { _ in } == nil)
    #expect(try await failure(["x"]) { _ in } == "sd-jwt.credential-type/not-requested")
    #expect(try await failure { $0.audience = "https://verifier.example" } == "sd-jwt.key-binding.audience")
    #expect(try await failure { $0.nonce = "n-2" } == "sd-jwt.key-binding.nonce")
    let later = bureau.port.now.adding(seconds: 61)
    #expect(try await failure { $0.earliest = later } == "sd-jwt.key-binding.time/too-old")
    #expect(try await failure { $0.transactionData = ["e30"] } == "sd-jwt.key-binding.transaction-data")
  }

  @Test("A credential and a key binding are refused before and after their time")
  func times() async throws {
    let now = bureau.port.now
    func failure(_ change: (inout SDJWTDraft) -> Void) async throws -> String? {
      try await bureau.report(try bureau.issued { change(&$0) }, isBindingRequired: false).failure?.name
    }
    #expect(try await failure { $0.validFrom = now.adding(seconds: 1) } == "sd-jwt.validity/not-yet-valid")
    #expect(try await failure { $0.validFrom = now } == nil)
    #expect(try await failure { $0.validUntil = now } == "sd-jwt.validity/expired")
    #expect(try await failure { $0.validUntil = now.adding(seconds: 1) } == nil)
    for (seconds, reason) in [(61, "too-new"), (60, nil), (-60, nil), (-61, "too-old")] as [(Int64, String?)] {
      var binding = bureau.binding
      binding.issuedAt = now.adding(seconds: seconds)
      let text = try bureau.held().presented(disclosing: [], binding: binding, signedWith: bureau.holderKey)
      #expect(try await bureau.report(text).failure?.name == reason.map { "sd-jwt.key-binding.time/\($0)" })
    }
  }

  /// A presentation with claims of the key binding JWT that a holder would not set.
  private func bound(_ more: String, header: JOSEHeaderDraft = .init(type: SDJWTType.keyBinding)) throws -> String {
    let text = try bureau.held().presented(disclosing: [])
    let claims =
      #"{"iat":\#(bureau.port.now.secondsSince1970),"aud":"\#(Bureau.audience)","nonce":"n-1","sd_hash":"\#(SDJWTHash.sha256.digest(of: text))"\#(more)}"#
    return text + (try JWS.sign(Array(claims.utf8), header: header, with: bureau.holderKey))
  }

  @Test("The dates of a key binding JWT count, and its type")
  func bindingRules() async throws {
    let now = bureau.port.now.secondsSince1970
    func failure(_ text: String) async throws -> String? { try await bureau.report(text).failure?.name }
    #expect(try await failure(bound("")) == nil)
    #expect(try await failure(bound(#","nbf":\#(now + 1)"#)) == "sd-jwt.key-binding.time/not-yet-valid")
    #expect(try await failure(bound(#","exp":\#(now)"#)) == "sd-jwt.key-binding.time/expired")
    #expect(try await failure(bound(#","exp":\#(now + 1),"nbf":\#(now)"#)) == nil)
    #expect(try await failure(bound(#","exp":"1""#)) == "sd-jwt.key-binding.claims")
    #expect(try await failure(bound(#","exp":1e400"#)) == "sd-jwt.key-binding.claims")
    #expect(try await failure(bound("", header: .init(type: "JWT"))) == "sd-jwt.key-binding.type")
    #expect(try await failure(bound("", header: .init(type: nil))) == "sd-jwt.key-binding.type")
  }

  @Test("In JSON, disclosures and the key binding JWT belong to the first signature alone")
  func serialization() throws {
    let parts = try bureau.issued().split(separator: "~").map(String.init)
    let jwt = parts[0].split(separator: ".").map(String.init)
    func read(_ first: String, _ second: String?) throws -> UnverifiedSDJWT {
      let signature = { (header: String) in
        #"{"protected":"\#(jwt[0])","header":\#(header),"signature":"\#(jwt[2])"}"#
      }
      let signatures = ([first] + [second].compactMap(\.self)).map(signature).joined(separator: ",")
      return try UnverifiedSDJWT(
        json: json(#"{"payload":"\#(jwt[1])","signatures":[\#(signatures)]}"#), form: .general)
    }
    let header = #"{"disclosures":["\#(parts[1])"]}"#
    #expect(try read(header, "{}").disclosures.map(\.text) == [parts[1]])
    for second in [header, #"{"kb_jwt":"x"}"#] {
      #expect(refusal(SDJWTError.self) { _ = try read(header, second) } == .structure)
    }
    #expect(refusal(SDJWTError.self) { _ = try read("{}", nil) } == .structure)
    #expect(refusal(SDJWTError.self) { _ = try read(#"{"disclosures":"x"}"#, nil) } == .structure)
  }

  @Test("A presentation without key binding is accepted only where it is not required")
  func unbound() async throws {
    let text = try bureau.held().presented(disclosing: [])
    #expect(try await bureau.report(text).failure?.name == "sd-jwt.key-binding")
    let report = try await bureau.report(text, isBindingRequired: false)
    #expect(report.failure == nil && report.verified?.isHolderBound == false)
  }

  @Test("A key binding JWT that was not required is checked too")
  func surplusBinding() async throws {
    let text = try disclosed(path("age"))
    let report = try await bureau.report(text, isBindingRequired: false) { $0.nonce = "n-2" }
    #expect(report.failure?.name == "sd-jwt.key-binding.nonce")
  }

  @Test("Hashes of transactions are compared as a set, with an algorithm that was offered")
  func transactions() async throws {
    let held = try bureau.held()
    func failure(_ signed: [String], _ hash: SDJWTHash?, expected: [String], _ offered: [SDJWTHash]) async throws
      -> String?
    {
      var binding = bureau.binding
      binding.transactionData = signed
      binding.transactionDataHash = hash
      let text = try held.presented(disclosing: [], binding: binding, signedWith: bureau.holderKey)
      return try await bureau.report(text) {
        $0.transactionData = expected
        $0.transactionDataHashes = offered
      }.failure?.name
    }
    let name = "sd-jwt.key-binding.transaction-data"
    #expect(try await failure(["a", "b"], nil, expected: ["b", "a"], [.sha256]) == nil)
    #expect(try await failure(["a"], .sha512, expected: ["a"], [.sha512]) == nil)
    #expect(try await failure(["a"], .sha512, expected: ["a"], [.sha256]) == name)
    #expect(try await failure(["a"], nil, expected: ["a"], [.sha512]) == name)
    #expect(try await failure(["a", "a"], nil, expected: ["a", "b"], [.sha256]) == name)
    #expect(try await failure(["a"], nil, expected: ["a", "b"], [.sha256]) == name)
    #expect(try await failure(["a"], nil, expected: [], [.sha256]) == nil)
  }

  @Test("The old type of drafts is accepted by a lenient policy alone")
  func oldType() async throws {
    let text = try bureau.issued { $0.headerType = SDJWTType.oldCredential }
    let report = try await bureau.report(text, isBindingRequired: false)
    #expect(report.failure?.name == "sd-jwt.type/old")
    #expect(try await bureau.report(text, isBindingRequired: false, policy: .lenient).failure == nil)
  }
}
