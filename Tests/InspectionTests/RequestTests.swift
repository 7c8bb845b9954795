import CBOR
import Inspection
import MobileDocument
import Testing
import WebPresentment

@Suite("Requests and encryption information")
struct RequestTests {
  let sample: Sample

  init() throws { sample = try Sample() }

  @Test("a request signed for two readers is printed with both signatures")
  func signedRequest() throws {
    let lines = try inspected(sample.deviceRequest)
    expect(
      lines,
      has: [
        "read as raw CBOR: \(sample.deviceRequest.count) bytes", "DeviceRequest", "version: \"1.1\"", "docRequests: 1",
        "docRequests[0]", "itemsRequest: 24(<< ", "docType: \"org.iso.18013.5.1.mDL\" (Driver's License)",
        "\"org.iso.18013.5.1\": 2 elements", "given_name (First Name): retained",
        "age_over_21 (Age over 21): not retained", "requestInfo: {", "\"issuerIdentifiers\": [", "h'",
        "useCases[0]: mandatory, docRequests {0}", "readerAuthAll: 2 signatures", "readerAuthAll[0]: COSE_Sign1",
        "algorithm: ES256 (-7)", "signature not checked: needs the session transcript", "payload: detached",
        "x5chain: 1 certificate", "certificate 0", "subject: CN=spaceship-rentals.example,O=Spaceship Rentals",
        "issuer: CN=Apple Business Connect Reader Root,O=Apple Business Connect",
        "extended key usage (2.5.29.37, critical): mDL reader authentication (1.0.18013.5.1.6)",
        "subject alternative name (2.5.29.17): DNS \"spaceship-rentals.example\"",
        "logotypes (1.3.6.1.5.5.7.1.12): ", "brand: \"Spaceship Rentals\", icon \"spaceship.svg\"",
        "logotype: image/svg+xml, 41 bytes",
        "profile: reader, likely (ISO/IEC 18013-5 annex B)", "passed reader.certificate.profile/version",
        "passed reader.certificate.profile/key-usage", "readerAuthAll[1]: COSE_Sign1", "brand: \"Rentals\\u{1b}[31m\"",
        "well-formed, signed by a reader",
      ])
  }

  @Test("a request with readerAuth on each document, and an unsigned one, are printed")
  func firstEdition() throws {
    let items = ItemsRequest(
      documentType: "com.example.\u{202e}unknown",
      nameSpaces: [ItemsRequest.NameSpace("com.example", [ItemsRequest.Element("colour", intentToRetain: true)])])
    let bytes = try DeviceRequestDraft(version: .first, documents: [items]).encoded(
      signedFor: [], over: sample.transcript)
    expect(
      try inspected(bytes),
      has: ["docType: \"com.example.\\u{202e}unknown\"", "colour: retained", "well-formed, not signed"])
    expect(try inspected(items.encoded), has: ["ItemsRequest", "docType:", "colour: retained"])
  }

  @Test("a request that a wallet would refuse is printed with the reason")
  func refusedRequest() throws {
    let bytes = CBORValue.textMap([("version", .text("2.0")), ("docRequests", .array([.unsigned(1)]))]).encoded
    expect(
      try inspected(bytes),
      has: ["DeviceRequest", "version: \"2.0\"", "docRequests[0]", "would be refused: "])
  }

  @Test("encryption information is printed with the length of its nonce and its key")
  func encryptionInfo() throws {
    expect(
      try inspected(file(sample.encryptionInfo.text)),
      has: [
        "read as base64url text", "EncryptionInfo", "\"dcapi\"", "nonce: h'0707", "32 bytes, at least the 16 required",
        "recipientPublicKey: COSE_Key", "kty (1): 2 (EC2)", "crv (-1): 1 (P-256)", "x (-2): h'", "y (-3): h'",
        "the point is on its curve", "well-formed: a response can be encrypted to this key",
      ])
    let short = EncryptionInfo(nonce: [1, 2], recipientPublicKey: sample.recipientKey.publicKey)
    expect(
      try inspected(file(short.text)),
      has: ["2 bytes, fewer than the 16 required", "would be refused: the nonce has 2 bytes"])
  }

  @Test("a session transcript is printed with the kind of its handover")
  func transcript() throws {
    expect(
      try inspected(sample.transcript.encoded),
      has: [
        "SessionTranscript", "DeviceEngagementBytes: null", "EReaderKeyBytes: null",
        "Handover: dcapi handover of the Digital Credentials API", "SHA-256 of [encryption information, origin]: h'",
      ])
    let other = CBORValue.array([.null, .null, .array([.text("OpenID4VPHandover"), .bytes([1])])])
    expect(
      try inspected(other.encoded),
      has: ["SessionTranscript", "Handover: OpenID4VP by redirect", "name: \"OpenID4VPHandover\""])
  }
}
