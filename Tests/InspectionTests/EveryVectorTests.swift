import Certificates
import Foundation
import Inspection
import MobileDocument
import StatusLists
import TestSupport
import TestTraits
import Testing

/// Identifies every artifact of the known answers and prints it completely.
@Suite("Every known artifact", .requiresVectors)
struct EveryVectorTests {
  static let files = [
    "age_over", "annex_c_dcapi", "cbor_rfc8949", "certificates", "cose", "device_requests", "device_responses",
    "ecdsa_p256_p1363", "hpke_p256_sha256_aes128gcm", "issuer_signed", "iso18013_5_annex_d", "request_validation",
    "session_transcripts", "status_lists", "synthetic_annex_c",
  ]

  /// The structures of the entries' members, by name.
  private static let members = [
    "device_request_hex": "DeviceRequest", "device_request_b64u": "DeviceRequest",
    "encryption_info_hex": "EncryptionInfo", "encryption_info_b64u": "EncryptionInfo",
    "session_transcript_hex": "SessionTranscript", "response_hex": "EncryptedResponse",
    "response_b64u": "EncryptedResponse", "plaintext_device_response_hex": "DeviceResponse",
    "plaintext_hex": "DeviceResponse", "dcapi_info_hex": "dcapiInfo", "trust_anchor_der_hex": "certificate",
    "trust_anchors_der_hex": "certificate", "issuer_hex": "certificate", "tbs_hex": "Sig_structure",
    "public_uncompressed_hex": "public key: uncompressed point of P-",
    "enc_hex": "public key: uncompressed point of P-",
    "public_key_uncompressed_hex": "public key: uncompressed point of P-",
    "request_json": "request of the Digital Credentials API",
    "response_json": "response of the Digital Credentials API",
  ]

  /// The structure of the member `hex`, by the kind of the entry. A kind that is its own name is not listed.
  private static let kinds = [
    "DeviceResponse (decrypted) produced by Apple developer/mock identity flow over the Digital Credentials API":
      "DeviceResponse",
    "X.509 certificate (DER), IACA root": "certificate", "X.509 certificate (DER), document signer": "certificate",
    "X.509 certificate (DER), reader root CA": "certificate",
    "X.509 certificate (DER), reader authentication": "certificate", "X.509 DER": "certificate",
    "NDEF Hs": "NDEF message", "NDEF Hr": "NDEF message", "CBOR element value": "CBOR in diagnostic notation",
    "#6.24(bstr .cbor SessionTranscript)": "SessionTranscript in tag 24", "SessionData status 20": "SessionData",
    "COSE_Sign1 (untagged)": "COSE_Sign1", "COSE_Sign1 (untagged, detached)": "COSE_Sign1",
    "#6.24(bstr .cbor MobileSecurityObject)": "MobileSecurityObject in tag 24",
    "DeviceAuthenticationBytes": "DeviceAuthentication in tag 24", "DeviceAuth (deviceMac)": "DeviceAuth",
    "StatusList CBOR": "StatusList", "Status List Token (CWT)": "status list token",
    "Status List Token CWT": "status list token", "Identifier List CWT": "identifier list token",
    "referenced CWT with status claim 65535": "COSE_Sign1",
    "IssuerAuth (COSE_Sign1) whose MSO carries status.status_list": "COSE_Sign1",
    "X.509 CRL v2 DER": "certificate revocation list (X.509 CRL)",
  ]

  /// Secrets, and results of a cipher or a hash: their bytes have no recognizable form.
  private static let shapeless: Set = [
    "recipient_private_key_hex", "ephemeral_private_key_hex", "cipher_text_hex", "device_private_key_hex",
    "private_key_hex", "d_hex", "msg_hex", "sig_hex", "external_aad_hex", "hpke_suite_id_hex", "kem_suite_id_hex",
    "expected_hex",
  ]

  private static func form(of vector: Vector, in file: String, _ member: String) -> [(bytes: [UInt8], title: String)] {
    guard let value = vector[member], !shapeless.contains(member) else { return [] }
    guard let title = title(of: vector, in: file, member) else { return [] }
    if let text = value.text { return [(Array(text.utf8), title)] }
    if let texts = value.array { return texts.compactMap(\.text).map { (Array($0.utf8), title) } }
    guard value.object != nil, let text = written(value) else { return [] }
    return [(Array(text.utf8), title)]
  }

  /// A JSON value as text.
  private static func written(_ value: JSON) -> String? {
    func quoted(_ text: String) -> String? {
      (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) }
    }
    if let text = value.text { return quoted(text) }
    if let flag = value.boolean { return String(flag) }
    if let number = value.number { return String(number) }
    if let elements = value.array { return "[" + elements.compactMap(written).joined(separator: ",") + "]" }
    guard let members = value.object else { return "null" }
    let pairs = members.sorted { $0.key < $1.key }.compactMap { name, value in
      quoted(name).flatMap { name in written(value).map { "\(name):\($0)" } }
    }
    return "{" + pairs.joined(separator: ",") + "}"
  }

  private static func title(of vector: Vector, in file: String, _ member: String) -> String? {
    if file == "request_validation", member == "data" { return "" }
    if member == "base64url" { return vector["kind"]?.text }
    // Envelopes that are too damaged to be recognized.
    if member == "response_hex", ["neg-envelope-tag", "neg-envelope-three"].contains(vector.identifier) {
      return "CBOR in diagnostic notation"
    }
    guard member == "hex" else { return members[member] }
    let kind = vector["kind"]?.text ?? ""
    switch file {
    case "certificates": return "certificate"
    // A message with an unknown tag is not recognized; keys are.
    case "cose": return cose(vector)
    case "cbor_rfc8949": return vector["decoded"] == nil ? nil : ""
    default:
      if kind.contains("private key") { return nil }
      return kinds[kind] ?? kind
    }
  }

  /// Without a tag, and with the algorithm outside the protected header, a MAC cannot be distinguished from a
  /// signature.
  private static func cose(_ vector: Vector) -> String {
    let hex = vector["hex"]?.text ?? ""
    if hex.hasPrefix("d9") { return "CBOR in diagnostic notation" }
    return hex.hasPrefix("d1") ? "COSE_Mac0" : "COSE_Sign1"
  }

  /// Entries without a recognizable form: ages, constants, descriptions, and private keys.
  private static let withoutBytes: [String: Int] = [
    "age_over": 55, "hpke_p256_sha256_aes128gcm": 2, "status_lists": 1,
    // Besides ages: one that is only described, and CBOR that is not well-formed or has no JSON form, which the tests
    // of its reader cover.
    "request_validation": 1, "cbor_rfc8949": 141,
  ]

  /// Unreadable input, with the code of the reason.
  private static let unreadable = ["neg-duplicate-key plaintext_hex": "cbor.duplicate-key"]

  /// Requests with parts that cannot be opened, which the inspection reports.
  private static let closed: Set = ["duplicate-inner-namespace", "itemsRequest-bad-cbor"]

  @Test("every artifact is identified and printed completely", arguments: files.filter(Vectors.has))
  func all(file: String) throws {
    var without = 0
    for vector in Vectors.entries(of: "\(file).json") {
      let names = vector.json.object.map { $0.keys.sorted() } ?? []
      let found = names.flatMap { name in Self.form(of: vector, in: file, name).map { (name, $0.bytes, $0.title) } }
      if found.isEmpty { without += 1 }
      for (name, bytes, title) in found {
        if let code = Self.unreadable["\(vector) \(name)"] {
          #expect(try failure(of: bytes).description.contains(code))
          continue
        }
        let text = try Inspector.inspect(bytes, options: .offsets).get()
        let second = text.split(separator: "\n").dropFirst().first.map { String($0.drop { $0 == " " || $0.isNumber }) }
        #expect(second?.hasPrefix(title) == true, "\(file) \(vector): \(second ?? "nothing") is no \(title)")
        #expect(!text.contains("nested too deep"), "\(file) \(vector)")
        #expect(text.contains("cannot be opened") == Self.closed.contains(vector.identifier), "\(file) \(vector)")
      }
    }
    #expect(without == Self.withoutBytes[file] ?? 0)
  }

  @Test(
    "statuses, lists, handovers and envelopes are described in words",
    .requiresVectors("certificates", "session_transcripts", "status_lists", "synthetic_annex_c"))
  func meanings() throws {
    func lines(_ identifier: String, _ file: String) throws -> [String] {
      try inspected(Array(try Vectors.entry(identifier, of: "\(file).json").text("hex").utf8))
    }
    expect(
      try lines("mdoc-issuer-auth-with-status-list", "status_lists"),
      has: ["status", "status_list: revocation is looked up in a list", "idx: ", "uri: \""])
    expect(
      try lines("status-list-token", "synthetic_annex_c"),
      has: [
        "status list token", "signature verifies with the key of certificate 0", "payload: CWT claims", "sub (2): ",
        "status_list (65533): StatusList", "bits: 1", "lst: ", "x5chain: 1 certificate",
        "profile: status list signer, likely",
      ])
    #expect(try !lines("status-list-token", "synthetic_annex_c").contains { $0.hasPrefix("deviates: the ") })
    expect(
      try lines("identifier-list-token", "synthetic_annex_c"),
      has: ["identifier list token", "identifier_list (65530)", "identifiers: 2 documents revoked", "h'abcd': {}"])
    expect(
      try lines("crl", "synthetic_annex_c"),
      has: ["certificate revocation list", "version: 2", "next update: 2026-07-30", "revoked: 1 certificate"])
    for (identifier, handover) in [
      ("openid4vp-1.0-dcapi", "Handover: OpenID4VP over the Digital Credentials API"),
      ("openid4vp-1.0-redirect", "Handover: OpenID4VP by redirect"),
      ("openid4vp-draft18", "Handover: OpenID4VP of a draft"),
      ("longfellow-0-AndroidHandoverv1", "Handover: a superseded handover of Android apps"),
    ] {
      expect(try lines(identifier, "session_transcripts"), has: ["SessionTranscript", handover])
    }
    expect(
      try lines("interop-ul-cert-iaca-02-cer-pem", "certificates"),
      has: [
        "key: brainpoolP512r1", "signature not checked: the certificate's algorithm is not supported",
        "failed certificate.profile/key-unsupported",
      ])
  }

  @Test("each certificate is checked against every rule of the requested profile", .requiresVectors("certificates"))
  func askedProfile() throws {
    let hex = try Vectors.entry("annexd-iaca", of: "certificates.json").text("hex")
    for profile in CertificateProfile.allCases {
      let text = try Inspector.inspect(Array(hex.utf8), profile: profile).get()
      #expect(text.contains(", as requested (ISO"))
      let count = text.split(separator: "\n").count { line in
        ["passed", "deviates", "failed"].contains { line.drop { $0 == " " }.hasPrefix("\($0) \(profile.check.id)/") }
      }
      let certificate = try CertificateFields(
        derEncoded: Vectors.entry("annexd-iaca", of: "certificates.json").bytes("hex"))
      #expect(count == profile.check(certificate).count && count >= 12)
    }
  }
}
