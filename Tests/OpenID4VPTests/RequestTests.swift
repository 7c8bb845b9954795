import COSE
import Certificates
import Checks
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
import X509

@testable import OpenID4VP

@Suite("Known requests of OpenID4VP", .crossChecked, .requiresOpenID4VPVectors)
struct KnownRequestTests {
  private let synthetic: Synthetic

  init() throws { synthetic = try Synthetic() }

  @Test("the request of every exchange is authenticated", arguments: KnownItem.entries(of: Synthetic.name, "exchanges"))
  func exchanges(entry: KnownItem) async throws {
    let report = try await synthetic.report(entry, data: "request_data")
    #expect(report.failure == nil && report.rejectedSigners.isEmpty)
    let request = try #require(report.request)
    let known = try entry.optional("request_parameters") ?? entry.item("request_data")
    #expect(request.parameters.nonce == (try known.text("nonce")))
    #expect(request.parameters.responseMode.rawValue == (try known.text("response_mode")))
    #expect(request.requesters.count == (request.kind == .unsigned ? 0 : request.kind == .signed ? 1 : 2))
    let choice = request.parameters.metadata?.encryption()
    #expect((choice != nil) == (request.parameters.responseMode == .encrypted))
    if let choice {
      #expect(choice.key.keyID == "enc-1" && choice.encryption == .a256GCM)
      #expect(request.parameters.metadata?.formats?.acceptsES256(.mdoc) == true)
      #expect(request.parameters.metadata?.formats?.acceptsES256(.sdJWT) == true)
    }
  }

  @Test("every good request is accepted", arguments: KnownItem.entries(of: Synthetic.name, "requests_accepted"))
  func accepted(entry: KnownItem) async throws {
    let report = try await synthetic.report(entry)
    #expect(report.failure == nil)
    #expect(report.rejectedSigners.count == (entry.identifier == "multi-one-broken-one-good" ? 1 : 0))
  }

  @Test(
    "every bad request is refused by its check",
    arguments: KnownItem.entries(of: Synthetic.name, "requests_refused", "cases"))
  func refused(entry: KnownItem) async throws {
    let wanted = try #require(Self.refusals[entry.identifier], "no check is declared for \(entry)")
    let report = try await synthetic.report(entry)
    #expect(report.failure?.name == "openid4vp.request.\(wanted)", "\(report.failure?.message ?? "accepted")")
    #expect(report.request == nil && report.checks.contains { $0.status == .failed })
  }

  @Test(
    "every good request of a client without certificates is accepted",
    arguments: KnownItem.entries(of: Synthetic.name, "requests_other_prefixes", "accepted"))
  func otherAccepted(entry: KnownItem) async throws {
    let report = try await synthetic.report(entry)
    #expect(report.failure == nil && report.request?.requesters.first?.path == nil)
  }

  @Test(
    "every bad request of a client without certificates is refused",
    arguments: KnownItem.entries(of: Synthetic.name, "requests_other_prefixes", "refused"))
  func otherRefused(entry: KnownItem) async throws {
    let report = try await synthetic.report(entry)
    let isOtherKey = entry.identifier.hasSuffix("other-key")
    let reason = entry.identifier.hasPrefix("did") ? "identifier" : "attestation"
    let name = "openid4vp.request." + (isOtherKey ? "signature" : "key/\(reason)")
    #expect(report.failure?.name == name, "\(report.failure?.message ?? "accepted")")
  }

  @Test("the file has the entries that it had when this was written")
  func counts() {
    #expect(KnownItem.entries(of: Synthetic.name, "exchanges").count == 7)
    #expect(KnownItem.entries(of: Synthetic.name, "requests_accepted").count == 3)
    #expect(KnownItem.entries(of: Synthetic.name, "requests_refused", "cases").count == Self.refusals.count)
    #expect(KnownItem.entries(of: Synthetic.name, "requests_other_prefixes", "accepted").count == 2)
    #expect(KnownItem.entries(of: Synthetic.name, "requests_other_prefixes", "refused").count == 15)
  }

  /// The check that refuses each request.
  private static let refusals: [String: String] = [
    "typ-jwt": "type", "typ-kb": "type", "alg-hs256-certificate-as-secret": "algorithm", "alg-es384": "algorithm",
    "crit-unknown": "header", "crit-b64-false": "header", "b64-false-without-crit": "header", "crit-empty": "header",
    "embedded-jwk-attacker": "signature", "attacker-self-signed-certificate": "trust",
    "x5c-other-certificate": "client-id/mismatch", "san-suffix": "client-id/mismatch",
    "hash-padded": "client-id/mismatch", "hash-hex": "client-id/mismatch", "client-id-missing": "client-id/missing",
    "client-id-origin-prefix": "client-id/reserved", "client-id-web-origin": "client-id/reserved",
    "client-id-redirect-uri-signed": "client-id/reserved", "client-id-prefix-case": "client-id/unknown",
    "expected-origins-missing": "origin/missing", "expected-origins-string": "origin/missing",
    "expected-origins-slash": "origin/not-expected", "expected-origins-case": "origin/not-expected",
    "expected-origins-http": "origin/not-expected", "expected-origins-null": "origin/opaque",
    "replay-from-other-origin": "origin/not-expected", "response-mode-direct-post": "response-mode",
    "response-type-code": "response-type", "dcql-string": "query/missing", "nonce-space": "nonce/malformed",
    "nonce-missing": "nonce/missing", "key-without-alg": "encryption", "key-use-sig": "encryption",
    "duplicate-header-member": "header", "duplicate-escaped-member": "payload", "payload-bom": "payload",
    "payload-array": "payload", "padding": "header", "signature-zero": "signature", "signature-empty": "signature",
    "non-canonical-base64url": "header", "unsigned-data-under-signed": "structure", "data-string": "structure",
    "signed-data-under-unsigned": "response-type", "protocol-draft": "protocol", "multi-no-signatures": "structure",
    "multi-flattened": "structure", "multi-detached": "structure", "multi-client-id-in-payload": "client-id/in-payload",
    "multi-no-expected-origins": "origin/missing", "multi-client-id-unprotected": "client-id/missing",
    "multi-all-broken": "signature", "td-unknown-type": "transaction-data/unknown",
    "td-unknown-id": "transaction-data/mismatch",
  ]
}

@Suite("Requests of OpenID4VP", .crossChecked)
struct RequestTests {
  private let port: Spaceport
  private static let origin = "https://verifier.example"
  private static let query =
    #"{"credentials":[{"id":"a","format":"mso_mdoc","meta":{"doctype_value":"t"},"claims":[{"path":["s","e"]}]}]}"#

  init() throws { port = try Spaceport.shared }

  private func draft() throws -> PresentationRequestDraft {
    PresentationRequestDraft(
      query: JSONValue(try json(Self.query)), nonce: "n-0123456789", expectedOrigins: [Self.origin],
      encryptionKey: JWK(
        COSEKey(try fixedKey(60).publicKey), keyID: "k", use: "enc", algorithm: JWE.algorithm))
  }

  private func signer(_ clientID: ClientIdentifier? = nil) throws -> PresentationRequestDraft.Signer {
    let der = try port.reader.derEncoded()
    let hash = Base64URL.encode(SHA256.hash(data: der).bytes)
    return .init(clientID: clientID ?? ClientIdentifier(.hash, hash), chain: [der], key: port.readerKey)
  }

  private func report(
    _ kind: OpenID4VPProtocol, _ data: [UInt8], origin: String = origin,
    change: (inout RequestAuthenticator) -> Void = { _ in }
  ) async throws -> RequestReport {
    var authenticator = RequestAuthenticator(
      trustedReaders: TrustedCertificates([try port.readers.root], for: .reader))
    change(&authenticator)
    return await authenticator.authenticate(protocol: kind.rawValue, data: data, origin: origin, at: port.now)
  }

  @Test("each kind of request survives a round trip")
  func roundTrip() async throws {
    let unsigned = try await report(.unsigned, try draft().unsigned)
    #expect(unsigned.failure == nil && unsigned.request?.requesters.isEmpty == true)
    let signed = try await report(.signed, try draft().signed(by: signer()))
    #expect(signed.failure == nil && signed.request?.requesters.first?.clientID.prefix == .hash)
    #expect(signed.request?.parameters.metadata?.encryption()?.encryption == .a256GCM)
    #expect(signed.request?.parameters.metadata?.formats?.acceptsES256(.mdoc) == true)
    let unknown = try signer(ClientIdentifier("other:x"))
    let several = try await report(.multisigned, try draft().signed(byEach: [unknown, signer()]))
    #expect(several.failure == nil && several.request?.requesters.count == 1)
    #expect(several.rejectedSigners.map(\.name) == ["openid4vp.request.client-id/unknown"])
  }

  @Test("an untrusted reader authority, another origin and another protocol are refused")
  func refusals() async throws {
    let data = try draft().signed(by: signer())
    #expect(
      try await report(.signed, data, origin: Self.origin + "/").failure?.name
        == "openid4vp.request.origin/not-expected")
    let other = TrustedCertificates([try port.otherReaders.root], for: .reader)
    #expect(try await report(.signed, data) { $0.trustedReaders = other }.failure?.name == "openid4vp.request.trust")
    #expect(try await report(.multisigned, data).failure?.name == "openid4vp.request.structure")
    #expect(try await report(.unsigned, data).failure?.name == "openid4vp.request.response-type")
    let key = PresentationRequestDraft.Signer(
      clientID: try signer().clientID, chain: [try port.reader.derEncoded()], key: try fixedKey(61))
    #expect(try await report(.signed, try draft().signed(by: key)).failure?.name == "openid4vp.request.signature")
  }

  /// A signed request with further members.
  private func signed(_ members: String) throws -> [UInt8] {
    let compact: String = try JSONReader.item(draft().signed(by: signer())).member("request")
    let payload = try #require(Base64URL.decode(String(compact.split(separator: ".")[1])))
    let text = String(decoding: payload, as: UTF8.self).dropLast() + ",\(members)}"
    let header = JOSEHeaderDraft(type: RequestAuthenticator.type, x5c: [try port.reader.derEncoded()])
    let jws = try JWS.sign(Array(text.utf8), header: header, with: port.readerKey)
    return JSONValue(members: [("request", .string(jws))]).bytes
  }

  @Test("a signed request that has expired, or is not valid yet, is refused by those who have a clock")
  func validity() async throws {
    let now = port.now.secondsSince1970
    for (members, reason) in [
      (#""exp":\#(now + 1)"#, nil), (#""exp":\#(now - 59)"#, nil), (#""exp":\#(now - 60)"#, "expired"),
      (#""nbf":\#(now + 60)"#, nil), (#""nbf":\#(now + 61)"#, "not-yet-valid"), (#""exp":"soon""#, "malformed"),
      (#""iat":\#(now + 900)"#, nil),
    ] {
      let data = try signed(members)
      #expect(
        try await report(.signed, data).failure?.name == reason.map { "openid4vp.request.validity/\($0)" }, "\(members)"
      )
      let read = refusal(of: {
        _ = try RequestAuthenticator.read(protocol: OpenID4VPProtocol.signed.rawValue, data: data, origin: Self.origin)
      })
      #expect((read != nil) == (reason == "malformed"), "\(members)")
    }
  }

  /// The failure of a reading. Any other error fails the test.
  private func refusal(of read: () throws -> Void) -> PresentationRequestFailure? {
    errorOfRefusal(PresentationRequestFailure.self, read)
  }

  @Test(
    "a client identifier without a known rule is refused",
    arguments: [
      ("client", "unknown"), ("X509_HASH:x", "unknown"), ("x509_hash:", "mismatch"), ("x509_san_dns:*", "mismatch"),
      ("x509_san_dns:127.0.0.1", "mismatch"), ("origin:https://verifier.example", "reserved"),
      ("openid_federation:https://a.example", "unknown"), ("redirect_uri:https://a.example", "reserved"),
      (":", "unknown"),
    ])
  func clientIDs(text: String, reason: String) async throws {
    let data = try draft().signed(by: signer(ClientIdentifier(text)))
    #expect(try await report(.signed, data).failure?.name == "openid4vp.request.client-id/\(reason)")
  }

  @Test("a domain name identifies a client in any case, and a wildcard on neither side")
  func domains() async throws {
    func failure(_ domain: String, as name: String) async throws -> String? {
      let certificate = try port.readers.reader(
        name: CertificateName(organization: "Rentals", commonName: "rentals.example"), domain: domain, brand: nil,
        publicKey: Certificate.PublicKey(port.readerKey.publicKey), terms: Spaceport.terms(port.now, days: 300))
      let signer = PresentationRequestDraft.Signer(
        clientID: ClientIdentifier(.sanDNS, name), chain: [try certificate.derEncoded()], key: port.readerKey)
      return try await report(.signed, draft().signed(by: signer)).failure?.name
    }
    let mismatch = "openid4vp.request.client-id/mismatch"
    #expect(try await failure("rentals.example", as: "rentals.example") == nil)
    #expect(try await failure("rentals.example", as: "Rentals.EXAMPLE") == nil)
    #expect(try await failure("rentals.example", as: "www.rentals.example") == mismatch)
    #expect(try await failure("*.rentals.example", as: "www.rentals.example") == mismatch)
    #expect(try await failure("*.rentals.example", as: "*.rentals.example") == mismatch)
  }

  private func unsigned(_ member: String, _ value: String) async throws -> String? {
    var members = [
      ("response_type", #""vp_token""#), ("response_mode", #""dc_api""#), ("nonce", #""n""#),
      ("dcql_query", Self.query),
    ].filter { $0.0 != member }
    members.append((member, value))
    let text = "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    return try await report(.unsigned, Array(text.utf8)) {
      $0.transactionTypes = [TransactionType("pay", members: ["amount"])]
    }.failure?.name.replacingOccurrences(of: "openid4vp.request.", with: "")
  }

  @Test("each parameter is refused where it is malformed, and members that are not named are ignored")
  func parameters() async throws {
    let sameKey = String(
      decoding: JWK(COSEKey(try fixedKey(60).publicKey), keyID: "k", use: "sig").json.bytes, as: UTF8.self)
    func entry(_ text: String) -> String { "[\"\(Base64URL.encode(Array(text.utf8)))\"]" }
    let rows: [(String, String, String?)] = [
      ("state", "1", nil), ("scope", "null", nil), ("client_id", #""origin:x""#, nil), ("expected_origins", "7", nil),
      ("response_type", "null", "response-type"), ("response_type", #""vp_token id_token""#, "response-type"),
      ("response_mode", #""direct_post""#, "response-mode"), ("response_mode", #""dc_api.jwt""#, "encryption"),
      ("nonce", #""""#, "nonce/malformed"), ("nonce", "1", "nonce/missing"), ("nonce", #""é""#, "nonce/malformed"),
      ("dcql_query", "null", "query/missing"), ("dcql_query", "{}", "query/malformed"),
      ("client_metadata", "null", "client-metadata"), ("client_metadata", "[]", "client-metadata"),
      ("client_metadata", #"{"jwks":{}}"#, "client-metadata"), ("client_metadata", #"{"jwks":{"keys":[1]}}"#, nil),
      ("client_metadata", #"{"encrypted_response_enc_values_supported":[]}"#, "client-metadata"),
      ("client_metadata", #"{"vp_formats_supported":{"mso_mdoc":{"issuerauth_alg_values":[]}}}"#, "client-metadata"),
      (
        "client_metadata", #"{"vp_formats_supported":{"mso_mdoc":{"issuerauth_alg_values":["ES256"]}}}"#,
        "client-metadata"
      ),
      ("client_metadata", #"{"jwks_uri":"https://a.example"}"#, nil),
      ("client_metadata", #"{"jwks":{"keys":[\#(sameKey),\#(sameKey)]}}"#, "client-metadata"),
      ("verifier_info", "[]", "verifier-info"), ("verifier_info", #"[{"format":"jwt"}]"#, "verifier-info"),
      ("verifier_info", #"[{"format":"jwt","data":1}]"#, "verifier-info"),
      ("verifier_info", #"[{"format":"jwt","data":"x","credential_ids":[]}]"#, "verifier-info"),
      ("verifier_info", #"[{"format":"jwt","data":{}}]"#, nil),
      ("transaction_data", "[]", "transaction-data/malformed"),
      ("transaction_data", "{}", "transaction-data/malformed"),
      ("transaction_data", #"["e30="]"#, "transaction-data/malformed"),
      ("transaction_data", entry("[]"), "transaction-data/malformed"),
      ("transaction_data", entry(#"{"type":"pay"}"#), "transaction-data/malformed"),
      ("transaction_data", entry(#"{"type":"pay","credential_ids":[]}"#), "transaction-data/malformed"),
      ("transaction_data", entry(#"{"type":"x","credential_ids":["a"]}"#), "transaction-data/unknown"),
      ("transaction_data", entry(#"{"type":"pay","credential_ids":["a"],"z":1}"#), "transaction-data/unknown"),
      ("transaction_data", entry(#"{"type":"pay","credential_ids":["b"]}"#), "transaction-data/mismatch"),
      (
        "transaction_data", entry(#"{"type":"pay","credential_ids":["a"],"transaction_data_hashes_alg":["md5"]}"#),
        "transaction-data/malformed"
      ),
      ("transaction_data", entry(#"{"type":"pay","credential_ids":["a"],"amount":1}"#), nil),
    ]
    for (member, value, wanted) in rows {
      #expect(try await unsigned(member, value) == wanted, "\(member): \(value)")
    }
  }

  @Test("a transaction for a credential that no key signs for is refused")
  func unboundTransaction() async throws {
    let query =
      #"{"credentials":[{"id":"a","format":"dc+sd-jwt","meta":{},"require_cryptographic_holder_binding":false}]}"#
    let entry = Base64URL.encode(Array(#"{"type":"pay","credential_ids":["a"]}"#.utf8))
    let text =
      #"{"response_type":"vp_token","response_mode":"dc_api","nonce":"n","dcql_query":\#(query),"transaction_data":["\#(entry)"]}"#
    let report = try await report(.unsigned, Array(text.utf8)) {
      $0.transactionTypes = [TransactionType("pay", members: [])]
    }
    #expect(report.failure?.name == "openid4vp.request.transaction-data/mismatch")
    #expect(report.failure?.check.errorCode == .invalidTransactionData)
  }

  @Test("a failed transaction has an error code of its own")
  func errorCodes() {
    #expect(PresentationRequestCheck.transactionData.errorCode == .invalidTransactionData)
    #expect(PresentationRequestCheck.origin.errorCode == .invalidRequest)
  }

  @Test("the settings for requests of some programs accept what the text refuses")
  func settings() async throws {
    var draft = try draft()
    draft.expectedOrigins = []
    let noOrigins = try draft.signed(byEach: [signer()])
    #expect(try await report(.multisigned, noOrigins).failure?.name == "openid4vp.request.origin/missing")
    let text = String(decoding: noOrigins, as: UTF8.self)
    let object = try JSONReader.item(Array(text.utf8))
    let payload = try #require(Base64URL.decode(object.member("payload") as String))
    let without = String(decoding: payload, as: UTF8.self).replacingOccurrences(
      of: #""expected_origins":[],"#, with: "")
    let der = try port.reader.derEncoded()
    var header = JOSEHeaderDraft(type: nil, x5c: [der])
    header.others = [("client_id", .string(try signer().clientID.text))]
    let data = try JWSJSONSerialization.sign(Array(without.utf8), [(header, port.readerKey)]).bytes
    #expect(try await report(.multisigned, data).failure?.name == "openid4vp.request.type")
    #expect(
      try await report(.multisigned, data) {
        $0.requiresTypeOfEverySignature = false
        $0.acceptsMissingOriginsOfSeveral = true
      }.failure == nil)
  }

  @Test("a drawn change of a signed request is refused")
  func altered() async throws {
    let data = try draft().signed(by: signer())
    let trusted = TrustedCertificates([try port.readers.root], for: .reader)
    let damaged = Damage.sample(of: data, seed: 13)
    for (number, changed) in damaged.enumerated() where number.isMultiple(of: 7) {
      let report = await RequestAuthenticator(trustedReaders: trusted).authenticate(
        protocol: OpenID4VPProtocol.signed.rawValue, data: changed, origin: Self.origin, at: port.now)
      // A name beside `request` is ignored; the request itself is not changed then.
      #expect(report.request == nil, "\(String(decoding: changed, as: UTF8.self))")
    }
  }

  @Test("a request beyond the limits is refused")
  func bounds() async throws {
    let large = Array((#"{"x":""# + String(repeating: "a", count: OpenID4VPLimits.requestBytes) + #""}"#).utf8)
    #expect(try await report(.unsigned, large).failure?.name == "openid4vp.request.structure")
    let origins = (0...OpenID4VPLimits.origins).map { "https://\($0).example" } + [Self.origin]
    var draft = try draft()
    draft.expectedOrigins = origins
    #expect(try await report(.signed, draft.signed(by: signer())).failure?.name == "openid4vp.request.origin/missing")
  }
}
