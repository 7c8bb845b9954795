import Crypto
import FoundationEssentials
import SimulationKernel
import TranscriptDiagnosis

/// Sealing in another HPKE suite than the one of web presentment.
extension HPKEOtherSuite {
  /// Seals one message to a recipient in base mode (RFC 9180, 6.1).
  /// - Returns: The encrypted message, then its tag.
  func seal(_ plaintext: [UInt8], sharedSecret: [UInt8], info: [UInt8]) throws -> [UInt8] {
    switch kdf {
    case .hkdfSHA256: try seal(plaintext, sharedSecret: sharedSecret, info: info, with: SHA256.self)
    case .hkdfSHA384: try seal(plaintext, sharedSecret: sharedSecret, info: info, with: SHA384.self)
    case .hkdfSHA512: try seal(plaintext, sharedSecret: sharedSecret, info: info, with: SHA512.self)
    }
  }

  private func seal<Hash: HashFunction>(
    _ plaintext: [UInt8], sharedSecret: [UInt8], info: [UInt8], with hash: Hash.Type
  ) throws -> [UInt8] {
    let schedule = Schedule<Hash>(suite: identifier, sharedSecret: sharedSecret, info: info)
    let key = SymmetricKey(data: schedule.expand("key", count: aead == .aes128GCM ? 16 : 32))
    let nonce = schedule.expand("base_nonce", count: 12)
    do {
      switch aead {
      case .aes128GCM, .aes256GCM:
        let box = try AES.GCM.seal(plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce))
        return Array(box.ciphertext) + box.tag
      case .chaCha20Poly1305:
        let box = try ChaChaPoly.seal(plaintext, using: key, nonce: ChaChaPoly.Nonce(data: nonce))
        return Array(box.ciphertext) + box.tag
      }
    } catch {
      throw SimulationError.notApplicable("\(name) cannot seal: \(error)")
    }
  }

  /// suite_id: "HPKE", then the identifiers of KEM, KDF and AEAD (RFC 9180, 5.1).
  private var identifier: [UInt8] { Array("HPKE".utf8) + [0, 0x10, 0, kdf.rawValue, 0, aead.rawValue] }

  /// The key schedule of base mode over any hash (RFC 9180, 5.1).
  private struct Schedule<Hash: HashFunction> {
    private let suite: [UInt8]
    private let context: [UInt8]
    private let secret: SymmetricKey

    init(suite: [UInt8], sharedSecret: [UInt8], info: [UInt8]) {
      func extract(salt: [UInt8], _ label: String, _ material: [UInt8]) -> [UInt8] {
        let labeled = Array("HPKE-v1".utf8) + suite + Array(label.utf8) + material
        return Array(HMAC<Hash>.authenticationCode(for: labeled, using: SymmetricKey(data: salt)))
      }
      self.suite = suite
      context = [0] + extract(salt: [], "psk_id_hash", []) + extract(salt: [], "info_hash", info)
      secret = SymmetricKey(data: extract(salt: sharedSecret, "secret", []))
    }

    /// LabeledExpand to at most one output of the hash.
    func expand(_ label: String, count: Int) -> [UInt8] {
      let labeled = [0, UInt8(count)] + Array("HPKE-v1".utf8) + suite + Array(label.utf8) + context + [1]
      return Array(HMAC<Hash>.authenticationCode(for: labeled, using: secret).prefix(count))
    }
  }
}
