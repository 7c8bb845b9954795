import Crypto
import FoundationEssentials

/// The encryption of a response to the website's server: one message in HPKE base mode with DHKEM(P-256, HKDF-SHA256),
/// HKDF-SHA256 and AES-128-GCM (RFC 9180, section 6.1), as ISO/IEC 18013-7, Annex C uses it.
///
/// The sender's ephemeral key comes in as a value, so that a seed decides the sealed bytes. Each message needs its own:
/// a key used twice for one recipient and info repeats key and nonce of AES-GCM.
public enum ResponseEncryption {
  /// Seals one message to a recipient.
  ///
  /// - Parameters:
  ///   - plaintext: The message, of any length.
  ///   - recipient: The key of whoever may open it.
  ///   - info: What the message belongs to, such as a session transcript; opens only with the same.
  ///   - aad: Associated data that is authenticated with the message, not sent with it.
  ///   - ephemeralKey: The sender's key pair for this message alone.
  /// - Returns: `encapsulatedKey`, the ephemeral public key in 65 bytes, and `cipherText`, the encrypted message and
  ///   its tag, 16 bytes longer than the message.
  /// - Throws: ``HPKEError`` with code `hpke.seal` on a failure within the library.
  public static func seal(
    _ plaintext: [UInt8], to recipient: P256.KeyAgreement.PublicKey, info: [UInt8], aad: [UInt8] = [],
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws(HPKEError) -> (encapsulatedKey: [UInt8], cipherText: [UInt8]) {
    let encapsulation = try HPKEEncapsulation(to: recipient, ephemeralKey: ephemeralKey)
    var context = HPKESealingContext(HPKEKeySchedule(sharedSecret: encapsulation.sharedSecret, info: info))
    return (encapsulation.encapsulatedKey, try context.seal(plaintext, aad: aad))
  }

  /// Opens one sealed message.
  ///
  /// - Parameters:
  ///   - cipherText: The encrypted message with its tag, at least 16 bytes.
  ///   - encapsulatedKey: The sender's ephemeral public key, 65 bytes.
  ///   - privateKey: The recipient's key.
  ///   - info: What the message was sealed for.
  ///   - aad: The associated data it was sealed with.
  /// - Returns: The message.
  /// - Throws: ``HPKEError`` with code `hpke.encapsulated-key` when that key is no point of P-256, and `hpke.open` when
  ///   the message does not authenticate.
  public static func open(
    _ cipherText: [UInt8], encapsulatedKey: [UInt8], with privateKey: P256.KeyAgreement.PrivateKey, info: [UInt8],
    aad: [UInt8] = []
  ) throws(HPKEError) -> [UInt8] {
    var recipient: HPKE.Recipient
    do {
      recipient = try HPKE.Recipient(
        privateKey: privateKey, ciphersuite: ciphersuite, info: Data(info), encapsulatedKey: Data(encapsulatedKey))
    } catch {
      throw .encapsulatedKey(encapsulatedKey)
    }
    do {
      return Array(try recipient.open(cipherText, authenticating: aad))
    } catch {
      throw .open(cipherTextByteCount: cipherText.count)
    }
  }

  private static let ciphersuite = HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_128)
}
