import CBOR
import Crypto
import MobileDocument
import TestSupport
import Testing
import WebPresentment

@Suite("EncryptedResponse")
struct EncryptedResponseTests {
  private let transcript = SessionTranscript(encoded: [0x83, 0xf6, 0xf6, 0xf6])
  private let plaintext = Array("a device response".utf8)

  private func sealed() throws -> EncryptedResponse {
    try EncryptedResponse(
      sealing: plaintext, to: fixedAgreementKey(1).publicKey, transcript: transcript, ephemeralKey: fixedAgreementKey(2)
    )
  }

  @Test("the encoded response opens for its recipient and transcript")
  func roundTrip() throws {
    let response = try EncryptedResponse(encoded: sealed().encoded)
    #expect(try response == sealed())
    #expect(try response.open(with: fixedAgreementKey(1), transcript: transcript) == plaintext)
    #expect(response.encapsulatedKey == [UInt8](try fixedAgreementKey(2).publicKey.x963Representation))
    #expect(response.cipherText.count == plaintext.count + 16)
  }

  @Test("another key or transcript does not open the response")
  func otherKeyOrTranscript() throws {
    let response = try sealed()
    #expect(throws: ExchangeError.self) { try response.open(with: fixedAgreementKey(3), transcript: transcript) }
    #expect(throws: ExchangeError.self) {
      try response.open(with: fixedAgreementKey(1), transcript: SessionTranscript(encoded: [0x83, 0xf6, 0xf6, 0xf7]))
    }
  }

  @Test("the keys of the map are enc and cipherText")
  func keys() throws {
    let array = try CBORReader.read(sealed().encoded).array(count: 2)
    #expect(try array.at(0).text() == "dcapi")
    #expect(try array.at(1).map().map { try $0.key.text() } == ["enc", "cipherText"])
  }

  @Test("malformed envelopes are refused")
  func malformed() throws {
    let enc = CBORValue.bytes(try sealed().encapsulatedKey)
    let text = CBORValue.bytes(try sealed().cipherText)
    func envelope(_ marker: CBORValue, _ members: [(String, CBORValue)]) -> [UInt8] {
      CBORValue.array([marker, .textMap(members)]).encoded
    }
    let dcapi = CBORValue.text("dcapi")
    #expect(try EncryptedResponse(encoded: envelope(dcapi, [("cipherText", text), ("enc", enc)])) == sealed())
    let whole = try sealed().encoded
    let malformed: [String: [UInt8]] = [
      "nothing": [], "bytes that are not CBOR": [0xff], "a map": [0xa0], "an empty array": [0x80],
      "one element": CBORValue.array([dcapi]).encoded,
      "three elements": CBORValue.array([dcapi, .textMap([("enc", enc), ("cipherText", text)]), .null]).encoded,
      "another marker": envelope(.text("DCAPI"), [("enc", enc), ("cipherText", text)]),
      "a marker in bytes": envelope(.bytes(Array("dcapi".utf8)), [("enc", enc), ("cipherText", text)]),
      "no enc": envelope(dcapi, [("cipherText", text)]), "no cipherText": envelope(dcapi, [("enc", enc)]),
      "ciphertext with a small t": envelope(dcapi, [("enc", enc), ("ciphertext", text)]),
      "enc as text": envelope(dcapi, [("enc", .text("enc")), ("cipherText", text)]),
      "cipherText that is null": envelope(dcapi, [("enc", enc), ("cipherText", .null)]),
      "an array instead of the map": CBORValue.array([dcapi, .array([enc, text])]).encoded,
      "bytes after the end": whole + [0], "an indefinite length": [0x9f] + whole.dropFirst() + [0xff],
      "a key twice": [0x82, 0x65] + Array("dcapi".utf8) + [0xa2, 0x63] + Array("enc".utf8) + [0x40, 0x63]
        + Array("enc".utf8) + [0x40],
      "a tag": [0xd8, 0x18] + whole, "too long": [UInt8](repeating: 0, count: EncryptedResponse.maximumLength + 1),
    ]
    for (name, bytes) in malformed {
      #expect(refusal { _ = try EncryptedResponse(encoded: bytes) } == .encryptedResponse, "\(name)")
    }
  }

  @Test("damaged envelopes are refused or do not open")
  func damage() throws {
    let whole = try sealed().encoded
    for bytes in Damage.sample(of: whole, seed: 6) {
      let response: EncryptedResponse
      do {
        response = try EncryptedResponse(encoded: bytes)
      } catch {
        #expect(error.code == .encryptedResponse)
        continue
      }
      #expect(throws: ExchangeError.self) { try response.open(with: fixedAgreementKey(1), transcript: transcript) }
    }
  }
}
