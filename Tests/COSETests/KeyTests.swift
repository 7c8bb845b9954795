import CBOR
import Crypto
import TestSupport
import Testing

@testable import COSE

@Suite("COSE_Key")
struct KeyTests {
  private static let x = Hex.bytes("bac5b11cad8f99f9c72b05cf4b9e26d244dc189f745228255a219a86d6a09eff")
  private static let y = Hex.bytes("20138bf82dc1b6d562be0fa54ab7804a3a64b6d72ccfed6b6fb6ed28bbfc117e")

  private static func entries(
    type: CBORValue = .integer(2), curve: CBORValue = .integer(1), x: CBORValue? = .bytes(x),
    y: CBORValue? = .bytes(y), and more: [CBORValue.Entry] = []
  ) -> CBORValue {
    var entries = [CBORValue.Entry(.integer(1), type), CBORValue.Entry(.integer(-1), curve)]
    if let x { entries.append(CBORValue.Entry(.integer(-2), x)) }
    if let y { entries.append(CBORValue.Entry(.integer(-3), y)) }
    return .map(entries + more)
  }

  private func read(_ value: CBORValue) throws -> COSEKey { try COSEKey(reading: value.encoded) }

  @Test("A COSE_Key survives a round trip with its labels in the usual order")
  func roundTrip() throws {
    let key = try read(Self.entries())
    #expect(key.x == Self.x && key.y == Self.y && key.curve == .p256)
    #expect(key.encoded == Hex.bytes("a401022001215820") + Self.x + Hex.bytes("225820") + Self.y)
    #expect(try COSEKey(reading: key.encoded) == key)
  }

  @Test("A signing key and a key agreement key of one point give the same COSE_Key")
  func fromLibraryKeys() throws {
    let key = try read(Self.entries())
    let signing = try P256.Signing.PublicKey(rawRepresentation: Self.x + Self.y)
    let agreement = try P256.KeyAgreement.PublicKey(rawRepresentation: Self.x + Self.y)
    #expect(COSEKey(signing) == key)
    #expect(COSEKey(agreement) == key)
    #expect(try key.p256KeyAgreementKey().rawRepresentation == agreement.rawRepresentation)
  }

  @Test("Other labels of a COSE_Key are ignored")
  func otherLabels() throws {
    let more = [CBORValue.Entry(.integer(3), .integer(-7)), CBORValue.Entry(.text("kid"), .bytes([1]))]
    #expect(try read(Self.entries(and: more)) == read(Self.entries()))
  }

  @Test("A compressed point is decompressed for both signs")
  func compressed() throws {
    let point = try read(Self.entries(y: .boolean(false)))
    #expect(point.y == Self.y)
    let negative = try read(Self.entries(y: .boolean(true)))
    #expect(negative.x == Self.x)
    let sum = zip(try #require(negative.y).reversed(), Self.y.reversed()).reduce(into: (bytes: [UInt8](), carry: 0)) {
      let total = Int($1.0) + Int($1.1) + $0.carry
      $0.bytes.insert(UInt8(truncatingIfNeeded: total), at: 0)
      $0.carry = total >> 8
    }
    // y and -y add up to the field's prime.
    #expect(sum.bytes == Hex.bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"))
  }

  @Test("Compressed points of the larger curves are decompressed")
  func compressedOnLargerCurves() throws {
    let p384 = P384.Signing.PrivateKey().publicKey
    let p521 = P521.Signing.PrivateKey().publicKey
    for (curve, raw, compressed) in [
      (2, p384.rawRepresentation, p384.compressedRepresentation),
      (3, p521.rawRepresentation, p521.compressedRepresentation),
    ] {
      let half = raw.count / 2
      let key = try read(
        Self.entries(
          curve: .integer(curve), x: .bytes([UInt8](raw.prefix(half))), y: .boolean(compressed.first == 3)))
      #expect(key.x + (key.y ?? []) == [UInt8](raw))
      #expect(try COSEKey(reading: key.encoded) == key)
    }
  }

  @Test("A key of each curve verifies only with its own algorithm")
  func algorithms() throws {
    let p384 = [UInt8](P384.Signing.PrivateKey().publicKey.rawRepresentation)
    let p521 = [UInt8](P521.Signing.PrivateKey().publicKey.rawRepresentation)
    let ed25519 = [UInt8](Curve25519.Signing.PrivateKey().publicKey.rawRepresentation)
    let keys: [(COSEKey, COSEAlgorithm)] = [
      (try read(Self.entries()), .es256),
      (
        try read(Self.entries(curve: .integer(2), x: .bytes([UInt8](p384[..<48])), y: .bytes([UInt8](p384[48...])))),
        .es384
      ),
      (
        try read(Self.entries(curve: .integer(3), x: .bytes([UInt8](p521[..<66])), y: .bytes([UInt8](p521[66...])))),
        .es512
      ),
      (try read(Self.entries(type: .integer(1), curve: .integer(6), x: .bytes(ed25519), y: nil)), .edDSA),
    ]
    for (key, algorithm) in keys {
      #expect(try key.verificationKey().algorithm == algorithm)
      #expect(try COSEKey(reading: key.encoded) == key)
      #expect(refusal { _ = try key.p256KeyAgreementKey() } == (algorithm == .es256 ? nil : .key))
    }
  }

  struct Malformed: Sendable, CustomStringConvertible {
    let description: String
    let value: CBORValue
    let code: COSEError.Code

    init(_ description: String, _ value: CBORValue, _ code: COSEError.Code = .key) {
      self.description = description
      self.value = value
      self.code = code
    }
  }

  static let malformed: [Malformed] = [
    Malformed("no map", .array([])),
    Malformed("no type", .map([CBORValue.Entry(.integer(-1), .integer(1)), CBORValue.Entry(.integer(-2), .bytes(x))])),
    Malformed("type in words", entries(type: .text("EC2"))),
    Malformed("curve in words", entries(curve: .text("P-256"))),
    Malformed("no x", entries(x: nil)),
    Malformed("no y", entries(y: nil)),
    Malformed("x that is text", entries(x: .text("x"))),
    Malformed("y that is null", entries(y: .null)),
    Malformed("x one byte short", entries(x: .bytes([UInt8](x.dropLast())))),
    Malformed("x one byte long", entries(x: .bytes([0] + x))),
    Malformed("y one byte short", entries(y: .bytes([UInt8](y.dropLast())))),
    Malformed("y one byte long", entries(y: .bytes([0] + y))),
    Malformed("empty coordinates", entries(x: .bytes([]), y: .bytes([]))),
    Malformed("a point off the curve", entries(y: .bytes(x))),
    Malformed(
      "the point at zero",
      entries(x: .bytes([UInt8](repeating: 0, count: 32)), y: .bytes([UInt8](repeating: 0, count: 32)))),
    Malformed("an x that no point has", entries(x: .bytes([UInt8](repeating: 0xff, count: 32)), y: .boolean(true))),
    Malformed("type OKP on P-256", entries(type: .integer(1))),
    Malformed("type EC2 on Ed25519", entries(curve: .integer(6))),
    Malformed("type symmetric", entries(type: .integer(4))),
    Malformed("X25519", entries(type: .integer(1), curve: .integer(4), y: nil), .curveUnsupported),
    Malformed("X448", entries(type: .integer(1), curve: .integer(5), y: nil), .curveUnsupported),
    Malformed("Ed448", entries(type: .integer(1), curve: .integer(7), y: nil), .curveUnsupported),
    Malformed("secp256k1", entries(curve: .integer(8)), .curveUnsupported),
    Malformed("brainpoolP256r1", entries(curve: .integer(256)), .curveUnsupported),
    Malformed("brainpoolP320r1", entries(curve: .integer(257)), .curveUnsupported),
    Malformed("brainpoolP384r1", entries(curve: .integer(258)), .curveUnsupported),
    Malformed("brainpoolP512r1", entries(curve: .integer(259)), .curveUnsupported),
    Malformed("P-256's coordinates on P-384", entries(curve: .integer(2))),
  ]

  @Test("Ed25519 keys of small order or with unreduced coordinates are refused")
  func smallOrder() throws {
    let ofOrderEight = Hex.bytes("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
    let negative = Hex.bytes("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
    func number(_ first: UInt8, _ middle: UInt8, _ last: UInt8) -> [UInt8] {
      [first] + [UInt8](repeating: middle, count: 30) + [last]
    }
    // 0, 1, the prime less one, the prime, the prime and one, the largest number.
    let others = [
      number(0, 0, 0), number(1, 0, 0), number(0xec, 0xff, 0x7f), number(0xed, 0xff, 0x7f), number(0xee, 0xff, 0x7f),
      number(0xff, 0xff, 0x7f),
    ]
    for point in [ofOrderEight, negative] + others {
      for sign: UInt8 in [0, 0x80] {
        let key = Self.entries(
          type: .integer(1), curve: .integer(6), x: .bytes(point.dropLast() + [point[31] | sign]), y: nil)
        #expect(refusal { _ = try read(key) } == .key)
      }
    }
    // The base point (RFC 8032, 5.1).
    let base = Self.entries(type: .integer(1), curve: .integer(6), x: .bytes(number(0x58, 0x66, 0x66)), y: nil)
    #expect(try read(base).curve == .ed25519)
  }

  @Test("Malformed keys are refused with their code", arguments: malformed)
  func refused(_ key: Malformed) {
    #expect(refusal { _ = try read(key.value) } == key.code)
  }

  @Test("Damaged keys give a key or an error code")
  func damage() throws {
    let whole = try read(Self.entries()).encoded
    for bytes in Damage.truncations(of: whole) {
      #expect(refusal { _ = try COSEKey(reading: bytes) } == .key)
    }
    for bytes in Damage.sample(of: whole, seed: 1) {
      let code = refusal { try #expect(COSEKey(reading: bytes).encoded.count == whole.count) }
      #expect([nil, .key, .curveUnsupported].contains(code))
    }
  }
}
