import CBOR
import COSE
import Crypto
import Primitives

/// An ephemeral public key of one end: EDeviceKey or EReaderKey (ISO/IEC 18013-5, 9.1.1.4).
public struct EphemeralKey: Sendable, Equatable {
  /// The key with its curve and coordinates.
  public let key: COSEKey

  /// The curves that both ends support here. X448 and the brainpool curves of the standard are missing.
  public static let curves: [COSEKey.Curve] = [.p256, .p384, .p521, .x25519]

  /// The curve.
  public var curve: COSEKey.Curve { key.curve }

  /// Creates the key of a pair.
  public init(_ key: P256.KeyAgreement.PublicKey) { self.key = COSEKey(key) }

  init(_ key: COSEKey) { self.key = key }

  /// Reads a key and checks that its point is on the curve.
  /// - Parameter allowsCompression: Whether y may be a sign. The standard allows it for EDeviceKey only.
  /// - Throws: ``COSEError``.
  init(_ item: CBORItem, allowsCompression: Bool) throws(COSEError) {
    let key = try COSEKey(forAgreement: item)
    guard Self.curves.contains(key.curve) else {
      throw COSEError(.curveUnsupported, "curve \(key.curve.rawValue) is not for key agreement")
    }
    if !allowsCompression, (try? item.map()[-3]?.kind) == .boolean {
      throw COSEError(.key, "the point is compressed, which only the device's key may be")
    }
    self.key = key
  }

  /// Reads a key inside tag 24, and keeps the bytes of the tagged item.
  /// - Throws: ``COSEError``.
  static func received(_ item: CBORItem, allowsCompression: Bool) throws(COSEError) -> EncodedCBOR<EphemeralKey> {
    do {
      let key = try EphemeralKey(try item.embedded(), allowsCompression: allowsCompression)
      return try EncodedCBOR(item) { (_) throws(CBORError) in key }
    } catch let error as COSEError {
      throw error
    } catch {
      throw COSEError(.key, "the ephemeral key is malformed: \(error)")
    }
  }

  /// The key inside tag 24, in a new encoding.
  public var taggedBytes: [UInt8] { EncodedCBOR(self, encodedAs: key.encoded).bytes }
}

/// An ephemeral private key of one end, used for one session.
public enum EphemeralPrivateKey: Sendable, KeepsSecrets {
  /// A key on NIST P-256.
  case p256(P256.KeyAgreement.PrivateKey)
  /// A key on NIST P-384.
  case p384(P384.KeyAgreement.PrivateKey)
  /// A key on NIST P-521.
  case p521(P521.KeyAgreement.PrivateKey)
  /// A key on X25519.
  case x25519(Curve25519.KeyAgreement.PrivateKey)

  /// The curve.
  public var curve: COSEKey.Curve {
    switch self {
    case .p256: .p256
    case .p384: .p384
    case .p521: .p521
    case .x25519: .x25519
    }
  }

  /// The public key.
  public var publicKey: EphemeralKey {
    let raw: [UInt8]
    switch self {
    case .p256(let key): raw = Array(key.publicKey.rawRepresentation)
    case .p384(let key): raw = Array(key.publicKey.rawRepresentation)
    case .p521(let key): raw = Array(key.publicKey.rawRepresentation)
    case .x25519(let key): raw = Array(key.publicKey.rawRepresentation)
    }
    return EphemeralKey(COSEKey(curve, raw: raw))
  }

  /// The public key as an encoded COSE_Key, uncompressed.
  public var publicKeyBytes: [UInt8] { publicKey.key.encoded }

  /// The public key inside tag 24: `EDeviceKeyBytes` or `EReaderKeyBytes`.
  public var taggedPublicKey: [UInt8] { CBORWriter.encode { $0.embedded(publicKeyBytes) } }

  /// Agrees on a secret: the x coordinate of the shared point.
  /// - Throws: ``ProximityError`` with `sessionCurve` for keys on different curves, `sessionKey` if the library refuses, or
  ///   if the secret is zero.
  func sharedSecret(with other: EphemeralKey) throws(ProximityError) -> SharedSecret {
    guard other.curve == curve else {
      throw ProximityError(
        .sessionCurve, "the ephemeral keys are on different curves",
        evidence: "curve \(other.curve.rawValue), expected \(curve.rawValue)")
    }
    let raw = other.key.x + (other.key.y ?? [])
    let secret: SharedSecret
    do {
      switch self {
      case .p256(let key):
        return try key.sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PublicKey(rawRepresentation: raw))
      case .p384(let key):
        return try key.sharedSecretFromKeyAgreement(with: P384.KeyAgreement.PublicKey(rawRepresentation: raw))
      case .p521(let key):
        return try key.sharedSecretFromKeyAgreement(with: P521.KeyAgreement.PublicKey(rawRepresentation: raw))
      case .x25519(let key):
        secret = try key.sharedSecretFromKeyAgreement(with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: raw))
      }
    } catch {
      throw ProximityError(.sessionKey, "the ephemeral key is not a point of its curve")
    }
    // The library returns the secret of a point of small order, which is zero for every private key (RFC 7748, 6.1).
    guard !(secret == [UInt8](repeating: 0, count: curve.coordinateSize)) else {
      throw ProximityError(.sessionKey, "the ephemeral key is a point of small order: the shared secret is zero")
    }
    return secret
  }
}
