import CBOR
import CrossCheckTrait
import Crypto
import TestSupport
import Testing

@testable import COSE

@Suite("COSE_Sign1", .crossChecked)
struct SignatureTests {
  private let payload = Array("what is signed".utf8)

  private func signed(detached: Bool, chain: [[UInt8]] = []) throws -> [UInt8] {
    try COSESign1.sign(payload: payload, detached: detached, x5chain: chain, with: fixedKey())
  }

  private var key: VerificationKey { get throws { .p256(try fixedKey().publicKey) } }

  @Test("A signed payload verifies, attached and detached", arguments: [true, false])
  func signsAndVerifies(detached: Bool) throws {
    let message = try COSESign1(CBORReader.read(signed(detached: detached)))
    #expect(message.unverifiedPayload == (detached ? nil : payload))
    #expect(message.signature.count == 64)
    #expect(message.deviations.isEmpty)
    #expect(message.headers.algorithm == .known(.es256))
    #expect(try message.verify(with: key, detachedPayload: detached ? payload : nil) == payload)
  }

  @Test("A chain of one certificate is a byte string, a longer chain an array")
  func writesChain() throws {
    for chain in [[], [[1]], [[1], [2]], [[1], [2], [3]]] as [[[UInt8]]] {
      let message = try COSESign1(CBORReader.read(signed(detached: true, chain: chain)))
      #expect(message.headers.x5chain == (chain.isEmpty ? nil : chain))
      #expect(message.headers.deviations.isEmpty)
    }
  }

  @Test("COSE_Sign1 keeps the received bytes")
  func encoded() throws {
    let bytes = try signed(detached: false)
    #expect(try COSESign1(CBORReader.read(bytes)).encoded == bytes)
  }

  @Test("COSE_Sign1 does not verify with another key, payload, context or protected header")
  func altered() throws {
    let message = try COSESign1(CBORReader.read(signed(detached: true)))
    #expect(refusal { try message.verify(with: .p256(fixedKey(2).publicKey), detachedPayload: payload) } == .signature)
    #expect(refusal { try message.verify(with: key, detachedPayload: payload + [0]) } == .signature)
    #expect(refusal { try message.verify(with: key, detachedPayload: payload, externalAAD: [1]) } == .signature)
    var parts = try CBORReader.read(message.encoded).array().map(CBORValue.init)
    parts[0] = .bytes([0xa1, 0x01, 0x38, 0x06])
    #expect(refusal { try sign1(.array(parts)).verify(with: key, detachedPayload: payload) } == .signature)
    parts[0] = .bytes([0xbf, 0x01, 0x26, 0xff])
    #expect(refusal { try sign1(.array(parts)).verify(with: key, detachedPayload: payload) } == .signature)
  }

  @Test("A signature with one changed bit does not verify")
  func signatureBits() throws {
    var parts = try CBORReader.read(signed(detached: true)).array().map(CBORValue.init)
    let signature = try CBORReader.read(parts[3].encoded).bytes()
    for place in signature.indices {
      var changed = signature
      changed[place] ^= 1 << UInt8(place % 8)
      parts[3] = .bytes(changed)
      #expect(refusal { try sign1(.array(parts)).verify(with: key, detachedPayload: payload) } == .signature)
    }
  }

  @Test("Signatures of any other length are refused", arguments: [0, 1, 63, 65, 70, 71, 72, 96, 128])
  func signatureLength(count: Int) throws {
    let signature = CBORValue.bytes([UInt8](repeating: 1, count: count))
    #expect(refusal { try sign1(message(last: signature)).verify(with: key) } == .signatureForm)
  }

  @Test("Signatures with r or s of zero, or not below the order of the curve, are refused")
  func signatureRange() throws {
    // FIPS 186-5 refuses both before any computation.
    let orders: [(VerificationKey, String)] = [
      (try key, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
      (
        .p384(try P384.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 48)).publicKey),
        "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"
      ),
      (
        .p521(try P521.Signing.PrivateKey(rawRepresentation: [0] + [UInt8](repeating: 1, count: 65)).publicKey),
        "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
          + "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409"
      ),
    ]
    for (key, text) in orders {
      let order: [UInt8] = Hex.bytes(text)
      let one = [UInt8](repeating: 0, count: order.count - 1) + [1]
      let below = Array(order.dropLast()) + [order[order.count - 1] - 1]
      let zero = [UInt8](repeating: 0, count: order.count)
      let cases: [([UInt8], [UInt8], Bool)] = [
        (one, one, true), (below, below, true), (zero, one, false), (one, zero, false), (order, one, false),
        (one, order, false),
      ]
      for (r, s, isInForm) in cases {
        let header = CBORValue.map([CBORValue.Entry(.integer(1), .integer(key.algorithm.rawValue))]).encoded
        let signed = message(protected: .bytes(header), last: .bytes(r + s))
        #expect(refusal { try sign1(signed).verify(with: key) } == (isInForm ? .signature : .signatureForm))
      }
    }
  }

  @Test("A payload that is neither attached nor detached is missing")
  func noPayload() throws {
    let message = try COSESign1(CBORReader.read(signed(detached: true)))
    #expect(refusal { try message.verify(with: key) } == .payload)
  }

  @Test("A detached payload must equal the attached one")
  func givenPayload() throws {
    let message = try COSESign1(CBORReader.read(signed(detached: false)))
    #expect(try message.verify(with: key, detachedPayload: payload) == payload)
    #expect(refusal { try message.verify(with: key, detachedPayload: [1]) } == .payload)
  }

  @Test("The algorithm must match the key")
  func algorithmAndKey() throws {
    let es384 = try sign1(message(protected: .bytes([0xa1, 0x01, 0x38, 0x22])))
    #expect(refusal { try es384.verify(with: key) } == .algorithmKeyMismatch)
    let edDSA = try sign1(message(protected: .bytes([0xa1, 0x01, 0x27])))
    #expect(refusal { try edDSA.verify(with: key) } == .algorithmKeyMismatch)
    let hmac = try sign1(message(protected: .bytes([0xa1, 0x01, 0x05])))
    #expect(refusal { try hmac.verify(with: key) } == .algorithmKeyMismatch)
  }

  @Test("The algorithm must be present and supported")
  func algorithmNamed() throws {
    for protected in [[], [0xa0]] as [[UInt8]] {
      let unnamed = try sign1(message(protected: .bytes(protected)))
      #expect(refusal { try unnamed.verify(with: key) } == .algorithmMissing)
      #expect(refusal { try unnamed.verify(with: key, algorithmFrom: .eitherHeader) } == .algorithmMissing)
    }
    for name in [CBORValue.integer(-47), .integer(-257), .text("ES256"), .null, .unsigned(.max)] {
      let protected = CBORValue.map([CBORValue.Entry(.integer(1), name)]).encoded
      let unknown = try sign1(message(protected: .bytes(protected)))
      #expect(refusal { try unknown.verify(with: key) } == .algorithmUnsupported)
    }
  }

  @Test("Ed25519 signs and verifies as EdDSA")
  func edwards() throws {
    let signer = Curve25519.Signing.PrivateKey()
    let unsigned = try sign1(message(protected: .bytes([0xa1, 0x01, 0x27])))
    let signature = [UInt8](try signer.signature(for: unsigned.signedBytes(payload: [1, 2, 3])))
    let signed = try sign1(message(protected: .bytes([0xa1, 0x01, 0x27]), last: .bytes(signature)))
    #expect(try signed.verify(with: .ed25519(signer.publicKey)) == [1, 2, 3])
    #expect(refusal { try signed.verify(with: .ed25519(Curve25519.Signing.PrivateKey().publicKey)) } == .signature)
  }
}

@Suite("COSE_Mac0")
struct MacTests {
  private let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
  private let payload = Array("what is authenticated".utf8)

  @Test("COSE_Mac0 verifies the authenticated payload only")
  func authenticates() throws {
    let code = try COSEMac0(CBORReader.read(COSEMac0.authenticate(detachedPayload: payload, with: key)))
    #expect(code.unverifiedPayload == nil && code.code.count == 32 && code.deviations.isEmpty)
    #expect(try code.verify(with: key, detachedPayload: payload) == payload)
    #expect(refusal { try code.verify(with: key, detachedPayload: []) } == .mac)
    #expect(refusal { try code.verify(with: SymmetricKey(size: .bits256), detachedPayload: payload) } == .mac)
    #expect(refusal { try code.verify(with: key, detachedPayload: payload, externalAAD: [1]) } == .mac)
    #expect(refusal { try code.verify(with: key) } == .payload)
  }

  @Test("COSE_Mac0's attached payload must equal the detached one")
  func attachedPayload() throws {
    let code = try mac0(message(protected: .bytes([0xa1, 0x01, 0x05]), payload: .bytes([1])))
    #expect(refusal { try code.verify(with: key, detachedPayload: [2]) } == .payload)
    #expect(refusal { try code.verify(with: key, detachedPayload: [1]) } == .mac)
  }

  @Test("Authentication codes of other lengths do not verify", arguments: [0, 8, 16, 31, 33, 64])
  func length(count: Int) throws {
    let whole = try COSEMac0(CBORReader.read(COSEMac0.authenticate(detachedPayload: payload, with: key))).code
    let bytes = [UInt8]((whole + whole).prefix(count))
    let code = try mac0(message(protected: .bytes([0xa1, 0x01, 0x05]), payload: .null, last: .bytes(bytes)))
    #expect(refusal { try code.verify(with: key, detachedPayload: payload) } == .mac)
  }

  @Test("COSE_Mac0 with a signature algorithm is refused")
  func algorithm() throws {
    let code = try mac0(message(protected: .bytes([0xa1, 0x01, 0x26])))
    #expect(refusal { try code.verify(with: key) } == .algorithmUnsupported)
  }

  @Test("Tag 17 is a finding, other tags are refused")
  func tags() throws {
    #expect(try mac0(.tagged(17, message())).deviations == [.tagged])
    #expect(refusal { _ = try mac0(.tagged(18, message())) } == .wrongTag)
  }
}
