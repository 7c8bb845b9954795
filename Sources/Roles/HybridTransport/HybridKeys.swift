import Crypto
import Primitives

/// The keys that both ends derive from the secret of a QR code (CTAP, hybrid transport): HKDF-SHA256 whose info is the
/// purpose, a little-endian number of 4 bytes.
package struct HybridKeys: KeepsSecrets, Sendable {
  /// The use of a derived key.
  package enum Purpose: UInt32, Sendable, CaseIterable {
    /// The two keys of the advert.
    case advert = 1
    /// The identifier of the tunnel, in the path of its URL.
    case tunnel = 2
    /// The pre-shared key of the handshake, salted with the advert's plaintext.
    case preSharedKey = 3
    /// The secret of a linked pair of devices.
    case pairedSecret = 4
    /// The seed of an identity key, local to a phone.
    case identityKeySeed = 5
    /// The secret of an identifier for each contact, local to a phone.
    case perContactSecret = 6
  }

  private let secret: [UInt8]

  /// The keys of a QR code's secret.
  package init(secret: [UInt8]) { self.secret = secret }

  /// The key of the advert.
  package var advertKey: AdvertKey { AdvertKey(Self.derive(secret, for: .advert, count: AdvertKey.length)) }

  /// The identifier of the tunnel: 16 bytes.
  package var tunnelID: [UInt8] { Self.derive(secret, for: .tunnel, count: TunnelAddress.tunnelIDLength) }

  /// Returns the pre-shared key of the handshake.
  /// - Parameter plaintext: The 16 bytes of the advert.
  package func preSharedKey(advert plaintext: [UInt8]) -> [UInt8] {
    Self.derive(secret, salt: plaintext, for: .preSharedKey, count: 32)
  }

  /// Derives a key.
  package static func derive(_ secret: [UInt8], salt: [UInt8] = [], for purpose: Purpose, count: Int) -> [UInt8] {
    let info = (0..<4).map { UInt8(truncatingIfNeeded: purpose.rawValue >> ($0 * 8)) }
    return HKDFBytes.derive(SymmetricKey(data: secret), salt: salt, info: info, count: count)
  }
}

/// HKDF-SHA256 (RFC 5869) with an output of bytes: it is hashed on, split and used as a path here.
enum HKDFBytes {
  static func derive(_ inputKeyMaterial: SymmetricKey, salt: [UInt8], info: [UInt8] = [], count: Int) -> [UInt8] {
    let key = SymmetricKey(data: HKDF<SHA256>.extract(inputKeyMaterial: inputKeyMaterial, salt: salt))
    var output: [UInt8] = []
    var block: [UInt8] = []
    var number: UInt8 = 1
    while output.count < count {
      block = Array(HMAC<SHA256>.authenticationCode(for: block + info + [number], using: key))
      output += block
      number += 1
    }
    return Array(output.prefix(count))
  }
}
