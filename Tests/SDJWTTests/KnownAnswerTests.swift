import COSE
import Certificates
import Checks
import CrossCheckTrait
import JOSE
import JSON
import OpenID4VPVectors
import Primitives
import TestTraits
import Testing
import X509

@testable import SDJWT

@Suite("Known answers of SD-JWT", .crossChecked, .requiresOpenID4VPVectors)
struct KnownAnswerTests {
  private static let rfc = "sd_jwt_rfc9901.json"
  private static let credentials = "sd_jwt_vc.json"

  /// Verifies signatures, digests and the key binding of a printed example, and returns its claims.
  private func verify(_ text: String, kind: String?, of file: String, type: String? = nil) throws -> ClaimNode {
    let keys = try KnownItem.file(file)
    let issuer = try keys.item("issuer_jwk").publicJWK().verificationKey()
    if kind == "issuer-signed JWT" {
      // The bare JWT without disclosures.
      let payload = try JWS(compact: text).verify(with: issuer).claims()
      return try DisclosedClaims(payload, disclosures: []).root
    }
    let received = try UnverifiedSDJWT(compact: text)
    let payload = try received.issuerJWT.verify(with: issuer, type: type).claims()
    let claims = try DisclosedClaims(payload, disclosures: received.disclosures)
    #expect((received.keyBindingJWT != nil) == (kind == "SD-JWT+KB"))
    if let binding = received.keyBindingJWT {
      let holder = try HolderKey.read(payload)
      let known = try keys.item("holder_jwk").publicJWK().publicKey
      #expect(holder?.publicKey == known)
      let bound = try binding.verify(with: try #require(holder).verificationKey(), type: SDJWTType.keyBinding).claims()
      #expect(try bound.member("sd_hash") as String == claims.hash.digest(of: received.presentedText))
    }
    return claims.root
  }

  private func check(_ entry: KnownItem, of file: String, type: String? = nil) throws {
    let kind = try entry.optional("kind").map { try $0.json.text() }
    let claims = try verify(entry.text("compact"), kind: kind, of: file, type: type)
    if let processed = try entry.optional("processed") { #expect(isEqual(claims.value, processed.value)) }
    guard let disclosures = try entry.optional("disclosures")?.list() else { return }
    let read = try UnverifiedSDJWT(compact: entry.text("compact")).disclosures
    #expect(read.count == disclosures.count)
    for (known, found) in zip(disclosures, read) {
      let parts = try known.list().map(\.value)
      #expect(isEqual(parts[parts.count - 1], JSONValue(found.value)))
      #expect(found.name == (parts.count == 3 ? parts[1].text : nil))
    }
  }

  @Test("every printed example of RFC 9901 verifies", arguments: KnownItem.entries(of: rfc, "vectors"))
  func printed(entry: KnownItem) throws { try check(entry, of: Self.rfc) }

  @Test("every example in JSON verifies", arguments: KnownItem.entries(of: rfc, "json_serialization"))
  func serialized(entry: KnownItem) throws {
    let object = try entry.item("json")
    let isGeneral = try object.optional("signatures") != nil
    let received = try UnverifiedSDJWT(json: object.json, form: isGeneral ? .general : .flattened)
    let compact = try entry.text("compact_rebuilt")
    #expect(received.presentedText + (received.keyBindingJWT?.compact ?? "") == compact)
    let claims = try verify(compact, kind: received.keyBindingJWT == nil ? "SD-JWT" : "SD-JWT+KB", of: Self.rfc)
    #expect(isEqual(claims.value, try entry.item("processed").value))
  }

  @Test("every other build of the examples verifies", arguments: KnownItem.entries(of: rfc, "other_builds", "vectors"))
  func otherBuilds(entry: KnownItem) throws {
    let text = try entry.text("compact")
    _ = try verify(text, kind: text.hasSuffix("~") ? "SD-JWT" : "SD-JWT+KB", of: Self.rfc)
  }

  @Test("every printed SD-JWT VC verifies", arguments: KnownItem.entries(of: credentials, "vectors"))
  func printedCredentials(entry: KnownItem) throws {
    try check(entry, of: Self.credentials, type: SDJWTType.credential)
  }

  @Test("the files have the entries that they had when this was written")
  func counts() {
    #expect(KnownItem.entries(of: Self.rfc, "vectors").count == 9)
    #expect(KnownItem.entries(of: Self.rfc, "json_serialization").count == 3)
    #expect(KnownItem.entries(of: Self.rfc, "other_builds", "vectors").count == 7)
    #expect(KnownItem.entries(of: Self.credentials, "vectors").count == 6)
    #expect(KnownItem.entries(of: Self.synthetic, "sd_jwt_presentations", "accepted").count == 5)
    #expect(KnownItem.entries(of: Self.synthetic, "sd_jwt_presentations", "refused").count == Self.refusals.count)
  }

  private static let synthetic = "synthetic_dcapi.json"

  private func report(_ entry: KnownItem, policy: VerificationPolicy = .standard) async throws -> SDJWTReport {
    let file = try KnownItem.file(Self.synthetic)
    let root = try file.item("certificates").item("issuer-root").json.item("der_base64").base64()
    // The issuer's certificate has no extended key usage: its profile is that of a signer without one.
    let trusted = try TrustedCertificates(reading: [root], for: .statusListSigner)
    let moment = try #require(DateTime.parse(file.text("verification_time"))).moment
    let expected = ExpectedKeyBinding(
      audience: "origin:\(try file.text("origin"))", nonce: try file.item("sd_jwt_presentations").text("nonce"))
    return await SDJWTVerifier(trustedIssuers: trusted, policy: policy).verify(
      try entry.text("presentation"), types: ["https://credentials.example.com/identity_credential"],
      binding: expected, at: moment)
  }

  @Test(
    "every good presentation verifies", arguments: KnownItem.entries(of: synthetic, "sd_jwt_presentations", "accepted"))
  func accepted(entry: KnownItem) async throws {
    let report = try await report(entry)
    #expect(report.failure == nil)
    let verified = try #require(report.verified)
    #expect(isEqual(verified.claims.value, try entry.item("processed").value))
  }

  @Test(
    "every bad presentation is refused by its check",
    arguments: KnownItem.entries(of: synthetic, "sd_jwt_presentations", "refused"))
  func refused(entry: KnownItem) async throws {
    let wanted = try #require(Self.refusals[entry.identifier], "no check is declared for \(entry)")
    let report = try await report(entry)
    #expect(report.failure?.name == wanted)
    #expect((report.verified == nil) == (wanted != nil))
  }

  /// The check that refuses each presentation; nil for one that is refused by the query alone.
  private static let refusals: [String: String?] = [
    "kb-missing": "sd-jwt.key-binding", "kb-alg-none": "sd-jwt.key-binding.algorithm",
    "kb-wrong-key": "sd-jwt.key-binding.signature/invalid", "kb-embedded-jwk": "sd-jwt.key-binding.signature/invalid",
    "kb-issuer-key": "sd-jwt.key-binding.signature/invalid", "kb-aud-without-prefix": "sd-jwt.key-binding.audience",
    "kb-aud-client-id": "sd-jwt.key-binding.audience", "kb-aud-slash": "sd-jwt.key-binding.audience",
    "kb-aud-port": "sd-jwt.key-binding.audience", "kb-aud-other": "sd-jwt.key-binding.audience",
    "kb-aud-array": "sd-jwt.key-binding.claims", "kb-nonce-other": "sd-jwt.key-binding.nonce",
    "kb-no-iat": "sd-jwt.key-binding.claims", "kb-no-aud": "sd-jwt.key-binding.claims",
    "kb-exp-past": "sd-jwt.key-binding.time/expired", "kb-sd-hash-wrong": "sd-jwt.key-binding.sd-hash",
    "kb-sd-hash-without-last-tilde": "sd-jwt.key-binding.sd-hash", "kb-sd-hash-hex": "sd-jwt.key-binding.sd-hash",
    "kb-disclosure-added": "sd-jwt.key-binding.sd-hash", "kb-disclosures-reordered": "sd-jwt.key-binding.sd-hash",
    "kb-crit": "sd-jwt.structure", "disclosure-unreferenced": "sd-jwt.disclosures/unreferenced",
    "disclosure-child-without-parent": "sd-jwt.disclosures/unreferenced",
    "disclosure-not-json": "sd-jwt.disclosures/malformed", "claim-name-number": "sd-jwt.disclosures/malformed",
    "salt-number": "sd-jwt.disclosures/malformed", "claim-name-_sd": "sd-jwt.disclosures/claim",
    "claim-name-dots": "sd-jwt.disclosures/claim", "claim-name-exists-plain": "sd-jwt.disclosures/claim",
    "digest-twice-same-array": "sd-jwt.disclosures/twice", "digest-twice-decoy": "sd-jwt.disclosures/twice",
    "digest-twice-across-kinds": "sd-jwt.disclosures/twice", "sd-not-array": "sd-jwt.disclosures/malformed",
    "sd-number": "sd-jwt.disclosures/malformed", "sd-alg-case": "sd-jwt.hash-algorithm",
    "sd-alg-nested": "sd-jwt.hash-algorithm", "registered-claim-disclosed-exp": "sd-jwt.registered-claims",
    "registered-claim-disclosed-nbf": "sd-jwt.registered-claims",
    "registered-claim-disclosed-status": "sd-jwt.registered-claims",
    "cnf-disclosed-attacker-key": "sd-jwt.registered-claims", "vct-other": "sd-jwt.credential-type/not-requested",
    "vct-missing": "sd-jwt.credential-type/missing", "vct-number": "sd-jwt.credential-type/missing",
    "expired": "sd-jwt.validity/expired", "issuer-typ-jwt": "sd-jwt.type", "issuer-typ-old": "sd-jwt.type/old",
    "issuer-alg-none": "sd-jwt.algorithm", "issuer-signature-attacker": "sd-jwt.signature/invalid",
    "disclosure-duplicate-member": "sd-jwt.disclosures/malformed", "empty-disclosure": "sd-jwt.disclosures/malformed",
    "no-tilde": "sd-jwt.structure", "claims-missing": nil,
  ]
}
