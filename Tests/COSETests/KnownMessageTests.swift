import CBOR
import CrossCheckTrait
import Crypto
import TestSupport
import TestTraits
import Testing

@testable import COSE

@Suite("COSE messages of other implementations", .crossChecked, .requiresVectors("cose"))
struct KnownMessageTests {
  /// The expected codes of refused entries: under the rules of mobile documents, and under COSE's own rules.
  private static let refused: [String: (mobileDocument: COSEError.Code, general: COSEError.Code?)] = [
    "sign-fail-01@sign1-tests": (.wrongTag, .wrongTag),
    "sign-fail-02@sign1-tests": (.signature, .signature),
    "sign-fail-03@sign1-tests": (.algorithmUnsupported, .algorithmUnsupported),
    "sign-fail-04@sign1-tests": (.algorithmUnsupported, .algorithmUnsupported),
    "sign-fail-06@sign1-tests": (.signature, .signature),
    "sign-fail-07@sign1-tests": (.signature, .signature),
    "sign-pass-01@sign1-tests": (.algorithmMissing, nil),
    // COSE allows any hash with any curve; ISO/IEC 18013-5 pairs them, and so does this project.
    "ecdsa-sig-04@ecdsa-examples": (.algorithmKeyMismatch, .algorithmKeyMismatch),
    "eddsa-sig-02@eddsa-examples": (.curveUnsupported, .curveUnsupported),
    "mac-fail-01@mac0-tests": (.wrongTag, .wrongTag),
    "mac-fail-02@mac0-tests": (.mac, .mac),
    "mac-fail-03@mac0-tests": (.algorithmUnsupported, .algorithmUnsupported),
    "mac-fail-04@mac0-tests": (.algorithmUnsupported, .algorithmUnsupported),
    "mac-fail-06@mac0-tests": (.mac, .mac),
    "mac-fail-07@mac0-tests": (.mac, .mac),
    "mac-pass-01@mac0-tests": (.algorithmMissing, nil),
    "mac-pass-02@mac0-tests": (.algorithmMissing, nil),
    "mac-pass-03@mac0-tests": (.algorithmMissing, nil),
  ]

  @Test("The set has 25 messages")
  func count() {
    let entries = Vectors.entries(of: "cose.json")
    #expect(entries.count == 25)
    #expect(Self.refused.keys.allSatisfy { known in entries.contains { $0.identifier == known } })
  }

  @Test("Each message is accepted or refused as stated", arguments: Vectors.entries(of: "cose.json"))
  func outcome(of entry: Vector) throws {
    let expected = Self.refused[entry.identifier]
    #expect(refusal { try verify(entry, algorithmFrom: .protectedHeader) } == expected?.mobileDocument)
    #expect(refusal { try verify(entry, algorithmFrom: .eitherHeader) } == expected?.general)
    if expected == nil { #expect(try entry.text("expect") == "valid") }
  }

  private static let signed = Vectors.entries(of: "cose.json").filter { $0["tbs_hex"] != nil && $0["hex"] != nil }

  @Test("The signed bytes equal the printed Sig_structure", arguments: signed.filter { $0["expect"]?.text == "valid" })
  func signedBytes(of entry: Vector) throws {
    let message = try COSESign1(CBORReader.read(entry.bytes("hex")))
    let payload = try #require(message.unverifiedPayload)
    #expect(message.signedBytes(payload: payload, externalAAD: try externalData(entry)) == (try entry.bytes("tbs_hex")))
  }

  @Test("Tag 18 is a finding")
  func tags() throws {
    var found: [Bool: Int] = [:]
    for entry in Self.signed {
      let bytes = try entry.bytes("hex")
      guard [0xd2, 0x84].contains(bytes.first) else { continue }
      let isTagged = bytes.first == 0xd2
      #expect(try COSESign1(CBORReader.read(bytes)).deviations == (isTagged ? [.tagged] : []), "\(entry)")
      found[isTagged, default: 0] += 1
    }
    #expect(found == [true: 13, false: 1])
    #expect(Self.signed.filter { $0["expect"]?.text == "valid" }.count == 9)
  }

  private func verify(_ entry: Vector, algorithmFrom source: AlgorithmSource) throws {
    let item = try CBORReader.read(entry.bytes("hex"))
    let key = try #require(entry["key"])
    if let secret = key["k"]?.text {
      let code = try COSEMac0(item)
      try code.verify(
        with: SymmetricKey(data: Hex.bytes(secret)), externalAAD: externalData(entry), algorithmFrom: source)
    } else {
      let signature = try COSESign1(item)
      try signature.verify(with: publicKey(key), externalAAD: externalData(entry), algorithmFrom: source)
    }
  }

  private func externalData(_ entry: Vector) throws -> [UInt8] {
    entry["external_aad_hex"] == nil ? [] : try entry.bytes("external_aad_hex")
  }

  /// The key read from a COSE_Key, as in documents.
  private func publicKey(_ key: JSON) throws -> VerificationKey {
    let curves = ["P-256": 1, "P-384": 2, "P-521": 3, "Ed25519": 6, "Ed448": 7]
    let curve = try #require(key["crv"]?.text.flatMap { curves[$0] })
    var entries = [
      CBORValue.Entry(.integer(1), .integer(key["kty"]?.text == "OKP" ? 1 : 2)),
      CBORValue.Entry(.integer(-1), .integer(curve)),
      CBORValue.Entry(.integer(-2), .bytes(Hex.bytes(try #require(key["x"]?.text)))),
    ]
    if let y = key["y"]?.text { entries.append(CBORValue.Entry(.integer(-3), .bytes(Hex.bytes(y)))) }
    return try COSEKey(reading: CBORValue.map(entries).encoded).verificationKey()
  }
}

@Suite("ECDSA signatures of r and s, P-256", .crossChecked, .requiresVectors("ecdsa_p256_p1363"))
struct KnownSignatureTests {
  @Test("The set has 33 signatures, valid and invalid")
  func count() {
    let entries = Vectors.entries(of: "ecdsa_p256_p1363.json")
    #expect(entries.count == 33)
    #expect(Set(entries.map { $0["result"]?.text }) == ["valid", "invalid"])
  }

  @Test("Each signature verifies or not as stated", arguments: Vectors.entries(of: "ecdsa_p256_p1363.json"))
  func outcome(of entry: Vector) throws {
    let point = try entry.bytes("public_key_uncompressed_hex")
    let key = VerificationKey.p256(try P256.Signing.PublicKey(x963Representation: point))
    #expect(
      key.verifies(try entry.bytes("sig_hex"), over: try entry.bytes("msg_hex"))
        == (try entry.text("result") == "valid"))
  }
}
