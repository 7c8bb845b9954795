import CBOR
import COSE
import Crypto
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment

@Suite("EncryptionInfo")
struct EncryptionInfoTests {
  private static let nonce = [UInt8](repeating: 9, count: 16)

  private static func key() throws -> CBORValue {
    CBORValue(try CBORReader.read(COSEKey(fixedAgreementKey().publicKey).encoded))
  }

  private static func text(
    marker: CBORValue = .text("dcapi"), nonce: CBORValue? = .bytes(nonce), key: CBORValue?,
    more: [(String, CBORValue)] = []
  ) -> String {
    let members = [nonce.map { ("nonce", $0) }, key.map { ("recipientPublicKey", $0) }].compactMap { $0 } + more
    return Base64URL.encode(CBORValue.array([marker, .textMap(members)]).encoded)
  }

  @Test("encryption information is read back, with its text kept")
  func roundTrip() throws {
    let made = EncryptionInfo(nonce: Self.nonce, recipientPublicKey: try fixedAgreementKey().publicKey)
    let read = try EncryptionInfo(text: made.text)
    #expect(read.text == made.text && read.nonce == Self.nonce)
    #expect(read.recipientPublicKey.rawRepresentation == made.recipientPublicKey.rawRepresentation)
    #expect(made.text == Self.text(key: try Self.key()))
    #expect(made.sessionTranscript(origin: "https://a.example") == read.sessionTranscript(origin: "https://a.example"))
  }

  @Test("additional members and other orders are accepted and bound as received")
  func otherMembers() throws {
    let text = Self.text(key: try Self.key(), more: [("extension", .boolean(true))])
    let info = try EncryptionInfo(text: text)
    #expect(info.text == text)
    let plain = try EncryptionInfo(text: Self.text(key: try Self.key()))
    #expect(info.sessionTranscript(origin: "https://a.example") != plain.sessionTranscript(origin: "https://a.example"))
  }

  @Test("the transcript depends on every character of text and origin")
  func transcript() throws {
    let origins = [
      "https://a.example", "https://a.example/", "https://a.example:443", "http://a.example", "https://A.example", "",
    ]
    let info = EncryptionInfo(nonce: Self.nonce, recipientPublicKey: try fixedAgreementKey().publicKey)
    let transcripts = Set(origins.map { info.sessionTranscript(origin: $0).encoded })
    #expect(transcripts.count == origins.count)
    for transcript in transcripts {
      #expect(transcript.starts(with: Hex.bytes("83f6f6826564636170695820")) && transcript.count == 44)
    }
  }

  @Test("nonces of 16 bytes and more are read", arguments: [16, 18, 32, 36, 64, 1024])
  func nonces(length: Int) throws {
    let info = try EncryptionInfo(text: Self.text(nonce: .bytes([UInt8](repeating: 1, count: length)), key: Self.key()))
    #expect(info.nonce.count == length)
  }

  @Test("shorter nonces are refused with their own code", arguments: [0, 1, 8, 15])
  func shortNonces(length: Int) throws {
    let text = Self.text(nonce: .bytes([UInt8](repeating: 1, count: length)), key: try Self.key())
    #expect(refusal { _ = try EncryptionInfo(text: text) } == .nonce)
  }

  @Test("malformed information is refused")
  func malformed() throws {
    let key = try Self.key()
    let whole = Self.text(key: key)
    let bytes = try #require(Base64URL.decode(whole))
    let p384 = P384.KeyAgreement.PrivateKey().publicKey.rawRepresentation
    let otherCurve = CBORValue.map([
      CBORValue.Entry(.integer(1), .integer(2)), CBORValue.Entry(.integer(-1), .integer(2)),
      CBORValue.Entry(.integer(-2), .bytes([UInt8](p384.prefix(48)))),
      CBORValue.Entry(.integer(-3), .bytes([UInt8](p384.suffix(48)))),
    ])
    var entries = try CBORReader.read(key.encoded).map().map { CBORValue.Entry(CBORValue($0.key), CBORValue($0.value)) }
    entries[3] = CBORValue.Entry(.integer(-3), .bytes([UInt8](repeating: 1, count: 32)))
    let texts: [String: String] = [
      "padding": whole + "=", "white space": whole + " ", "base64": whole.replacing("-", with: "+") + "+",
      "empty": "", "no CBOR": Base64URL.encode([0xff]), "a map": Base64URL.encode([0xa0]),
      "one element": Base64URL.encode(CBORValue.array([.text("dcapi")]).encoded),
      "three elements": Base64URL.encode(CBORValue.array([.text("dcapi"), .map([]), .null]).encoded),
      "another marker": Self.text(marker: .text("dcapi2"), key: key),
      "a marker in bytes": Self.text(marker: .bytes(Array("dcapi".utf8)), key: key),
      "no nonce": Self.text(nonce: nil, key: key),
      "a nonce as text": Self.text(nonce: .text("0123456789abcdef"), key: key),
      "no key": Self.text(key: nil), "a key that is null": Self.text(key: .null),
      "a key on another curve": Self.text(key: otherCurve), "a key off the curve": Self.text(key: .map(entries)),
      "bytes after the end": Base64URL.encode(bytes + [0]),
      "an indefinite length": Base64URL.encode([0x9f] + bytes.dropFirst() + [0xff]),
      "a head too long": Base64URL.encode([0x98, 0x02] + bytes.dropFirst()),
      "too long": Self.text(key: key, more: [("x", .bytes([UInt8](repeating: 0, count: 12 << 10)))]),
    ]
    for (name, text) in texts {
      #expect(refusal { _ = try EncryptionInfo(text: text) } == .encryptionInfo, "\(name)")
    }
  }

  @Test("damaged information gives a value or a coded error")
  func damage() throws {
    let whole = try #require(Base64URL.decode(Self.text(key: try Self.key())))
    for bytes in Damage.truncations(of: whole) {
      #expect(refusal { _ = try EncryptionInfo(text: Base64URL.encode(bytes)) } == .encryptionInfo)
    }
    for bytes in Damage.sample(of: whole, seed: 4) {
      let code = refusal { try #expect(EncryptionInfo(text: Base64URL.encode(bytes)).nonce.count >= 16) }
      #expect([nil, .encryptionInfo, .nonce].contains(code))
    }
  }
}
