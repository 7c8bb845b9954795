import COSE
import Crypto
import Foundation
import X509

/// A new key of a document signer or a device, on the curve that the standard has for an algorithm.
enum AlgorithmKey: Sendable {
  case p256(P256.Signing.PrivateKey)
  case p384(P384.Signing.PrivateKey)
  case p521(P521.Signing.PrivateKey)
  case ed25519(Curve25519.Signing.PrivateKey)

  /// Creates a key for an algorithm.
  init(_ algorithm: COSEAlgorithm) {
    switch algorithm {
    case .es256, .hmac256: self = .p256(P256.Signing.PrivateKey())
    case .es384: self = .p384(P384.Signing.PrivateKey())
    case .es512: self = .p521(P521.Signing.PrivateKey())
    case .edDSA: self = .ed25519(Curve25519.Signing.PrivateKey())
    }
  }

  /// The algorithm of the key's curve.
  var algorithm: COSEAlgorithm {
    switch self {
    case .p256: .es256
    case .p384: .es384
    case .p521: .es512
    case .ed25519: .edDSA
    }
  }

  /// The public key for a certificate.
  var certified: Certificate.PublicKey {
    switch self {
    case .p256(let key): Certificate.PublicKey(key.publicKey)
    case .p384(let key): Certificate.PublicKey(key.publicKey)
    case .p521(let key): Certificate.PublicKey(key.publicKey)
    case .ed25519(let key): Certificate.PublicKey(key.publicKey)
    }
  }

  /// The public key for a mobile security object.
  var coseKey: COSEKey {
    switch self {
    case .p256(let key): COSEKey(key.publicKey)
    case .p384(let key): COSEKey(.p384, raw: Array(key.publicKey.rawRepresentation))
    case .p521(let key): COSEKey(.p521, raw: Array(key.publicKey.rawRepresentation))
    case .ed25519(let key): COSEKey(.ed25519, raw: Array(key.publicKey.rawRepresentation))
    }
  }

  /// Signs a message with the algorithm of the curve.
  /// - Throws: An error of the library.
  func signature(of message: [UInt8]) throws -> [UInt8] {
    switch self {
    case .p256(let key): [UInt8](try key.signature(for: Data(message)).rawRepresentation)
    case .p384(let key): [UInt8](try key.signature(for: Data(message)).rawRepresentation)
    case .p521(let key): [UInt8](try key.signature(for: Data(message)).rawRepresentation)
    case .ed25519(let key): [UInt8](try key.signature(for: Data(message)))
    }
  }

  /// Signs the SHA-256 digest of a message, as ES256 does; on Ed25519 the same as ``signature(of:)``.
  /// - Throws: An error of the library.
  func signatureOverSHA256(of message: [UInt8]) throws -> [UInt8] {
    let digest = SHA256.hash(data: message)
    return switch self {
    case .p256(let key): [UInt8](try key.signature(for: digest).rawRepresentation)
    case .p384(let key): [UInt8](try key.signature(for: digest).rawRepresentation)
    case .p521(let key): [UInt8](try key.signature(for: digest).rawRepresentation)
    case .ed25519: try signature(of: message)
    }
  }
}
