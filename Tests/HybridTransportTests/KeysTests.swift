import HybridTransport
import TestTraits
import Testing

@Suite("Derived keys")
struct KeysTests {
  @Test func differForEveryPurposeAndSecret() {
    let derived = HybridKeys.Purpose.allCases.flatMap { purpose in
      [[1, 2], [1, 3]].map { HybridKeys.derive($0, for: purpose, count: 32) }
    }
    #expect(Set(derived).count == derived.count)
  }

  @Test func doNotPrint() {
    let keys = HybridKeys(secret: [1, 2, 3])
    #expect("\(keys) \(keys.advertKey)" == "HybridKeys AdvertKey")
  }

  @Test(.requiresHybridVectors) func agreeWithTheKnownAnswers() throws {
    for entry in try Known.entries("hkdf", of: "keys.json") {
      let purpose = try #require(HybridKeys.Purpose(rawValue: UInt32(try entry.number("purpose"))))
      let output = HybridKeys.derive(
        try entry.bytes("ikm"), salt: try entry.bytes("salt"), for: purpose, count: try entry.number("length"))
      #expect(output == (try entry.bytes("okm")), "\(entry)")
    }
  }

  /// The derivation of a client's own key from a seed is local to that client; its keys must only be usable here.
  @Test(.requiresHybridVectors) func identityKeysOfOtherClientsAreAccepted() throws {
    for entry in try Known.entries("boringSSLSeedToKey", of: "keys.json") {
      let key = try entry.privateKey("privateScalar").publicKey
      #expect([UInt8](key.x963Representation) == (try entry.bytes("publicX963")), "\(entry)")
    }
  }
}
