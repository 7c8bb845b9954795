import Crypto
import SimulationKernel

/// Keys that never change.
enum FixedKeys {
  /// A key to sign with.
  static func signing(_ number: UInt8) -> P256.Signing.PrivateKey {
    // Every number that small is a private key of P-256; a key of chance is good for nothing but to be noticed.
    (try? P256.Signing.PrivateKey(rawRepresentation: bytes(number))) ?? P256.Signing.PrivateKey()
  }

  /// A key to agree with.
  static func agreement(_ number: UInt8) -> P256.KeyAgreement.PrivateKey {
    (try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(number))) ?? P256.KeyAgreement.PrivateKey()
  }

  /// Signs the same with the same signature, for which the library would draw a nonce.
  static let signer = DeterministicSigningKey(signing(1))

  private static func bytes(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }
}
