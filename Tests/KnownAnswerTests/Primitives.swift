import CBOR
import Certificates
import Crypto
import MobileDocument
import TestSupport
import Testing

@testable import COSE
@testable import WebPresentment

extension KnownFile {
  /// The table of `age_over_NN` responses.
  static var ageOver: KnownFile {
    KnownFile(
      "age_over", count: 55, kind: { _ in "cell" },
      [
        "cell": { entry in
          let held = try #require(entry["on_mdl"]?.object).map { identifier, value in
            (age: try #require(AgeOver.age(in: identifier)), value: try #require(value.boolean as Bool?))
          }
          let asked = try #require(AgeOver.age(in: entry.text("request")))
          let response = entry["response"]?.object ?? [:]
          let answer = AgeOver.nearest(to: asked, in: held)
          #expect(answer.map(AgeOver.identifier(for:)) == response.keys.first)
          guard let answer else { return }
          // The answer about the requested age agrees with the holder's age.
          let value = try #require(response.values.first?.boolean as Bool?)
          let isOfAge = Double(asked) <= (try #require(entry["holder_age"]?.number))
          #expect(AgeOver.conclusion(about: asked, from: (answer, value)) == isOfAge)
        }
      ])
  }

  /// COSE messages, including general ones that ISO/IEC 18013-5 does not allow.
  static var cose: KnownFile {
    KnownFile(
      "cose", count: 25, kind: { $0["expect"]?.text ?? "" },
      [
        "valid": { entry in
          // COSE allows any hash with any curve, and a curve that is not implemented here.
          let refused: [String: COSEError.Code] = [
            "ecdsa-sig-04@ecdsa-examples": .algorithmKeyMismatch, "eddsa-sig-02@eddsa-examples": .curveUnsupported,
          ]
          #expect(COSEMessage.refusal(of: entry) == refused[entry.identifier])
        },
        "invalid": { entry in #expect(COSEMessage.refusal(of: entry) != nil) },
      ])
  }

  /// Signatures of r and s, some with numbers out of range.
  static var ecdsa: KnownFile {
    KnownFile(
      "ecdsa_p256_p1363", count: 33, kind: { $0["result"]?.text ?? "" },
      [
        "valid": { try expect($0, verifies: true) },
        "invalid": { try expect($0, verifies: false) },
      ])
  }

  private static func expect(_ entry: Vector, verifies isValid: Bool) throws {
    let point = try entry.bytes("public_key_uncompressed_hex")
    let key = VerificationKey.p256(try P256.Signing.PublicKey(x963Representation: point))
    #expect(key.verifies(try entry.bytes("sig_hex"), over: try entry.bytes("msg_hex")) == isValid)
  }

  /// RFC 9180, A.3.1.
  static var hpke: KnownFile {
    KnownFile(
      "hpke_p256_sha256_aes128gcm", count: 2,
      ["HPKE base mode": { try HPKEAnswers.exercise($0) }, "suite constants": { try HPKEAnswers.constants($0) }])
  }
}

/// Reads and verifies a message of the COSE working group's examples.
private enum COSEMessage {
  static func refusal(of entry: Vector) -> COSEError.Code? {
    do {
      let item = try CBORReader.read(entry.bytes("hex"))
      let key = try #require(entry["key"])
      let external = entry["external_aad_hex"] == nil ? [] : try entry.bytes("external_aad_hex")
      if let secret = key["k"]?.text {
        try COSEMac0(item).verify(
          with: SymmetricKey(data: Hex.bytes(secret)), externalAAD: external, algorithmFrom: .eitherHeader)
      } else {
        let signature = try COSESign1(item)
        try signature.verify(with: publicKey(key), externalAAD: external, algorithmFrom: .eitherHeader)
        let payload = try #require(signature.unverifiedPayload)
        #expect(signature.signedBytes(payload: payload, externalAAD: external) == (try entry.bytes("tbs_hex")))
      }
      return nil
    } catch let error as COSEError {
      return error.code
    } catch {
      Issue.record("\(entry): refused without a code of COSE: \(error)")
      return nil
    }
  }

  private static func publicKey(_ key: JSON) throws -> VerificationKey {
    let curves = ["P-256": 1, "P-384": 2, "P-521": 3, "Ed25519": 6, "Ed448": 7]
    var entries = [
      CBORValue.Entry(.integer(1), .integer(key["kty"]?.text == "OKP" ? 1 : 2)),
      CBORValue.Entry(.integer(-1), .integer(try #require(key["crv"]?.text.flatMap { curves[$0] }))),
      CBORValue.Entry(.integer(-2), .bytes(try hexadecimalBytes(key["x"]))),
    ]
    if key["y"] != nil { entries.append(CBORValue.Entry(.integer(-3), .bytes(try hexadecimalBytes(key["y"])))) }
    return try COSEKey(reading: CBORValue.map(entries).encoded).verificationKey()
  }
}

/// The printed values of RFC 9180.
private enum HPKEAnswers {
  static func exercise(_ entry: Vector) throws {
    func printed(_ name: String) throws -> [UInt8] { try hexadecimalBytes(entry["setup"]?[name]) }
    let recipient = try P256.KeyAgreement.PrivateKey(rawRepresentation: printed("skRm"))
    #expect([UInt8](recipient.publicKey.x963Representation) == (try printed("pkRm")))
    let encapsulation = try HPKEEncapsulation(
      to: recipient.publicKey, ephemeralKey: P256.KeyAgreement.PrivateKey(rawRepresentation: printed("skEm")))
    #expect(encapsulation.encapsulatedKey == (try printed("enc")))
    #expect(encapsulation.sharedSecret == (try printed("shared_secret")))
    let schedule = HPKEKeySchedule(sharedSecret: encapsulation.sharedSecret, info: try printed("info"))
    #expect(schedule.context == (try printed("key_schedule_context")))
    #expect(Array(schedule.secret) == (try printed("secret")))
    #expect(schedule.key == (try printed("key")))
    #expect(schedule.baseNonce == (try printed("base_nonce")))
    #expect(schedule.exporterSecret == (try printed("exporter_secret")))

    var context = HPKESealingContext(schedule)
    var number = 0
    for encryption in try #require(entry["encryptions"]?.array) {
      let wanted = try #require(encryption["sequence number"]?.text.flatMap { Int($0) })
      while number < wanted {
        _ = try context.seal([], aad: [])
        number += 1
      }
      #expect(context.nonce == (try hexadecimalBytes(encryption["nonce"])))
      #expect(
        try context.seal(hexadecimalBytes(encryption["pt"]), aad: hexadecimalBytes(encryption["aad"]))
          == hexadecimalBytes(encryption["ct"]))
      number += 1
    }
    for export in try #require(entry["exports"]?.array) {
      let length = try #require(export["L"]?.text.flatMap { Int($0) })
      let found = context.export(context: try hexadecimalBytes(export["exporter_context"]), count: length)
      #expect(found == (try hexadecimalBytes(export["exported_value"])))
    }
    let first = try #require(entry["encryptions"]?.array?.first)
    let opened = try ResponseEncryption.open(
      hexadecimalBytes(first["ct"]), encapsulatedKey: printed("enc"), with: recipient, info: printed("info"),
      aad: hexadecimalBytes(first["aad"]))
    #expect(opened == (try hexadecimalBytes(first["pt"])))
  }

  static func constants(_ entry: Vector) throws {
    #expect(HPKESuite.kemIdentifier == (try entry.bytes("kem_suite_id_hex")))
    #expect(HPKESuite.identifier == (try entry.bytes("hpke_suite_id_hex")))
  }
}
