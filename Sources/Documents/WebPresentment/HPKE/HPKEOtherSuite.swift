import Crypto
import FoundationEssentials

/// HPKE with another KDF or AEAD than web presentment has, over the same DHKEM(P-256, HKDF-SHA256). The diagnosis opens
/// responses with it to find out which suite a wallet has taken.
package struct HPKEOtherSuite: Sendable, Equatable {
  /// The KDF with its identifier (RFC 9180, 7.2).
  package enum KDF: UInt8, Sendable, CaseIterable {
    case hkdfSHA256 = 1
    case hkdfSHA384 = 2
    case hkdfSHA512 = 3
  }

  /// The AEAD with its identifier (RFC 9180, 7.3).
  package enum AEAD: UInt8, Sendable, CaseIterable {
    case aes128GCM = 1
    case aes256GCM = 2
    case chaCha20Poly1305 = 3
  }

  package let kdf: KDF
  package let aead: AEAD

  /// The suite in the library's terms.
  package var ciphersuite: HPKE.Ciphersuite {
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

  /// A human-readable name of the suite.
  package var name: String {
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
}
