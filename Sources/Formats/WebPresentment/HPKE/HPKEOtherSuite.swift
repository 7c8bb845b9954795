import Crypto
import FoundationEssentials

/// HPKE with another KDF or AEAD than web presentment has, over the same DHKEM(P-256, HKDF-SHA256): what a wallet does that
/// takes another suite. Opened with to name that mistake, and sealed with by whoever makes it on purpose.
struct HPKEOtherSuite: Sendable, Equatable {
  /// The KDF with its identifier (RFC 9180, 7.2).
  enum KDF: UInt8, Sendable, CaseIterable {
    case hkdfSHA256 = 1
    case hkdfSHA384 = 2
    case hkdfSHA512 = 3
  }

  /// The AEAD with its identifier (RFC 9180, 7.3).
  enum AEAD: UInt8, Sendable, CaseIterable {
    case aes128GCM = 1
    case aes256GCM = 2
    case chaCha20Poly1305 = 3
  }

  let kdf: KDF
  let aead: AEAD

  /// The suite in the library's terms.
  var ciphersuite: HPKE.Ciphersuite {
    let kdf: HPKE.KDF =
      switch kdf {
      case .hkdfSHA256: .HKDF_SHA256
      case .hkdfSHA384: .HKDF_SHA384
      case .hkdfSHA512: .HKDF_SHA512
      }
    let aead: HPKE.AEAD =
      switch aead {
      case .aes128GCM: .AES_GCM_128
      case .aes256GCM: .AES_GCM_256
      case .chaCha20Poly1305: .chaChaPoly
      }
    return HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: kdf, aead: aead)
  }

  /// The suite for a person to read.
  var name: String {
    let hash =
      switch kdf {
      case .hkdfSHA256: "HKDF-SHA256"
      case .hkdfSHA384: "HKDF-SHA384"
      case .hkdfSHA512: "HKDF-SHA512"
      }
    let cipher =
      switch aead {
      case .aes128GCM: "AES-128-GCM"
      case .aes256GCM: "AES-256-GCM"
      case .chaCha20Poly1305: "ChaCha20-Poly1305"
      }
    return "\(hash), \(cipher)"
  }

  /// Seals one message to a recipient in base mode (RFC 9180, 6.1).
  /// - Returns: the encrypted message, then its tag.
  func seal(
    _ plaintext: [UInt8], sharedSecret: [UInt8], info: [UInt8]
  ) throws(HPKEError) -> [UInt8] {
    switch kdf {
    case .hkdfSHA256: try seal(plaintext, sharedSecret: sharedSecret, info: info, with: SHA256.self)
    case .hkdfSHA384: try seal(plaintext, sharedSecret: sharedSecret, info: info, with: SHA384.self)
    case .hkdfSHA512: try seal(plaintext, sharedSecret: sharedSecret, info: info, with: SHA512.self)
    }
  }

  private func seal<Hash: HashFunction>(
    _ plaintext: [UInt8], sharedSecret: [UInt8], info: [UInt8], with hash: Hash.Type
  ) throws(HPKEError) -> [UInt8] {
    let schedule = Schedule<Hash>(suite: identifier, sharedSecret: sharedSecret, info: info)
    let key = SymmetricKey(data: schedule.expand("key", count: aead == .aes128GCM ? 16 : 32))
    let nonce = schedule.expand("base_nonce", count: HPKESuite.nonceByteCount)
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
      throw .seal("\(name): \(error)")
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
      context =
        [HPKESuite.baseMode] + extract(salt: [], "psk_id_hash", []) + extract(salt: [], "info_hash", info)
      secret = SymmetricKey(data: extract(salt: sharedSecret, "secret", []))
    }

    /// LabeledExpand to at most one output of the hash.
    func expand(_ label: String, count: Int) -> [UInt8] {
      let labeled = [0, UInt8(count)] + Array("HPKE-v1".utf8) + suite + Array(label.utf8) + context + [1]
      return Array(HMAC<Hash>.authenticationCode(for: labeled, using: secret).prefix(count))
    }
  }
}
