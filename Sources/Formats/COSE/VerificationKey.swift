import Crypto

/// A public key that verifies signatures, on any supported curve.
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

  /// Verifies a signature and reports the result to the witness.
  ///
  /// - Parameters:
  ///   - signature: R and s, each padded to the curve's size, or the 64 bytes of EdDSA. Any other length is refused.
  ///   - message: The signed message, before hashing.
  package func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
    VerificationWitness.reporting(
      isValid(signature, for: message),
      .message(message, signature: signature, algorithm: algorithm, key: subjectPublicKeyInfo))
  }

  /// Verifies a signature without a report to the witness.
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
    case .ed25519(let key): return key.isValidSignature(signature, for: message)
    }
  }

  /// The key as DER of SubjectPublicKeyInfo (RFC 5280, 4.1.2.7).
  private var subjectPublicKeyInfo: [UInt8] {
    switch self {
    case .p256(let key): [UInt8](key.derRepresentation)
    case .p384(let key): [UInt8](key.derRepresentation)
    case .p521(let key): [UInt8](key.derRepresentation)
    // A fixed prefix, then the 32 bytes of the key (RFC 8410, 4).
    case .ed25519(let key):
      [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00] + key.rawRepresentation
    }
  }
}

extension VerificationKey {
  /// Returns whether bytes have the form of a signature with this key: the length for the curve and, on NIST curves, r and s
  /// from 1 to below the order (FIPS 186-5, 6.4.2).
  package func isInForm(_ signature: [UInt8]) -> Bool {
    let order: [UInt8]
    switch self {
    case .p256: order = Self.orderOfP256
    case .p384: order = Self.orderOfP384
    case .p521: order = Self.orderOfP521
    case .ed25519: return signature.count == 64
    }
    guard signature.count == 2 * order.count else { return false }
    return [signature.prefix(order.count), signature.suffix(order.count)].allSatisfy { number in
      number.contains { $0 != 0 } && number.lexicographicallyPrecedes(order)
    }
  }

  // The orders of the base points (NIST SP 800-186, 3.2.1), in as many bytes as a coordinate.
  private static let orderOfP256: [UInt8] =
    [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0] + [UInt8](repeating: 0xff, count: 8)
    + [0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51]
  private static let orderOfP384: [UInt8] =
    [UInt8](repeating: 0xff, count: 24)
    + [0xc7, 0x63, 0x4d, 0x81, 0xf4, 0x37, 0x2d, 0xdf, 0x58, 0x1a, 0x0d, 0xb2]
    + [0x48, 0xb0, 0xa7, 0x7a, 0xec, 0xec, 0x19, 0x6a, 0xcc, 0xc5, 0x29, 0x73]
  private static let orderOfP521: [UInt8] =
    [0x01] + [UInt8](repeating: 0xff, count: 32) + [0xfa]
    + [0x51, 0x86, 0x87, 0x83, 0xbf, 0x2f, 0x96, 0x6b, 0x7f, 0xcc, 0x01, 0x48, 0xf7, 0x09, 0xa5, 0xd0]
    + [0x3b, 0xb5, 0xc9, 0xb8, 0x89, 0x9c, 0x47, 0xae, 0xbb, 0x6f, 0xb7, 0x1e, 0x91, 0x38, 0x64, 0x09]
}

extension VerificationKey {
  /// Checks an Ed25519 key.
  ///
  /// The library accepts points of small order, for which anyone can forge signatures, and points whose coordinate is not
  /// reduced.
  /// - Throws: ``COSEError`` with code `cose.key` for such points (RFC 8032, 5.1.3; RFC 7748, 7).
  package init(checking key: Curve25519.Signing.PublicKey) throws(COSEError) {
    // The highest bit is the sign of the other coordinate.
    var coordinate = [UInt8](key.rawRepresentation)
    coordinate[coordinate.count - 1] &= 0x7f
    guard coordinate.reversed().lexicographicallyPrecedes(Self.prime25519.reversed()) else {
      throw COSEError(.key, "the key's coordinate is not below the prime of Ed25519")
    }
    guard !Self.pointsOfSmallOrder.contains(coordinate) else {
      throw COSEError(.key, "the key is a point of small order, for which anyone can forge signatures")
    }
    self = .ed25519(key)
  }

  // 2^255 - 19 and the points below are in little-endian order, like keys.
  private static let prime25519: [UInt8] = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

  /// The second coordinates of the eight points whose order divides the cofactor: of order 4, 1, 2 and, twice, 8.
  private static let pointsOfSmallOrder: [[UInt8]] = [
    [UInt8](repeating: 0, count: 32),
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
      0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
  ]
}

/// A signer with ES256: a library key with random nonces, or a world's deterministic key.
public protocol ES256Signer: Sendable {
  /// The public key.
  var publicKey: P256.Signing.PublicKey { get }

  /// Returns a signature over SHA-256 of the message: r and s, 64 bytes.
  /// - Throws: An error if the key cannot sign.
  func signature(for message: [UInt8]) throws -> [UInt8]
}

extension P256.Signing.PrivateKey: ES256Signer {
  /// Returns a signature with a random nonce, made by the library.
  public func signature(for message: [UInt8]) throws -> [UInt8] {
    let signature: P256.Signing.ECDSASignature = try signature(for: message)
    return [UInt8](signature.rawRepresentation)
  }
}
