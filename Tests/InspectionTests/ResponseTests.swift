import CBOR
import COSE
import Crypto
import Inspection
import MobileDocument
import Testing
import WebPresentment

@Suite("Responses and documents")
struct ResponseTests {
  let sample: Sample

  init() throws { sample = try Sample() }

  @Test("a response is printed with its elements, digests, dates, keys and certificates")
  func deviceResponse() throws {
    let lines = try inspected(sample.deviceResponse)
    expect(
      lines,
      has: [
        "DeviceResponse", "version: \"1.0\"", "status: 0 (OK)", "documents: 1", "documents[0]",
        "docType: \"org.iso.18013.5.1.mDL\" (Driver's License)", "issuerSigned", "\"org.iso.18013.5.1\": 4 elements",
        "given_name (First Name, Latin-1 text): \"Kelly\"", "digestID ",
        "birth_date (Date of Birth, full-date): 1004(\"1990-01-31\") / full-date /",
        "age_over_21 (Age over 21, true or false): true",
        "portrait (Photo, JPEG or JPEG 2000): h'ffd8ff0101010101...0101010101010101' (203 bytes)",
        "issuerAuth: COSE_Sign1", "signature verifies with the key of certificate 0",
        "payload: MobileSecurityObject in tag 24", "digestAlgorithm: \"SHA-256\"", "validityInfo",
        "signed: 2025-09-15T17:00:00Z", "validFrom: 2025-09-15T17:00:00Z", "validUntil: 2026-09-15T17:00:00Z",
        "deviceKey: COSE_Key", "valueDigests", "\"org.iso.18013.5.1\": 4 digests of 32 bytes",
        "x5chain: 1 certificate", "CRL distribution points (2.5.29.31): URI \"https://spaceport-dmv.example/crl\"",
        "profile: document signer, likely (ISO/IEC 18013-5 annex B)", "deviceSigned",
        "no elements signed by the device", "deviceSignature: COSE_Sign1",
        "signature not checked: needs the session transcript", "documentErrors: [", "well-formed",
      ])
    #expect(lines.count { $0.hasSuffix("salt of 32 bytes, digest matches the MSO") } == 4)
    #expect(!lines.contains { $0.contains("deviates") || $0.contains("failed") || $0.contains("NOT") })
  }

  @Test("A wrong digest and a wrong signature are distinguished")
  func alteredResponse() throws {
    var altered = sample.deviceResponse
    let name = Array("Kelly".utf8)
    let place = try #require(altered.indices.first { altered[$0...].starts(with: name) })
    altered[place] = UInt8(ascii: "N")
    let lines = try inspected(altered)
    expect(lines, has: ["given_name (First Name, Latin-1 text): \"Nelly\""])
    #expect(lines.count { $0.hasSuffix("digest DIFFERS from the MSO") } == 1)
    #expect(lines.count { $0.hasSuffix("digest matches the MSO") } == 3)

    var forged = sample.deviceResponse
    let year = Array("2026-09-15T".utf8)
    let date = try #require(forged.indices.first { forged[$0...].starts(with: year) })
    forged[date + 3] = UInt8(ascii: "9")
    expect(try inspected(forged), has: ["signature does NOT verify: ", "validUntil: 2029-09-15T17:00:00Z"])
  }

  @Test("a message authentication code cannot be checked over the web")
  func deviceMAC() throws {
    let deviceKey = P256.Signing.PrivateKey()
    let agreement = try P256.KeyAgreement.PrivateKey(rawRepresentation: deviceKey.rawRepresentation)
    var randomness = FixedRandomness()
    let draft = DocumentDraft(
      documentType: "eu.europa.ec.av.1",
      nameSpaces: [.init("eu.europa.ec.av.1", [.init("age_over_18", .boolean(true))])],
      deviceKey: COSEKey(deviceKey.publicKey),
      validity: .init(signed: Sample.now, validFrom: Sample.now, validUntil: Sample.now.adding(days: 9)))
    let signer = P256.Signing.PrivateKey()
    let issued = try draft.issued(by: signer, chain: [], randomness: &randomness)
    expect(
      try inspected(issued),
      has: ["IssuerSigned", "issuerAuth: COSE_Sign1", "signature not checked: the certificate is missing"])
    let document = CBORValue.textMap([
      ("docType", .text("eu.europa.ec.av.1")),
      (
        "deviceSigned",
        .textMap([
          ("nameSpaces", .tagged(24, .bytes([0xa0]))),
          (
            "deviceAuth",
            .textMap([
              (
                "deviceMac",
                try value(
                  COSEMac0.authenticate(
                    detachedPayload: [1],
                    with: DeviceMAC.key(
                      privateKey: agreement, publicKey: sample.recipientKey.publicKey, transcript: sample.transcript)))
              )
            ])
          ),
        ])
      ), ("issuerSigned", try value(issued)),
    ])
    expect(
      try inspected(document.encoded),
      has: [
        "Document", "deviceMac: COSE_Mac0", "algorithm: HMAC 256/256 (5)", "tag not checked", "cannot be checked over",
      ])
  }

  private struct FixedRandomness: DocumentDraft.Randomness {
    mutating func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 9, count: count) }
    mutating func permutation(_ count: Int) -> [Int] { Array(0..<count) }
  }

  private func value(_ encoded: [UInt8]) throws -> CBORValue { CBORValue(try CBORReader.read(encoded)) }

  @Test("an encrypted response is identified and stays encrypted")
  func encryptedResponse() throws {
    expect(
      try inspected(sample.encryptedResponse),
      has: [
        "EncryptedResponse", "\"dcapi\"", "enc: h'04", "cipherText: h'", "well-formed: decryption needs the verifier's",
      ])
  }

  @Test("an element of the wrong type is reported")
  func elementOfWrongType() throws {
    let item = CBORValue.textMap([
      ("digestID", .unsigned(0)), ("random", .bytes([1, 2])), ("elementIdentifier", .text("birth_date")),
      ("elementValue", .text("1990-01-31")),
    ])
    let response = CBORValue.textMap([
      ("nameSpaces", .textMap([(Sample.drivingLicence, .array([.tagged(24, .bytes(item.encoded))]))])),
      ("issuerAuth", .null),
    ])
    expect(
      try inspected(response.encoded),
      has: [
        "IssuerSigned", "birth_date (Date of Birth, full-date): \"1990-01-31\"",
        "deviates: the value is not a full-date",
        "digestID 0, salt of 2 bytes, shorter than the required 16, digest not checked", "issuerAuth: null",
      ])
  }
}
