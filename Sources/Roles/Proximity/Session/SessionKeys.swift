import CBOR
import COSE
import Crypto
import MobileDocument
import Primitives

/// The keys of a session: HKDF-SHA-256 over the shared secret of both ephemeral keys, salted with the digest of
/// `SessionTranscriptBytes` (ISO/IEC 18013-5, 9.1.1.5).
public struct SessionKeys: Sendable, KeepsSecrets {
  /// `SKReader`: the key of the reader's messages.
  let reader: SymmetricKey
  /// `SKDevice`: the key of the mdoc's messages.
  let device: SymmetricKey

  /// Derives the keys at one end.
  /// - Throws: ``ProximityError`` with `sessionCurve` or `sessionKey`.
  public init(own: EphemeralPrivateKey, other: EphemeralKey, transcript: SessionTranscript) throws(ProximityError) {
    let secret = try own.sharedSecret(with: other)
    let salt = SHA256.hash(data: transcript.sessionTranscriptBytes).bytes
    func key(_ info: String) -> SymmetricKey {
      secret.hkdfDerivedSymmetricKey(using: SHA256.self, salt: salt, sharedInfo: Array(info.utf8), outputByteCount: 32)
    }
    reader = key("SKReader")
    device = key("SKDevice")
  }

  /// Creates keys from their bytes.
  package init(reader: [UInt8], device: [UInt8]) {
    self.reader = SymmetricKey(data: reader)
    self.device = SymmetricKey(data: device)
  }
}

/// Values that both ends derive from the mdoc's ephemeral key alone: HKDF-SHA-256 over `EDeviceKeyBytes` without a salt
/// (ISO/IEC 18013-5, 8.3.3.1.1.3). Everyone who saw the engagement can derive them, so they identify and do not
/// authenticate.
public enum DerivedIdentifier: String, Sendable, CaseIterable {
  /// The value of the Ident characteristic.
  case bluetoothIdent = "BLEIdent"
  /// The name of the service of Wi-Fi Aware, before its text form.
  case wifiAwareService = "NANService"
  /// The passphrase of Wi-Fi Aware, before its text form.
  case wifiAwarePassphrase = "NANPassphrase"

  /// The number of bytes; at most one block of SHA-256.
  public var length: Int { self == .wifiAwarePassphrase ? 32 : 16 }

  /// Derives the value.
  /// - Parameter deviceKeyBytes: `EDeviceKeyBytes` as received, with its tag.
  public func value(deviceKeyBytes: [UInt8]) -> [UInt8] {
    let key = HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: deviceKeyBytes), salt: [UInt8]())
    // The first block of RFC 5869, 2.3 is enough.
    let block = HMAC<SHA256>.authenticationCode(for: Array(rawValue.utf8) + [1], using: SymmetricKey(data: key))
    return Array(block.prefix(length))
  }
}
