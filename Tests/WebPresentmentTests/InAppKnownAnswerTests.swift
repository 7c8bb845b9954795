import Crypto
import Foundation
import MobileDocument
import TestSupport
import Testing
import WebPresentment

/// The answer to an app's request that `Tests/External/Interoperability/in_app.py` made: another implementation, with
/// HPKE written from HMAC and AES-GCM. Writer and reader here share the transcript and the suite, so only answers from
/// elsewhere show that both are right.
@Suite("Known answer to an app's request")
struct InAppKnownAnswerTests {
  private let known: [String: JSON]

  init() throws {
    let file = try #require(Bundle.module.url(forResource: "in-app", withExtension: "json", subdirectory: "Vectors"))
    known = try #require(try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file)).object)
  }

  private func text(_ name: String) throws -> String { try #require(known[name]?.text) }
  private func bytes(_ name: String) throws -> [UInt8] { try #require(Hex.decode(try text(name))) }

  private func key(_ name: String) throws -> P256.KeyAgreement.PrivateKey {
    try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(name))
  }

  private func handover() throws -> AppleHandover {
    AppleHandover(
      nonce: try bytes("nonce"), merchantIdentifier: try text("merchantIdentifier"),
      teamIdentifier: try text("teamIdentifier"), recipient: try key("recipientPrivateKey").publicKey)
  }

  @Test("The session transcript is the array of two nulls and the handover with its version")
  func literalTranscript() throws {
    let handover = AppleHandover(
      nonce: [1, 2], merchantIdentifier: "m", teamIdentifier: "t", recipientKeyHash: [3])
    let version: [UInt8] = [
      0x41, 0x70, 0x70, 0x6c, 0x65, 0x49, 0x64, 0x65, 0x6e, 0x74, 0x69, 0x74, 0x79, 0x50, 0x72, 0x65, 0x73, 0x65, 0x6e,
      0x74, 0x6d, 0x65, 0x6e, 0x74, 0x5f, 0x31, 0x2e, 0x30,
    ]
    #expect(
      handover.sessionTranscript.encoded
        == [0x83, 0xf6, 0xf6, 0x85, 0x78, 0x1c] + version
        + [0x42, 0x01, 0x02, 0x61, 0x6d, 0x61, 0x74, 0x41, 0x03])
  }

  @Test("The session transcript and its hash are those of the other implementation")
  func transcript() throws {
    let handover = try handover()
    #expect(handover.recipientKeyHash == (try bytes("pkRHash")))
    #expect(handover.sessionTranscript.encoded == (try bytes("sessionTranscript")))
    #expect(handover.infoHash == (try bytes("infoHash")))
  }

  @Test("The envelope of the other implementation opens with DHKEM P-256, HKDF-SHA256 and AES-128-GCM")
  func opens() throws {
    let envelope = try HPKEEnvelope(encoded: bytes("envelope"))
    #expect(envelope.algorithm == "APPLE-HPKE-v1" && envelope.mode == 0)
    #expect(try envelope.ephemeralKey == bytes("pkEm") && envelope.data == bytes("data"))
    #expect(try envelope.recipientKeyHash == bytes("pkRHash") && envelope.infoHash == bytes("infoHash"))
    let topics = try envelope.open(
      with: key("recipientPrivateKey"), transcript: SessionTranscript(encoded: bytes("sessionTranscript")))
    #expect(topics == (try bytes("topics")))
    #expect(try Topics(encoded: topics).identity == bytes("deviceResponse"))
  }

  @Test("The same response sealed with the same keys is the envelope of the other implementation, byte for byte")
  func seals() throws {
    let envelope = try HPKEEnvelope(
      sealing: bytes("deviceResponse"), to: key("recipientPrivateKey").publicKey, handover: handover(),
      ephemeralKey: key("ephemeralPrivateKey"))
    #expect(envelope.encoded == (try bytes("envelope")))
  }

  @Test("Without the right data, transcript, private key or encapsulated key the envelope does not open")
  func everyInputCounts() throws {
    let right = try HPKEEnvelope(encoded: bytes("envelope"))
    let transcript = SessionTranscript(encoded: try bytes("sessionTranscript"))
    let recipient = try key("recipientPrivateKey")
    #expect(throws: Never.self) { try right.open(with: recipient, transcript: transcript) }
    let other = SessionTranscript(encoded: try bytes("sessionTranscript").dropLast() + [0])
    #expect(throws: ExchangeError.self) { try right.open(with: recipient, transcript: other) }
    #expect(throws: ExchangeError.self) {
      try right.open(with: key("ephemeralPrivateKey"), transcript: transcript)
    }
    func changed(ephemeralKey: [UInt8]? = nil, data: [UInt8]? = nil) -> HPKEEnvelope {
      HPKEEnvelope(
        ephemeralKey: ephemeralKey ?? right.ephemeralKey, recipientKeyHash: right.recipientKeyHash,
        infoHash: right.infoHash, data: data ?? right.data)
    }
    let anotherKey = [UInt8](recipient.publicKey.x963Representation)
    #expect(throws: ExchangeError.self) {
      try changed(ephemeralKey: anotherKey).open(with: recipient, transcript: transcript)
    }
    var data = right.data
    data[0] ^= 1
    #expect(throws: ExchangeError.self) { try changed(data: data).open(with: recipient, transcript: transcript) }
  }
}
