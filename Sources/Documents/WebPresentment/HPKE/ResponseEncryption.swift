import Crypto
import FoundationEssentials

/// The encryption of a response to the website's server: one message in HPKE base mode with DHKEM(P-256, HKDF-SHA256),
/// HKDF-SHA256 and AES-128-GCM (RFC 9180, section 6.1), as ISO/IEC 18013-7, Annex C uses it.
///
/// The sender's ephemeral key is a parameter, so that the sealed bytes follow from a seed. Each message needs its own:
/// a key used twice for one recipient and info repeats the key and nonce of AES-GCM.
package enum ResponseEncryption {
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
  /// - Throws: ``ExchangeError`` with code `hpke.seal` on a failure within the library.
  package static func seal(
    _ plaintext: [UInt8], to recipient: P256.KeyAgreement.PublicKey, info: [UInt8], aad: [UInt8] = [],
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws(ExchangeError) -> (encapsulatedKey: [UInt8], cipherText: [UInt8]) {
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
  /// - Throws: ``ExchangeError`` with code `hpke.encapsulated-key` if that key is not a point of P-256, and `hpke.open` if
  ///   the message does not authenticate.
  package static func open(
    _ cipherText: [UInt8], encapsulatedKey: [UInt8], with privateKey: P256.KeyAgreement.PrivateKey, info: [UInt8],
    aad: [UInt8] = []
  ) throws(ExchangeError) -> [UInt8] {
    try HPKEEncapsulation(opening: encapsulatedKey, with: privateKey).open(cipherText, info: info, aad: aad)
  }
}

extension HPKEEncapsulation {
  /// Decrypts the first message of the sender, as ``ResponseEncryption/open(_:encapsulatedKey:with:info:aad:)``. Of several
  /// attempts with different contexts, only the first needs a key agreement.
  /// - Throws: ``ExchangeError`` with code `hpke.open` if the message does not authenticate.
  package func open(_ cipherText: [UInt8], info: [UInt8], aad: [UInt8] = []) throws(ExchangeError) -> [UInt8] {
    let schedule = HPKEKeySchedule(sharedSecret: sharedSecret, info: info)
    do {
      let box = try AES.GCM.SealedBox(
        nonce: AES.GCM.Nonce(data: schedule.baseNonce), ciphertext: cipherText.dropLast(HPKESuite.tagByteCount),
        tag: cipherText.suffix(HPKESuite.tagByteCount))
      return Array(try AES.GCM.open(box, using: SymmetricKey(data: schedule.key), authenticating: aad))
    } catch {
      throw .open(cipherTextByteCount: cipherText.count)
    }
  }
}

extension ExchangeError {
  /// The error of an encapsulated key that is not an uncompressed point of P-256.
  static func encapsulatedKey(_ bytes: [UInt8]) -> ExchangeError {
    let evidence =
      if bytes.count != HPKESuite.publicKeyByteCount {
        "\(bytes.count) bytes"
      } else if bytes[0] != HPKESuite.uncompressedPoint {
        "a first byte of \(bytes[0])"
      } else {
        "a point that is not on the curve"
      }
    return ExchangeError(.encapsulatedKey, evidence: evidence)
  }

  /// The error of a tag that does not verify.
  static func open(cipherTextByteCount count: Int) -> ExchangeError {
    ExchangeError(
      .opening,
      evidence: count < HPKESuite.tagByteCount ? "\(count) bytes, too few for a tag" : "a tag that does not verify")
  }

  /// The error of a message that cannot be sealed.
  static func seal(_ evidence: String) -> ExchangeError { ExchangeError(.sealing, evidence: evidence) }
}
