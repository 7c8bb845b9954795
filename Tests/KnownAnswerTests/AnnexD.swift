import CBOR
import COSE
import Certificates
import Crypto
import TestSupport
import Testing
import X509

@testable import MobileDocument

extension KnownFile {
  /// The worked example of ISO/IEC 18013-5, annex D.
  static var annexD: KnownFile {
    KnownFile(
      "iso18013_5_annex_d", count: 23,
      [
        "EC P-256 private key": { try AnnexD.key($0) },
        "X.509 certificate (DER), IACA root": { try AnnexD.certificate($0) },
        "X.509 certificate (DER), document signer": { try AnnexD.certificate($0) },
        "X.509 certificate (DER), reader root CA": { try AnnexD.certificate($0) },
        "X.509 certificate (DER), reader authentication": { try AnnexD.certificate($0) },
        "CBOR element value": { try AnnexD.value($0) },
        "DeviceEngagement": { try AnnexD.engagement($0) },
        "NDEF Hs": { try AnnexD.handover($0) }, "NDEF Hr": { try AnnexD.handover($0) },
        "#6.24(bstr .cbor SessionTranscript)": { try AnnexD.transcript($0) },
        "DeviceRequest": { try AnnexD.request($0) },
        "DeviceResponse": { try await AnnexD.response($0) },
        "SessionEstablishment": { try AnnexD.session($0) }, "SessionData": { try AnnexD.session($0) },
        "SessionData status 20": { try AnnexD.termination($0) },
        "COSE_Sign1 (untagged)": { try AnnexD.issuerAuth($0) },
        "#6.24(bstr .cbor MobileSecurityObject)": { try AnnexD.securityObject($0) },
        "DeviceAuthenticationBytes": { try AnnexD.deviceAuthentication($0) },
        "DeviceAuth (deviceMac)": { try AnnexD.deviceMac($0) },
        "COSE_Sign1 (untagged, detached)": { try AnnexD.readerAuth($0) },
      ])
  }
}

private enum AnnexD {
  private static func bytes(_ identifier: String) throws -> [UInt8] {
    try Vectors.entry(identifier, of: "iso18013_5_annex_d.json").bytes("hex")
  }

  private static func agreementKey(_ identifier: String) throws -> P256.KeyAgreement.PrivateKey {
    try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(identifier))
  }

  private static func printed(_ entry: Vector, _ name: String) throws -> [UInt8] {
    try hexadecimalBytes(entry["expected"]?[name])
  }

  private static func bareTranscript() throws -> SessionTranscript {
    SessionTranscript(encoded: try CBORReader.read(bytes("session-transcript-bytes")).embeddedBytes())
  }

  static func key(_ entry: Vector) throws {
    let key = try P256.Signing.PrivateKey(rawRepresentation: entry.bytes("hex"))
    #expect([UInt8](key.publicKey.x963Representation) == (try entry.bytes("public_uncompressed_hex")))
  }

  static func certificate(_ entry: Vector) throws {
    let certificate = try Certificate(derEncoded: entry.bytes("hex"))
    expectInspected(entry, try entry.bytes("hex"), as: "certificate")
    let issuers = [
      "cert-iaca": "cert-iaca", "cert-ds": "cert-iaca", "cert-reader-root": "cert-reader-root",
      "cert-reader": "cert-reader-root",
    ]
    let issuer = try Certificate(derEncoded: bytes(try #require(issuers[entry.identifier])))
    #expect(issuer.publicKey.isValidSignature(certificate.signature, for: certificate))
    guard entry["private_key_hex"] != nil else { return }
    let key = try P256.Signing.PrivateKey(rawRepresentation: entry.bytes("private_key_hex"))
    #expect(certificate.publicKey == Certificate.PublicKey(key.publicKey))
  }

  static func value(_ entry: Vector) throws {
    let value = CBORValue(try CBORReader.read(entry.bytes("hex")))
    #expect(isPrinted(value, try #require(entry["decoded"])))
    #expect(value.encoded == (try entry.bytes("hex")))
  }

  static func engagement(_ entry: Vector) throws {
    let security = try CBORReader.read(entry.bytes("hex")).map().required(1).array()
    let key = try COSEKey(security.at(1).embedded())
    #expect(
      try key.p256KeyAgreementKey().rawRepresentation == agreementKey("key-EDeviceKey").publicKey.rawRepresentation)
  }

  /// The transcript ends with both messages of the handover, the select message first. The type of the record
  /// identifies each (NFC Connection Handover, 6.1 and 6.2); the names of the entries are swapped.
  static func handover(_ entry: Vector) throws {
    let handover = try CBORReader.read(bareTranscript().encoded).array(count: 3).at(2).array(count: 2)
    let message = try entry.bytes("hex")
    let isSelect = Array(message[3...4]) == Array("Hs".utf8)
    #expect(try handover.at(isSelect ? 0 : 1).bytes() == message)
  }

  static func transcript(_ entry: Vector) throws {
    #expect(try bareTranscript().sessionTranscriptBytes == entry.bytes("hex"))
    expectInspected(entry, try bareTranscript().encoded, as: "SessionTranscript")
    let array = try CBORReader.read(bareTranscript().encoded).array(count: 3)
    // The engagement over NFC has the key of the one in the QR code.
    let security = try array.at(0).embedded().map().required(1).array()
    let ofQRCode = try CBORReader.read(bytes("device-engagement")).map().required(1).array()
    #expect(try Array(security.at(1).encoded) == Array(ofQRCode.at(1).encoded))
    let key = try COSEKey(array.at(1).embedded()).p256KeyAgreementKey()
    #expect(key.rawRepresentation == (try agreementKey("key-EReaderKey").publicKey.rawRepresentation))
  }

  static func request(_ entry: Vector) throws {
    expectInspected(entry, try entry.bytes("hex"), as: "DeviceRequest")
    try expectAsks(entry.bytes("hex"), as: entry["expected"], entry)
    let request = try UnverifiedDeviceRequest(entry.bytes("hex")).authenticate(over: bareTranscript())
    let isSigned = entry.identifier == "device-request-v1.0"
    #expect(request.readerAuthentications.map(\.coverage) == (isSigned ? [.document(0)] : []))
    #expect((request.deviceRequestInfo?.useCases.count ?? 0) == (isSigned ? 0 : 2))
  }

  static func response(_ entry: Vector) async throws {
    let response = try entry.bytes("hex")
    expectInspected(entry, response, as: "DeviceResponse")
    let facts = try IssuerFacts(try #require(UnverifiedDeviceResponse(response).documents.first).issuerSigned)
    let printed = try #require(entry["expected"]?["facts"])
    try facts.compare(with: printed)
    try facts.compare(elements: entry["expected"]?["elements"])
    let root = try Certificate(derEncoded: bytes("cert-iaca"))
    let report = await verification(
      of: response, over: try bareTranscript(), trusting: [root], at: try IssuerFacts.firstMoment(printed),
      readerKey: try agreementKey("key-EReaderKey"))
    #expect(report.failed == [] && report.verified != nil)
    #expect(
      report.deviating == ["issuer.certificate.profile/crl-distribution-points", "mso.signer-validity/outlives-signer"])
    try Claims(report: report, documents: [facts], anchors: [root]).check(entry)
  }

  /// Session messages, which web presentment does not use: the first in each direction contains request and response.
  static func session(_ entry: Vector) throws {
    let isReaders = entry["kind"]?.text == "SessionEstablishment"
    let key = try hexadecimalBytes(entry["inputs"]?[isReaders ? "SKReader" : "SKDevice"])
    let data = try CBORReader.read(entry.bytes("hex")).map().required("data").bytes()
    let nonce = [0, 0, 0, 0, 0, 0, 0, isReaders ? 0 : 1, 0, 0, 0, 1] as [UInt8]
    let box = try AES.GCM.SealedBox(combined: nonce + data)
    let opened = [UInt8](try AES.GCM.open(box, using: SymmetricKey(data: key)))
    #expect(opened == (try bytes(isReaders ? "device-request-v1.0" : "device-response")))
  }

  static func termination(_ entry: Vector) throws {
    #expect(try CBORReader.read(entry.bytes("hex")).map().required("status").unsigned() == 20)
  }

  static func issuerAuth(_ entry: Vector) throws {
    expectInspected(entry, try entry.bytes("hex"), as: "COSE_Sign1")
    let signature = try COSESign1(CBORReader.read(entry.bytes("hex")))
    let payload = try signature.verify(with: Certificate(derEncoded: bytes("cert-ds")).verificationKey())
    #expect(signature.signedBytes(payload: payload) == (try printed(entry, "Sig_structure")))
    #expect(payload == (try bytes("mobile-security-object-bytes")))
  }

  static func securityObject(_ entry: Vector) throws {
    let object = try MobileSecurityObject(payload: entry.bytes("hex"))
    let value = CBORValue(try CBORReader.read(entry.bytes("hex")).embedded())
    #expect(isPrinted(value, try #require(entry["decoded"])))
    #expect(object.deviations.isEmpty && object.documentType == "org.iso.18013.5.1.mDL")
    let device = try agreementKey("key-SDeviceKey").publicKey
    #expect(try #require(object.deviceKey).p256KeyAgreementKey().rawRepresentation == device.rawRepresentation)
  }

  static func deviceAuthentication(_ entry: Vector) throws {
    let made = try bareTranscript().deviceAuthenticationBytes(
      documentType: "org.iso.18013.5.1.mDL", deviceNameSpacesBytes: [0xd8, 0x18, 0x41, 0xa0])
    #expect(made == (try entry.bytes("hex")))
  }

  static func deviceMac(_ entry: Vector) throws {
    let transcript = try bareTranscript()
    let key = try DeviceMAC.key(
      privateKey: agreementKey("key-EReaderKey"), publicKey: agreementKey("key-SDeviceKey").publicKey,
      transcript: transcript)
    #expect(key == SymmetricKey(data: try printed(entry, "EMacKey")))
    #expect(try Array(SHA256.hash(data: transcript.sessionTranscriptBytes)) == printed(entry, "salt"))
    let code = try COSEMac0(CBORReader.read(entry.bytes("hex")).map().required("deviceMac"))
    try code.verify(with: key, detachedPayload: bytes("device-authentication-bytes"))
    #expect(code.code == [UInt8](try entry.bytes("hex").suffix(32)))
  }

  static func readerAuth(_ entry: Vector) throws {
    expectInspected(entry, try entry.bytes("hex"), as: "COSE_Sign1")
    let request = try CBORReader.read(bytes("device-request-v1.0"), readingEmbedded: false)
    let items = try request.map().required("docRequests").array().at(0).map().required("itemsRequest")
    let signed = try bareTranscript().readerAuthenticationBytes(itemsRequestBytes: [UInt8](items.encoded))
    #expect(signed == (try printed(entry, "ReaderAuthenticationBytes")))
    let signature = try COSESign1(CBORReader.read(entry.bytes("hex")))
    #expect(signature.signedBytes(payload: signed) == (try printed(entry, "Sig_structure")))
    try signature.verify(
      with: Certificate(derEncoded: bytes("cert-reader")).verificationKey(), detachedPayload: signed)
  }
}
