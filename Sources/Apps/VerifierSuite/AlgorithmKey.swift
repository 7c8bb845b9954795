import COSE
import Crypto
import Foundation
import X509

/// A new key of a document signer or a device, on the curve that the standard has for an algorithm.
struct AlgorithmKey: Sendable {
  /// The algorithm of the key's curve.
  let algorithm: COSEAlgorithm
  /// The public key for a certificate.
  let certified: Certificate.PublicKey
  /// The public key for a mobile security object.
  let coseKey: COSEKey
  /// Signs a message with the algorithm of the curve.
  let signature: @Sendable (_ message: [UInt8]) throws -> [UInt8]
  /// Signs the SHA-256 digest of a message, as ES256 does; on Ed25519 the same as `signature`.
  let signatureOverSHA256: @Sendable (_ message: [UInt8]) throws -> [UInt8]
}

extension AlgorithmKey {
  /// Creates a key for an algorithm.
  init(_ algorithm: COSEAlgorithm) {
    switch algorithm {
    case .es256, .hmac256:
      let key = P256.Signing.PrivateKey()
      self.init(
        algorithm: .es256, certified: .init(key.publicKey), coseKey: COSEKey(key.publicKey),
        signature: { [UInt8](try key.signature(for: Data($0)).rawRepresentation) },
        signatureOverSHA256: { [UInt8](try key.signature(for: SHA256.hash(data: $0)).rawRepresentation) })
    case .es384:
      let key = P384.Signing.PrivateKey()
      self.init(
        algorithm: .es384, certified: .init(key.publicKey),
        coseKey: COSEKey(.p384, raw: Array(key.publicKey.rawRepresentation)),
        signature: { [UInt8](try key.signature(for: Data($0)).rawRepresentation) },
        signatureOverSHA256: { [UInt8](try key.signature(for: SHA256.hash(data: $0)).rawRepresentation) })
    case .es512:
      let key = P521.Signing.PrivateKey()
      self.init(
        algorithm: .es512, certified: .init(key.publicKey),
        coseKey: COSEKey(.p521, raw: Array(key.publicKey.rawRepresentation)),
        signature: { [UInt8](try key.signature(for: Data($0)).rawRepresentation) },
        signatureOverSHA256: { [UInt8](try key.signature(for: SHA256.hash(data: $0)).rawRepresentation) })
    case .edDSA:
      let key = Curve25519.Signing.PrivateKey()
      let signature: @Sendable ([UInt8]) throws -> [UInt8] = { [UInt8](try key.signature(for: Data($0))) }
      self.init(
        algorithm: .edDSA, certified: .init(key.publicKey),
        coseKey: COSEKey(.ed25519, raw: Array(key.publicKey.rawRepresentation)), signature: signature,
        signatureOverSHA256: signature)
    }
  }
}
