import CBOR
import COSE
import Crypto
import Foundation
import Inspection
import MobileDocument
import Primitives
import StatusLists
import Testing
import WebPresentment

@Suite("Structures outside an exchange")
struct StructureTests {
  let sample: Sample

  init() throws { sample = try Sample() }

  private func value(_ encoded: [UInt8]) throws -> CBORValue { CBORValue(try CBORReader.read(encoded)) }

  @Test("the structures that readers and devices sign are printed")
  func signed() throws {
    let item = CBORValue.tagged(
      24, .bytes(Array(CBORValue.textMap([("docType", .text("a")), ("nameSpaces", .map([]))]).encoded)))
    let transcript = try value(sample.transcript.encoded)
    expect(
      try inspected(
        CBORValue.tagged(24, .bytes(CBORValue.array([.text("ReaderAuthentication"), transcript, item]).encoded)).encoded
      ),
      has: ["ReaderAuthentication in tag 24", "SessionTranscript", "Handover: dcapi", "ItemsRequestBytes: 24(<<"])
    let all: [CBORValue] = [.text("ReaderAuthenticationAll"), transcript, .array([item, item]), .null]
    expect(
      try inspected(CBORValue.array(all).encoded),
      has: ["ReaderAuthenticationAll", "ItemsRequestBytes: 2", "[0]: 24(<<", "DeviceRequestInfoBytes: null"])
    expect(
      try inspected(CBORValue.array(Array(all.dropLast())).encoded),
      has: ["ReaderAuthenticationAll", "deviates: a superseded form"])
    expect(
      try inspected(
        CBORValue.array([
          .text("DeviceAuthentication"), transcript, .text("org.iso.18013.5.1.mDL"), .tagged(24, .bytes([0xa0])),
        ]).encoded),
      has: ["DeviceAuthentication", "docType: \"org.iso.18013.5.1.mDL\"", "no elements signed by the device"])
  }

  @Test("Apple's envelope for apps is printed with its transcript and contents")
  func envelope() throws {
    let parameters = CBORValue.textMap([
      ("mode", .unsigned(0)), ("pkEm", .bytes([4] + [UInt8](repeating: 1, count: 64))),
      ("pkRHash", .bytes([UInt8](repeating: 2, count: 32))), ("infoHash", .bytes([UInt8](repeating: 3, count: 32))),
    ])
    let envelope = CBORValue.textMap([
      ("algorithm", .text("APPLE-HPKE-v1")), ("params", parameters), ("data", .bytes([UInt8](repeating: 0, count: 40))),
    ])
    expect(
      try inspected(envelope.encoded),
      has: [
        "HPKEEnvelope", "algorithm: \"APPLE-HPKE-v1\"", "params", "pkRHash: h'0202",
        "SHA-256 of the recipient's public key",
        "data: h'", "the encrypted device response",
      ])
    let handover = CBORValue.array([
      .text("AppleIdentityPresentment_1.0"), .bytes([1, 2]), .text("merchant.example"), .text("TEAM"), .bytes([9]),
    ])
    expect(
      try inspected(CBORValue.array([.null, .null, handover]).encoded),
      has: ["SessionTranscript", "Handover: Apple's presentment in apps", "merchant identifier: \"merchant.example\""])
    expect(
      try inspected(CBORValue.textMap([("identity", try value(sample.deviceResponse))]).encoded),
      has: ["Topics", "identity: DeviceResponse", "documents: 1"])
  }

  @Test("proofs and separately sealed documents are printed")
  func sealedAndProven() throws {
    let data = CBORValue.textMap([
      ("docType", .text("org.iso.18013.5.1.mDL")), ("zkSystemId", .text("longfellow")), ("timestamp", .text("now")),
      (
        "issuerSigned",
        .textMap([
          (
            Sample.drivingLicence,
            .array([.textMap([("elementIdentifier", .text("age_over_18")), ("elementValue", .boolean(true))])])
          )
        ])
      ), ("msoX5chain", .bytes(sample.signerCertificate)),
    ])
    let proof = CBORValue.textMap([("documentData", .tagged(24, .bytes(data.encoded))), ("proof", .bytes([1, 2, 3]))])
    expect(
      try inspected(proof.encoded),
      has: [
        "ZkDocument", "documentData: 24(<<", "zkSystemId: \"longfellow\"", "issuerSigned: 1 name space",
        "age_over_18", "the holder is at least 18 years old", "x5chain: 1 certificate",
        "profile: document signer, likely", "proof: h'010203'",
      ])
    let sealed = CBORValue.textMap([
      ("enc", .bytes([4])), ("cipherText", .bytes([1, 2])), ("docRequestID", .unsigned(0)),
    ])
    let response = CBORValue.textMap([
      ("version", .text("1.1")), ("status", .unsigned(0)), ("encryptedDocuments", .array([sealed])),
      ("zkDocuments", .array([proof])),
    ])
    expect(
      try inspected(response.encoded),
      has: ["DeviceResponse", "encryptedDocuments: [", "/ EncryptedDocuments /", "docRequestID: 0", "/ ZkDocument /"])
    let key = try value(COSEKey(P256.KeyAgreement.PrivateKey().publicKey).encoded)
    expect(
      try inspected(CBORValue.tagged(24, .bytes(CBORValue.textMap([("recipientPublicKey", key)]).encoded)).encoded),
      has: ["EncryptionParameters in tag 24", "recipientPublicKey: COSE_Key"])
  }

  @Test("the status of a mobile security object is printed with its faults")
  func status() throws {
    func object(_ status: CBORValue) -> [UInt8] {
      CBORValue.textMap([("docType", .text("a")), ("valueDigests", .map([])), ("status", status)]).encoded
    }
    expect(
      try inspected(object(.null)), has: ["MobileSecurityObject", "status: null", "deviates: no status is written"])
    let list = CBORValue.textMap([("id", .text("95")), ("uri", .text("https://status.example"))])
    expect(
      try inspected(object(.textMap([("identifier_list", list)]))),
      has: ["identifier_list: revocation is looked up", "id: \"95\"", "deviates: an identifier is a byte string"])
    let wide = CBORValue.textMap([("bits", .unsigned(3)), ("lst", .bytes([1, 2, 3]))])
    expect(
      try inspected(wide.encoded),
      has: ["StatusList", "deviates: no width", "3 bytes, which are not compressed with zlib"])
  }

  @Test("a list of issuing authorities is printed with its certificates, tagged or not")
  func issuerList() throws {
    let date = CBORValue.tagged(0, .text("2026-01-01T00:00:00Z"))
    let info = CBORValue.textMap([
      ("certificate", .bytes(sample.issuerRoot)), ("serialNumber", .tagged(2, .bytes([1]))), ("ski", .bytes([2])),
      ("docType", .array([.text("org.iso.18013.5.1.mDL")])), ("issuingAuthority", .text("Spaceport")),
    ])
    let list = CBORValue.textMap([
      ("version", .text("1.0")), ("vicalProvider", .text("Astro Trust")), ("date", date),
      ("vicalIssueID", .unsigned(4)),
      ("nextUpdate", date), ("certificateInfos", .array([info, .textMap([("docType", .array([]))])])),
    ])
    let key = P256.Signing.PrivateKey()
    let lines = [
      "VICAL", "payload: VICAL contents", "vicalProvider: \"Astro Trust\"", "date: 2026-01-01T00:00:00Z",
      "vicalIssueID: 4", "nextUpdate: 2026-01-01T00:00:00Z", "certificateInfos: 2 certificates", "[0]",
      "docType: 1 type", "issuingAuthority: \"Spaceport\"", "profile: IACA root", "[1]",
      "deviates: the certificate is missing",
    ]
    let untagged = try COSESign1.sign(payload: list.encoded, detached: false, x5chain: [sample.issuerRoot], with: key)
    expect(try inspected(untagged), has: lines)
    expect(try inspected([0xd2] + untagged), has: lines)
    expect(try inspected(list.encoded), has: ["VICAL contents", "certificateInfos: 2 certificates"])
  }

  @Test("an exchange file is printed without its private key")
  func exchangeFile() throws {
    let secret = Base64URL.encode([UInt8](repeating: 0x5a, count: 32))
    let root = pem("CERTIFICATE", sample.issuerRoot).replacing("\n", with: "\\n")
    let json = """
      {"origin":"\(Sample.origin)","request":\(String(decoding: sample.requestData, as: UTF8.self)),
      "response":"\(Base64URL.encode(sample.encryptedResponse))","trustedIssuers":["\(root)","root.pem"],
      "recipientPrivateKey":{"kty":"EC","crv":"P-256","d":"\(secret)","x":"AA","y":"AA"},"devicePrivateKey":"\(secret)"}
      """
    let lines = try inspected(file(json))
    expect(
      lines,
      has: [
        "exchange file", "devicePrivateKey: a private key, not shown", "origin: ",
        "recipientPrivateKey: JSON Web Key (P-256)", "d: the private part of the key, not shown",
        "request: request data", "DeviceRequest", "EncryptionInfo", "response: base64url text", "EncryptedResponse",
        "trustedIssuers: 2", "[0]", "read as PEM: 1 block", "profile: IACA root, likely",
        "[1]: \"root.pem\"",
      ])
    #expect(!lines.contains { $0.contains(secret.prefix(10)) })
    let bare = """
      {"deviceResponse":"\(Base64URL.encode(sample.deviceResponse))",
      "sessionTranscript":"\(Base64URL.encode(sample.transcript.encoded))"}
      """
    expect(try inspected(file(bare)), has: ["exchange file", "DeviceResponse", "SessionTranscript"])
  }

  @Test("portraits, ages and NFC messages are described")
  func small() throws {
    expect(try inspected(sample.deviceResponse), has: ["portrait (Photo", "JPEG of 203 bytes"])
    let records: [UInt8] = [0x91, 2, 1] + Array("Hs".utf8) + [7] + [0x51, 1, 2] + Array("c".utf8) + [1, 2]
    expect(
      try inspected(file(hexadecimal(records))), has: ["NDEF message: 2 records", "\"Hs\": h'07'", "\"c\": h'0102'"])
    for length in 1..<records.count { _ = Inspector.inspect(Array(records[..<length])) }
  }
}
