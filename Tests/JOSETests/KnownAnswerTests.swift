import COSE
import CrossCheckTrait
import Crypto
import JSON
import OpenID4VPVectors
import Primitives
import TestTraits
import Testing

@testable import JOSE

@Suite("Known answers of JOSE", .crossChecked, .requiresOpenID4VPVectors)
struct KnownAnswerTests {
  /// The entries whose algorithm is outside the list or whose payload is not encoded, with the rule that refuses them.
  private static let outside: [String: JOSEErrorCode] = [
    "rfc7515-a5-unsecured": .algorithmUnsupported, "rfc7520-4.6": .algorithmUnsupported,
    "rfc7797-4.2-b64-false": .criticalHeader, "cookbook-b64-false-without-crit": .unencodedPayload,
    "rfc7515-a3-der-signature": .signatureForm,
  ]

  @Test(
    "every signature verifies or is refused as stated",
    arguments: KnownItem.entries(of: "jws_and_thumbprints.json", "jws"))
  func signature(entry: KnownItem) throws {
    let keys = try entry.optional("jwk").map { [$0] } ?? entry.optional("keys")?.list() ?? []
    if let detached = try entry.optional("detached_compact") {
      let parts = try detached.json.text().split(separator: ".", omittingEmptySubsequences: false)
      let text = "\(parts[0]).\(encoded(try entry.text("payload_text"))).\(parts[2])"
      #expect(refusal { _ = try JWS(compact: text) } == Self.outside[entry.identifier])
      return
    }
    if let compact = try entry.optional("compact") {
      let text = try compact.json.text()
      var payload: [UInt8]?
      let code = refusal {
        let jws = try JWS(compact: text)
        let key = try #require(keys.first).publicJWK().verificationKey()
        payload = try jws.verify(with: key).payload
      }
      #expect(code == Self.outside[entry.identifier])
      if code == nil, let known = try entry.optional("payload_text") {
        #expect(payload == Array(try known.json.text().utf8))
      }
    }
    for (name, form) in [("json", .general), ("json_flat", .flattened)] as [(String, JWSJSONSerialization.Form)] {
      guard let item = try entry.optional(name) else { continue }
      let object = try JWSJSONSerialization(json: item.json, form: form)
      #expect(object.unverifiedPayload == Array(try entry.text("payload_text").utf8))
      for (key, signature) in zip(keys, object.signatures) {
        // Three keys of RSA, EC and a secret; those with the algorithm in the unprotected header are refused.
        let verified = Result { try signature.jws.get().verify(with: key.publicJWK().verificationKey()) }
        let isCompactForm = entry.identifier == "rfc7520-4.3"
        #expect(((try? verified.get()) != nil) == isCompactForm, "\(entry) \(name): \(verified)")
      }
    }
  }

  @Test("every thumbprint is computed", arguments: KnownItem.entries(of: "jws_and_thumbprints.json", "thumbprints"))
  func thumbprint(entry: KnownItem) throws {
    let known = try entry.text("sha256_base64url")
    #expect(Base64URL.encode(try JWK.thumbprint(ofReceived: entry.item("jwk").json)) == known)
    if try entry.item("jwk").text("kty") != "RSA" {
      #expect(Base64URL.encode(try entry.item("jwk").publicJWK().thumbprint) == known)
    }
  }

  /// The entries with algorithms outside the list, with the rule that refuses them.
  private static let otherEncryption: [String: JOSEErrorCode] = [
    "rfc7520-5.5-ecdh-es-a128cbc-hs256": .encryptionUnsupported,
    "rfc7520-5.4-ecdh-es-a128kw-p384": .algorithmUnsupported,
    "rfc7520-5.9-zip-def": .algorithmUnsupported, "rfc7520-5.6-dir": .algorithmUnsupported,
    "cookbook-x25519": .ephemeralKey,
  ]

  @Test(
    "every encrypted object decrypts or is refused by its rule", arguments: KnownItem.entries(of: "jwe.json", "vectors")
  )
  func encryption(entry: KnownItem) throws {
    if try entry.optional("z_hex") != nil {
      let name = try entry.optional("enc").map { try $0.json.text() } ?? entry.item("header").text("enc")
      let info = try ["apu", "apv"].map { try entry.optional($0).map { try $0.json.base64URL() } ?? [] }
      let known =
        try entry.optional("cek_hex") == nil ? entry.json.base64URLMember("cek_base64url") : entry.hex("cek_hex")
      #expect(
        ConcatKDF.key(
          from: try entry.hex("z_hex"), algorithm: name, partyUInfo: info[0], partyVInfo: info[1], bits: 8 * known.count
        )
          == known)
      if try entry.optional("other_info_hex") != nil {
        #expect(
          ConcatKDF.otherInfo(
            algorithm: name, partyUInfo: info[0], partyVInfo: info[1], bits: 8 * known.count)
            == (try entry.hex("other_info_hex")))
      }
    }
    guard let compact = try entry.optional("compact") else { return }
    var content: [UInt8]?
    let code = refusal {
      content = try JWE(compact: compact.json.text()).decrypt(with: entry.item("private_jwk").agreementKey())
    }
    #expect(code == Self.otherEncryption[entry.identifier])
    #expect(content == (code == nil ? Array(try entry.text("plaintext").utf8) : nil))
  }

  @Test("the files have the entries that they had when this was written")
  func counts() {
    #expect(KnownItem.entries(of: "jws_and_thumbprints.json", "jws").count == 8)
    #expect(KnownItem.entries(of: "jws_and_thumbprints.json", "thumbprints").count == 3)
    #expect(KnownItem.entries(of: "jwe.json", "vectors").count == 7)
  }
}
