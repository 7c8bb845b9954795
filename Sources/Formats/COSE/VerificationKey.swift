import Crypto

/// A public key that verifies signatures, of any curve that has an implementation here.
public enum VerificationKey: Sendable {
  /// NIST P-256, for ES256.
  case p256(P256.Signing.PublicKey)
  /// NIST P-384, for ES384.
  case p384(P384.Signing.PublicKey)
  /// NIST P-521, for ES512.
  case p521(P521.Signing.PublicKey)
  /// Ed25519, for EdDSA.
  case ed25519(Curve25519.Signing.PublicKey)

  /// The one algorithm that ISO/IEC 18013-5 allows with this curve (second edition draft, 12.5.4).
  public var algorithm: COSEAlgorithm {
    switch self {
    case .p256: .es256
    case .p384: .es384
    case .p521: .es512
    case .ed25519: .edDSA
    }
  }

  /// Whether the signature is over the message, made with this key's private half.
  ///
  /// - Parameters:
  ///   - signature: r and s, each padded to the curve's size, or the 64 bytes of EdDSA. Any other length is refused.
  ///   - message: what was signed, before hashing.
  package func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
    let isVerified = isValid(signature, for: message)
    VerificationWitness.report(
      .signature(
        SignatureClaim(
          .message(message, signature: signature, algorithm: algorithm, key: subjectPublicKeyInfo),
          isVerified: isVerified)))
    return isVerified
  }

  /// The same, and no witness hears of it.
  package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    switch self {
    case .p256(let key):
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
      return key.isValidSignature(signature, for: message)
    case .p384(let key):
      guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
      return key.isValidSignature(signature, for: message)
    case .p521(let key):
      guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
      return key.isValidSignature(signature, for: message)
    case .ed25519(let key):
      return key.isValidSignature(signature, for: message)
    }
  }

  /// The key as DER of SubjectPublicKeyInfo (RFC 5280, 4.1.2.7).
  private var subjectPublicKeyInfo: [UInt8] {
    switch self {
    case .p256(let key): [UInt8](key.derRepresentation)
    case .p384(let key): [UInt8](key.derRepresentation)
    case .p521(let key): [UInt8](key.derRepresentation)
    // The 32 bytes of a key stand behind what is the same for all (RFC 8410, 4).
    case .ed25519(let key):
      [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00] + key.rawRepresentation
    }
  }
}

/// Something that makes ES256 signatures: a library key with its random nonces, or a world's deterministic one.
public protocol ES256Signer: Sendable {
  /// The public half.
  var publicKey: P256.Signing.PublicKey { get }

  /// A signature over SHA-256 of the message: r and s, 64 bytes.
  /// - Throws: when the key cannot sign.
  func signature(for message: [UInt8]) throws -> [UInt8]
}

extension P256.Signing.PrivateKey: ES256Signer {
  /// A signature with a random nonce, made by the library.
  public func signature(for message: [UInt8]) throws -> [UInt8] {
    let signature: P256.Signing.ECDSASignature = try signature(for: message)
    return [UInt8](signature.rawRepresentation)
  }
}
