import Crypto
import Foundation
import Testing

@testable import SimulationKernel

@Suite("Deterministic signing, RFC 6979")
struct DeterministicSigningTests {
  @Test("Signatures equal those of RFC 6979, A.2.5")
  func knownAnswers() throws {
    let printed = try KnownAnswers.load()
    let key = try DeterministicSigningKey(rawRepresentation: octets(printed.privateKey))
    #expect(Array(key.publicKey.rawRepresentation) == octets(printed.publicX + printed.publicY))
    #expect(printed.signatures.map(\.message) == ["sample", "test"])
    for answer in printed.signatures {
      let signature = try key.signature(for: Array(answer.message.utf8))
      #expect(signature == octets(answer.r + answer.s), "message \(answer.message)")
    }
  }

  @Test("Secrets k equal those of RFC 6979, A.2.5")
  func knownSecrets() throws {
    let printed = try KnownAnswers.load()
    for answer in printed.signatures {
      let digest = ScalarModuloN(reducing: SHA256.hash(data: Array(answer.message.utf8)))
      var nonces = DeterministicNonces(privateKey: octets(printed.privateKey), reducedDigest: digest.octets)
      #expect(nonces.next() == octets(answer.k), "message \(answer.message)")
    }
  }

  @Test("Step h gives further secrets")
  func furtherSecrets() throws {
    // Of our own making, by a second implementation: no message is known whose first secret is refused.
    let privateKey = octets(try KnownAnswers.load().privateKey)
    let digest = ScalarModuloN(reducing: SHA256.hash(data: Array("sample".utf8)))
    var nonces = DeterministicNonces(privateKey: privateKey, reducedDigest: digest.octets)
    _ = nonces.next()
    #expect(nonces.next() == octets("8e83dc490bc5fc4d5992bd63cd87f254adffcb930f8a8011702a88870f638fdb"))
    #expect(nonces.next() == octets("7b8dc9ad8ce159abca1b9915fc1470e91d5ad2443b3032557e78f47e180ab702"))
  }

  @Test("Signatures verify with swift-crypto and are the same each time")
  func verifies() throws {
    var stream = Entropy(seed: 6979).stream("keys and messages")
    for size in 0..<100 {
      let key = try DeterministicSigningKey(seededBy: { stream.bytes(32) })
      let message = stream.bytes(size)
      let signature = try key.signature(for: message)
      #expect(try isValid(signature, for: message, with: key))
      #expect(try !isValid(signature, for: message + [0], with: key))
      #expect(try key.signature(for: message) == signature)
    }
  }

  /// Verifies a signature with swift-crypto.
  private func isValid(_ signature: [UInt8], for message: [UInt8], with key: DeterministicSigningKey) throws -> Bool {
    key.publicKey.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message)
  }

  @Test("A swift-crypto key and its bytes give the same signatures")
  func initializers() throws {
    let privateKey = P256.Signing.PrivateKey()
    let key = DeterministicSigningKey(privateKey)
    let same = try DeterministicSigningKey(rawRepresentation: Array(privateKey.rawRepresentation))
    let other = DeterministicSigningKey(P256.Signing.PrivateKey())
    #expect(try key.signature(for: [1]) == same.signature(for: [1]))
    #expect(key == same)
    #expect(key != other)
    #expect(Set([key, same, other]).count == 2)
  }

  @Test("The least and the greatest private key sign", arguments: ["01", orderMinusOne])
  func outermostKeys(hex: String) throws {
    let key = try DeterministicSigningKey(rawRepresentation: padded(hex))
    let signature = try key.signature(for: Array("sample".utf8))
    #expect(try isValid(signature, for: Array("sample".utf8), with: key))
  }

  @Test(
    "Refuses bytes that are not a private key",
    arguments: [
      [], [1], [UInt8](repeating: 0, count: 32), octets(order), octets(orderPlusOne),
      [UInt8](repeating: 0xff, count: 32), [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33),
    ])
  func invalidKeys(bytes: [UInt8]) {
    let error = #expect(throws: SimulationError.self) { try DeterministicSigningKey(rawRepresentation: bytes) }
    #expect(error?.code == .privateKey)
    #expect(error?.evidence == (bytes.count == 32 ? "a value out of range" : "\(bytes.count) bytes"))
  }

  @Test("Draws another seed if one is not a private key")
  func seeding() throws {
    var seeds = [[UInt8](repeating: 0, count: 32), octets(order), padded("05"), padded("06")]
    let key = try DeterministicSigningKey(seededBy: { seeds.removeFirst() })
    #expect(try key == DeterministicSigningKey(rawRepresentation: padded("05")))
    #expect(seeds == [padded("06")])
  }

  @Test("Gives up a source without a private key")
  func seedingWithoutEnd() {
    var draws = 0
    let error = #expect(throws: SimulationError.self) {
      try DeterministicSigningKey(seededBy: {
        draws += 1
        return [UInt8](repeating: 0xff, count: 32)
      })
    }
    #expect(error?.code == .seed)
    #expect(error?.evidence == "a value out of range in the last draw")
    #expect(draws == DeterministicSigningKey.maximumSeedDraws)
  }

  @Test("The private key does not print")
  func printing() throws {
    struct Holder { let key: DeterministicSigningKey }
    let key = try DeterministicSigningKey(rawRepresentation: octets(try KnownAnswers.load().privateKey))
    var dumped = ""
    dump(key, to: &dumped)
    #expect("\(key)" == "DeterministicSigningKey")
    #expect(String(reflecting: key) == "DeterministicSigningKey")
    #expect("\(Holder(key: key))" == "Holder(key: DeterministicSigningKey)")
    #expect(dumped == "- DeterministicSigningKey\n")
    #expect(Mirror(reflecting: key).children.isEmpty)
  }
}

@Suite("Scalars modulo n")
struct ScalarModuloNTests {
  @Test("Scalars modulo n follow the laws of a field")
  func laws() {
    var stream = Entropy(seed: 1).stream("scalars")
    for _ in 0..<300 {
      let (a, b, c) = (scalar(stream.bytes(32)), scalar(stream.bytes(32)), scalar(stream.bytes(32)))
      #expect(a + b == b + a)
      #expect(a * b == b * a)
      #expect((a + b) + c == a + (b + c))
      #expect((a * b) * c == a * (b * c))
      #expect(a * (b + c) == a * b + a * c)
      #expect(a + minusOne * a == zero)
      #expect(a * a.inverse() == one)
      #expect(a.inverse().inverse() == a)
    }
  }

  @Test("Scalars follow the laws of a field at the edges of their limbs")
  func powersOfTwo() {
    let two = one + one
    let inverseRadix = (0..<256).reduce(one) { power, _ in power * two }.inverse()
    var (power, residue) = (one, inverseRadix)
    for exponent in 0..<256 {
      #expect(power * power.inverse() == one, "2^\(exponent)")
      #expect(residue * residue.inverse() == one, "stored as 2^\(exponent)")
      #expect(minusOne * power + power == zero, "2^\(exponent)")
      #expect(power.octets == octets(hexOfPowerOfTwo(exponent)), "2^\(exponent)")
      (power, residue) = (power * two, residue * two)
    }
  }

  @Test("Arithmetic with 0, 1 and n - 1")
  func edges() {
    #expect(zero.isZero)
    #expect(!one.isZero)
    #expect(zero.octets == [UInt8](repeating: 0, count: 32))
    #expect(one.octets == padded("01"))
    #expect(minusOne.octets == octets(orderMinusOne))
    #expect(zero.inverse() == zero)
    #expect(one.inverse() == one)
    #expect(minusOne.inverse() == minusOne)
    #expect(minusOne + one == zero)
    #expect(minusOne * minusOne == one)
    #expect(minusOne + minusOne + one + one == zero)
    #expect(zero * minusOne == zero)
  }

  @Test("Values from n up are reduced, or refused if they must be canonical")
  func reduction() {
    #expect(scalar(octets(order)) == zero)
    #expect(scalar(octets(orderPlusOne)) == one)
    #expect(
      scalar([UInt8](repeating: 0xff, count: 32)).octets
        == octets("00000000ffffffff00000000000000004319055258e8617b0c46353d039cdaae"))

    #expect(ScalarModuloN(canonical: octets(orderMinusOne)) == minusOne)
    #expect(ScalarModuloN(canonical: padded("00")) == zero)
    let tooGreat = [octets(order), octets(orderPlusOne), [UInt8](repeating: 0xff, count: 32)]
    let otherSizes = [[], [1], [0] + padded("01")]
    for refused in tooGreat + otherSizes {
      #expect(ScalarModuloN(canonical: refused) == nil)
    }
  }

  @Test("Scalars survive a round trip through octets")
  func octetsRoundTrip() {
    var stream = Entropy(seed: 2).stream("octets")
    for _ in 0..<300 {
      let bytes = [0x7f] + stream.bytes(31)
      #expect(scalar(bytes).octets == bytes)
    }
  }

  private let zero = scalar(padded("00"))
  private let one = scalar(padded("01"))
  private let minusOne = scalar(octets(orderMinusOne))
}

private let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
private let orderMinusOne = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550"
private let orderPlusOne = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552"

private func scalar(_ octets: [UInt8]) -> ScalarModuloN { ScalarModuloN(reducing: octets) }

private func hexOfPowerOfTwo(_ exponent: Int) -> String {
  let digit = ["1", "2", "4", "8"][exponent % 4]
  let zeros = exponent / 4
  return String(repeating: "0", count: 63 - zeros) + digit + String(repeating: "0", count: zeros)
}

private func padded(_ hex: String) -> [UInt8] {
  [UInt8](repeating: 0, count: 32 - hex.count / 2) + octets(hex)
}

private func octets(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

private struct KnownAnswers: Decodable {
  struct Signature: Decodable {
    let message: String
    let k: String
    let r: String
    let s: String
  }

  let privateKey: String
  let publicX: String
  let publicY: String
  let signatures: [Signature]

  enum CodingKeys: String, CodingKey {
    case privateKey = "x"
    case publicX = "Ux"
    case publicY = "Uy"
    case signatures
  }

  static func load() throws -> KnownAnswers {
    let file = try #require(
      Bundle.module.url(forResource: "rfc6979-a2.5", withExtension: "json", subdirectory: "Vectors"))
    return try JSONDecoder().decode(KnownAnswers.self, from: Data(contentsOf: file))
  }
}
