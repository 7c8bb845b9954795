import Crypto
import FoundationEssentials

/// The encryption of a response to the website's server: one message in HPKE base mode with DHKEM(P-256, HKDF-SHA256),
/// HKDF-SHA256 and AES-128-GCM (RFC 9180, section 6.1), as ISO/IEC 18013-7, Annex C uses it.
///
/// The sender's ephemeral key is a parameter, so that the sealed bytes follow from a seed. Each message needs its own:
/// a key used twice for one recipient and info repeats the key and nonce of AES-GCM.
public enum ResponseEncryption {
  /// Seals one message to a recipient.
  ///
  /// - Parameters:
  ///   - plaintext: The message, of any length.
  ///   - recipient: The recipient's public key.
  ///   - info: The context of the message, for example a session transcript. Opening requires the same.
  ///   - aad: Associated data that is authenticated with the message and not sent with it.
  ///   - ephemeralKey: The sender's key pair for this message only.
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

  /// Decrypts one sealed message.
  ///
  /// - Parameters:
  ///   - cipherText: The encrypted message with its tag, at least 16 bytes.
  ///   - encapsulatedKey: The sender's ephemeral public key, 65 bytes.
  ///   - privateKey: The recipient's key.
  ///   - info: The context that the message was sealed for.
  ///   - aad: The associated data that the message was sealed with.
  /// - Returns: The message.
  /// - Throws: ``HPKEError`` with code `hpke.encapsulated-key` if that key is not a point of P-256, and `hpke.open` if
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

/// An error of sealing or opening a message with HPKE.
public struct HPKEError: Error, Hashable, Sendable {
  /// The stable code of the error.
  public let code: String
  /// A human-readable description of the error.
  public let message: String
  /// The value found, for example a size. Never contains key material or plaintext.
  public let evidence: String

  /// The encapsulated key is not an uncompressed point of P-256 (RFC 9180, section 7.1.4).
  static func encapsulatedKey(_ bytes: [UInt8]) -> HPKEError {
    let found =
      if bytes.count != HPKESuite.publicKeyByteCount {
        "\(bytes.count) bytes"
      } else if bytes[0] != HPKESuite.uncompressedPoint {
        "a first byte of \(bytes[0])"
      } else {
        "a point that is not on the curve"
      }
    return HPKEError(
      code: "hpke.encapsulated-key",
      message: "The encapsulated key is not an uncompressed point of P-256 (65 bytes, the first of them 4).",
      evidence: found)
  }

  /// The tag does not verify: another key, info or associated data, or altered bytes (RFC 9180, section 5.2).
  static func open(cipherTextByteCount count: Int) -> HPKEError {
    HPKEError(
      code: "hpke.open",
      message: "The message cannot be decrypted: it was sealed to another key, for another context, or was altered.",
      evidence: count < HPKESuite.tagByteCount ? "\(count) bytes, too few for a tag" : "a tag that does not verify")
  }

  /// The library failed on valid inputs, or the context has no sequence number left (RFC 9180, section 5.2).
  static func seal(_ evidence: String) -> HPKEError {
    HPKEError(code: "hpke.seal", message: "The message could not be sealed.", evidence: evidence)
  }
}

extension HPKEError: CustomStringConvertible {
  /// The message, the evidence and the code in brackets.
  public var description: String { "\(message) Found: \(evidence) [\(code)]" }
}
