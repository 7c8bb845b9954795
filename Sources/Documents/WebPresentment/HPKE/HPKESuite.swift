import COSE
import Crypto
import FoundationEssentials
import Primitives

/// The HPKE suite of web presentment, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, with its labelled key
/// derivation (RFC 9180, section 4).
enum HPKESuite {
  /// Nsecret and Nh: the KEM's shared secret, and an output of HMAC-SHA256 (sections 7.1 and 7.2).
  static let secretByteCount = 32
  /// Npk and Nenc: an uncompressed point (section 7.1).
  static let publicKeyByteCount = 65
  /// Nk: an AES-128 key (section 7.3).
  static let keyByteCount = 16
  /// Nn: an AES-GCM nonce (section 7.3).
  static let nonceByteCount = 12
  /// Nt: an AES-GCM tag (section 7.3).
  static let tagByteCount = 16

  /// mode_base (section 5, table 1).
  static let baseMode: UInt8 = 0x00
  /// The first octet of an uncompressed point (section 7.1.1, SEC 1 section 2.3.3).
  static let uncompressedPoint: UInt8 = 0x04

  /// suite_id within the KEM: "KEM", then kem_id 0x0010 (section 4.1).
  static let kemIdentifier = Array("KEM".utf8) + [0x00, 0x10]
  /// suite_id of everything else: "HPKE", then kem_id 0x0010, kdf_id 0x0001 and aead_id 0x0001 (section 5.1).
  static let identifier = Array("HPKE".utf8) + [0x00, 0x10, 0x00, 0x01, 0x00, 0x01]

  private static let version = Array("HPKE-v1".utf8)

  /// LabeledExtract of section 4 over HKDF-Extract (RFC 5869, section 2.2).
  ///
  /// - Parameter salt: The key of HMAC, or no bytes.
  /// - Returns: The pseudorandom key, 32 bytes.
  static func labeledExtract(salt: [UInt8] = [], suite: [UInt8], label: String, inputKeyMaterial: [UInt8]) -> [UInt8] {
    var labeled: [UInt8] = []
    labeled.reserveCapacity(version.count + suite.count + label.utf8.count + inputKeyMaterial.count)
    labeled += version
    labeled += suite
    labeled += label.utf8
    labeled += inputKeyMaterial
    return SHA256.messageCode(of: labeled, key: salt)
  }

  /// LabeledExpand of section 4 over HKDF-Expand (RFC 5869, section 2.3).
  ///
  /// - Parameters:
  ///   - pseudoRandomKey: The key of HMAC.
  ///   - count: The number of bytes to return, 1 to 255 * 32.
  static func labeledExpand(
    _ pseudoRandomKey: [UInt8], suite: [UInt8], label: String, info: [UInt8], count: Int
  ) -> [UInt8] {
    var labeled: [UInt8] = []
    labeled.reserveCapacity(2 + version.count + suite.count + label.utf8.count + info.count + 1)
    labeled += [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    labeled += version
    labeled += suite
    labeled += label.utf8
    labeled += info
    labeled.append(1)

    var output = SHA256.messageCode(of: labeled, key: pseudoRandomKey)
    while output.count < count {
      labeled[labeled.endIndex - 1] += 1
      output += SHA256.messageCode(of: output.suffix(secretByteCount) + labeled, key: pseudoRandomKey)
    }
    output.removeLast(output.count - count)
    return output
  }
}

/// The key schedule of base mode (RFC 9180, section 5.1).
struct HPKEKeySchedule: KeepsSecrets {
  /// key_schedule_context: mode, psk_id_hash and info_hash, 65 bytes.
  let context: [UInt8]
  /// secret, 32 bytes.
  let secret: [UInt8]

  init(sharedSecret: [UInt8], info: [UInt8]) {
    let infoHash = HPKESuite.labeledExtract(suite: HPKESuite.identifier, label: "info_hash", inputKeyMaterial: info)
    context = Self.contextStart + infoHash
    secret = HPKESuite.labeledExtract(
      salt: sharedSecret, suite: HPKESuite.identifier, label: "secret", inputKeyMaterial: [])
  }

  /// key, 16 bytes.
  var key: [UInt8] { expand(label: "key", count: HPKESuite.keyByteCount) }

  /// base_nonce, 12 bytes.
  var baseNonce: [UInt8] { expand(label: "base_nonce", count: HPKESuite.nonceByteCount) }

  /// exporter_secret, 32 bytes.
  var exporterSecret: [UInt8] { expand(label: "exp", count: HPKESuite.secretByteCount) }

  private func expand(label: String, count: Int) -> [UInt8] {
    HPKESuite.labeledExpand(secret, suite: HPKESuite.identifier, label: label, info: context, count: count)
  }

  /// Mode and psk_id_hash: the same for every message, because base mode does not have a pre-shared key.
  private static let contextStart =
    [HPKESuite.baseMode]
    + HPKESuite.labeledExtract(suite: HPKESuite.identifier, label: "psk_id_hash", inputKeyMaterial: [])
}

/// The sender's HPKE context: seals a sequence of messages and exports secrets (RFC 9180, sections 5.2 and 5.3).
struct HPKESealingContext: KeepsSecrets {
  private let schedule: HPKEKeySchedule
  private let key: SymmetricKey
  private let baseNonce: [UInt8]
  private var sequenceNumber: UInt64 = 0

  init(_ schedule: HPKEKeySchedule) {
    self.schedule = schedule
    key = SymmetricKey(data: schedule.key)
    baseNonce = schedule.baseNonce
  }

  /// ComputeNonce (section 5.2): the nonce of the next message, 12 bytes.
  var nonce: [UInt8] {
    var nonce = baseNonce
    for place in 0..<8 {
      nonce[HPKESuite.nonceByteCount - 1 - place] ^= UInt8(truncatingIfNeeded: sequenceNumber >> UInt64(8 * place))
    }
    return nonce
  }

  /// Seal of section 5.2.
  ///
  /// - Returns: The encrypted message, then its tag of 16 bytes.
  mutating func seal(_ plaintext: [UInt8], aad: [UInt8]) throws(ExchangeError) -> [UInt8] {
    guard sequenceNumber < .max else { throw .seal("all 64-bit sequence numbers are used") }
    do {
      let box = try AES.GCM.seal(plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: aad)
      sequenceNumber += 1
      var sealed: [UInt8] = []
      sealed.reserveCapacity(plaintext.count + HPKESuite.tagByteCount)
      sealed += box.ciphertext
      sealed += box.tag
      return sealed
    } catch {
      throw .seal("AES-GCM: \(error)")
    }
  }

  /// Export of section 5.3.
  func export(context: [UInt8], count: Int) -> [UInt8] {
    HPKESuite.labeledExpand(
      schedule.exporterSecret, suite: HPKESuite.identifier, label: "sec", info: context, count: count)
  }
}

/// A shared secret that sender and recipient agree on: Encap and Decap of DHKEM (RFC 9180, section 4.1).
package struct HPKEEncapsulation: KeepsSecrets {
  /// enc: the ephemeral public key, 65 bytes.
  package let encapsulatedKey: [UInt8]
  /// shared_secret, 32 bytes.
  package let sharedSecret: [UInt8]

  /// Agrees on a secret with a recipient. The ephemeral key comes in as a value, where the standard's own Encap draws it.
  package init(to recipient: P256.KeyAgreement.PublicKey, ephemeralKey: P256.KeyAgreement.PrivateKey)
    throws(ExchangeError)
  {
    do {
      self.init(
        agreed: try ephemeralKey.sharedSecretFromKeyAgreement(with: recipient),
        encapsulatedKey: Array(ephemeralKey.publicKey.x963Representation), recipient: recipient)
    } catch {
      throw .seal("no key agreement with the recipient's key: \(error)")
    }
  }

  /// Agrees on the secret of a sender.
  /// - Throws: ``ExchangeError`` with code `hpke.encapsulated-key` for bytes that are not an uncompressed point of P-256.
  package init(opening encapsulatedKey: [UInt8], with privateKey: P256.KeyAgreement.PrivateKey) throws(ExchangeError) {
    do {
      let ephemeralKey = try P256.KeyAgreement.PublicKey(x963Representation: encapsulatedKey)
      self.init(
        agreed: try privateKey.sharedSecretFromKeyAgreement(with: ephemeralKey), encapsulatedKey: encapsulatedKey,
        recipient: privateKey.publicKey)
    } catch {
      throw .encapsulatedKey(encapsulatedKey)
    }
  }

  /// ExtractAndExpand of section 4.1.
  private init(agreed: SharedSecret, encapsulatedKey: [UInt8], recipient: P256.KeyAgreement.PublicKey) {
    self.encapsulatedKey = encapsulatedKey
    let pseudoRandomKey = HPKESuite.labeledExtract(
      suite: HPKESuite.kemIdentifier, label: "eae_prk", inputKeyMaterial: agreed.bytes)
    sharedSecret = HPKESuite.labeledExpand(
      pseudoRandomKey, suite: HPKESuite.kemIdentifier, label: "shared_secret",
      info: encapsulatedKey + recipient.x963Representation, count: HPKESuite.secretByteCount)
  }
}

extension SharedSecret {
  /// dh, the x coordinate of the agreed point, 32 bytes. The library hands it out through a pointer only.
  fileprivate var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
