import Crypto
import SimulationKernel

/// Keys that are the same in every run.
enum FixedKeys {
  /// A signing key.
  static func signing(_ number: UInt8) -> P256.Signing.PrivateKey {
    // Every small number is a private key of P-256, and easily recognized.
    (try? P256.Signing.PrivateKey(rawRepresentation: bytes(number))) ?? P256.Signing.PrivateKey()
  }

  /// A key agreement key.
  static func agreement(_ number: UInt8) -> P256.KeyAgreement.PrivateKey {
    (try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(number))) ?? P256.KeyAgreement.PrivateKey()
  }

  /// Signs deterministically; the library would draw a nonce.
  static let signer = DeterministicSigningKey(signing(1))

  private static func bytes(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }
}
