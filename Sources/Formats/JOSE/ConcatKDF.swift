import COSE
import Crypto

/// The Concat KDF with SHA-256, as ECDH-ES uses it (RFC 7518, 4.6.2; NIST SP 800-56A, 5.8.1).
///
/// The library's `x963DerivedSymmetricKey` is another function: its counter follows the shared secret.
package enum ConcatKDF {
  /// Derives a key.
  ///
  /// - Parameters:
  ///   - secret: Z, the shared secret.
  ///   - algorithm: `AlgorithmID`: with a directly agreed key the value of `enc`.
  ///   - partyUInfo: `PartyUInfo`: the decoded `apu`; empty without it.
  ///   - partyVInfo: `PartyVInfo`: the decoded `apv`; empty without it.
  ///   - bits: The length of the key, a multiple of 8.
  package static func key(
    from secret: [UInt8], algorithm: String, partyUInfo: [UInt8] = [], partyVInfo: [UInt8] = [], bits: Int
  ) -> [UInt8] {
    let other = otherInfo(algorithm: algorithm, partyUInfo: partyUInfo, partyVInfo: partyVInfo, bits: bits)
    var key: [UInt8] = []
    var round: UInt32 = 1
    while key.count < bits / 8 {
      key += SHA256.hash(data: word(round) + secret + other).bytes
      round += 1
    }
    return Array(key.prefix(bits / 8))
  }

  /// `OtherInfo`: three texts with their lengths, and the number of bits.
  package static func otherInfo(algorithm: String, partyUInfo: [UInt8], partyVInfo: [UInt8], bits: Int) -> [UInt8] {
    [Array(algorithm.utf8), partyUInfo, partyVInfo].flatMap { word(UInt32($0.count)) + $0 } + word(UInt32(bits))
  }

  private static func word(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: number >> shift) }
  }
}
