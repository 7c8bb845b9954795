import CBOR
import COSE
import Certificates
import CrossCheckTrait
import Crypto
import MobileDocument
import Primitives
import TestSupport
import TestTraits
import Testing
import WebPresentment
import X509

@Suite(
  "Annex C of ISO/IEC 18013-7, exchanges of other implementations", .crossChecked, .requiresVectors("annex_c_dcapi"))
struct AnnexCTests {
  private static let file = "annex_c_dcapi.json"
  private static let reference = "iso-18013-7-annex-c-reference"

  @Test("all nine vectors are present")
  func count() {
    #expect(Vectors.entries(of: Self.file).count == 9)
  }

  private static func entries(with members: String...) -> [Vector] {
    Vectors.entries(of: file).filter { entry in members.allSatisfy { entry[$0] != nil } }
  }

  private static let transcripts = entries(with: "encryption_info_b64u", "origin", "session_transcript_hex")
  private static let encryptionInfos = entries(with: "encryption_info_b64u")
  private static let requests = entries(with: "device_request_hex", "expected")

  @Test("every published value is present")
  func published() {
    #expect(Self.transcripts.count == 5)
    #expect(Self.encryptionInfos.count == 8)
    #expect(Self.requests.count == 7)
  }

  @Test("the transcript is equal to the published one", arguments: transcripts)
  func transcript(of entry: Vector) throws {
    let text = try entry.text("encryption_info_b64u")
    let origin = try entry.text("origin")
    let published = try entry.bytes("session_transcript_hex")
    #expect(try EncryptionInfo(text: text).sessionTranscript(origin: origin).encoded == published)
    let slashed = EncryptionInfo.sessionTranscript(encryptionInfoText: text, origin: origin + "/")
    #expect(slashed.encoded != published)
  }

  @Test("the encryption information contains the recipient's key", arguments: encryptionInfos)
  func encryptionInfo(of entry: Vector) throws {
    let text = try entry.text("encryption_info_b64u")
    let info = try EncryptionInfo(text: text)
    #expect(info.text == text && info.nonce.count >= 16)
    if entry["recipient_private_key_hex"] != nil {
      let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: entry.bytes("recipient_private_key_hex"))
      #expect(info.recipientPublicKey.rawRepresentation == key.publicKey.rawRepresentation)
    }
  }

  @Test("the device request asks for the published elements", arguments: requests)
  func deviceRequest(of entry: Vector) throws {
    let bytes = try entry.bytes("device_request_hex")
    if let text = entry["device_request_b64u"]?.text { #expect(Base64URL.decode(text) == bytes) }
    let request = try UnverifiedDeviceRequest(bytes)
    let expected = entry["expected"]?["request"] ?? entry["expected"]
    #expect(request.version == expected?["version"]?.text)
    let documents = try #require(expected?["docs"]?.array)
    let asked = try request.unverifiedContents().documentRequests
    #expect(asked.map(\.documentType) == documents.map { $0["docType"]?.text })
    for (request, printed) in zip(asked, documents) {
      #expect(Set(request.nameSpaces.map(\.name)) == Set(printed["elements"]?.object?.keys ?? [:].keys))
      for space in request.nameSpaces {
        let elements = try #require(printed["elements"]?[space.name]?.object)
        let found = space.elements.map { ($0.identifier, JSON.boolean($0.intentToRetain)) }
        #expect(elements == Dictionary(uniqueKeysWithValues: found))
      }
    }
  }

  @Test(
    "signed requests authenticate for their origin only, without a trailing slash",
    arguments: ["waltid-wallet-signed-request", "smarthealth-ts-smart-checkin-readerauth"])
  func signedRequest(identifier: String) throws {
    let entry = try Vectors.entry(identifier, of: Self.file)
    let info = try EncryptionInfo(text: entry.text("encryption_info_b64u"))
    let request = try UnverifiedDeviceRequest(entry.bytes("device_request_hex"))
    let origin = try entry.text("origin")
    let authenticated = try request.authenticate(over: info.sessionTranscript(origin: origin))
    #expect(authenticated.readerAuthentications.count == 1)
    #expect(throws: DeviceRequestError(.readerSignature, "")) {
      try request.authenticate(over: info.sessionTranscript(origin: origin + "/"))
    }
  }

  @Test("Apple's sample is read but not authenticated: its origin is not published")
  func appleSample() throws {
    let entry = try Vectors.entry("apple-docs-web-request", of: Self.file)
    let request = try UnverifiedDeviceRequest(entry.bytes("device_request_hex"))
    let contents = try request.unverifiedContents()
    #expect(contents.deviceRequestInfo == .all(documents: 1))
    #expect(contents.chains.count == 1 && contents.chains.first?.first?.commonName == "Test Request Authentication CA")
    let transcript = try EncryptionInfo(text: entry.text("encryption_info_b64u")).sessionTranscript(
      origin: "https://a.example")
    #expect(throws: DeviceRequestError(.readerSignature, "")) { try request.authenticate(over: transcript) }
  }

  @Test("the reference response opens with the published key and is sealed again to the same bytes")
  func reference() throws {
    let entry = try Vectors.entry(Self.reference, of: Self.file)
    let info = try EncryptionInfo(text: entry.text("encryption_info_b64u"))
    let transcript = info.sessionTranscript(origin: try entry.text("origin"))
    let sealed = try EncryptedResponse(encoded: entry.bytes("response_hex"))
    #expect(sealed.encoded == (try entry.bytes("response_hex")))
    #expect(sealed.encapsulatedKey == (try entry.bytes("enc_hex")))
    #expect(sealed.cipherText == (try entry.bytes("cipher_text_hex")))
    #expect(Base64URL.encode(sealed.encoded) == (try entry.text("response_b64u")))
    let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: entry.bytes("recipient_private_key_hex"))
    let plaintext = try entry.bytes("plaintext_device_response_hex")
    #expect(try sealed.open(with: key, transcript: transcript) == plaintext)

    let ephemeral = try P256.KeyAgreement.PrivateKey(rawRepresentation: entry.bytes("ephemeral_private_key_hex"))
    let again = try EncryptedResponse(
      sealing: plaintext, to: info.recipientPublicKey, transcript: transcript, ephemeralKey: ephemeral)
    #expect(again == sealed)
  }

  @Test("a verifier's session log verifies except for its unpublished root")
  func loggedSession() async throws {
    let entry = try Vectors.entry("waltid-verifier-session", of: Self.file)
    let transcript = SessionTranscript(encoded: try entry.bytes("session_transcript_hex"))
    let report = await DeviceResponseVerifier(trustedIssuers: []).verify(
      try entry.bytes("plaintext_device_response_hex"), over: transcript, requests: nil,
      at: try moment("2026-01-01T00:00:00Z"))
    #expect(report.checks.failed == ["issuer.trust"])
  }

  @Test("a developer's mock answer is reported as not issuer authenticated")
  func mockAnswer() async throws {
    let entry = try Vectors.entry("apple-developer-test-response", of: Self.file)
    let transcript = SessionTranscript(encoded: try entry.bytes("session_transcript_hex"))
    let report = await DeviceResponseVerifier(trustedIssuers: []).verify(
      try entry.bytes("hex"), over: transcript, requests: nil, at: try moment("2026-01-01T00:00:00Z"))
    #expect(report.checks.failed == ["issuer.certificate"])
    #expect(report.failure?.message.contains("not issuer authenticated") == true)
    #expect(report.checks.first { $0.check == "device.signature" }?.status == .passed)
    #expect(report.checks.first { $0.name == "element.digest" }?.status == .passed)
    // Its status is null.
    #expect(report.checks.deviating == ["mso.structure/status-null"])
  }

  @Test("an envelope without a published key is read and does not open")
  func unopenedEnvelope() throws {
    let entry = try Vectors.entry("eu-age-verification-profile", of: Self.file)
    let sealed = try EncryptedResponse(encoded: entry.bytes("response_hex"))
    #expect(sealed.encapsulatedKey.count == 65 && sealed.cipherText.count == 1752)
    #expect(throws: ExchangeError.self) {
      try sealed.open(with: fixedAgreementKey(), transcript: SessionTranscript(encoded: [0x80]))
    }
  }
}
