import Crypto
import FoundationEssentials
import MobileDocument

/// A variant of sealing a response, apart from the transcript (ISO/IEC 18013-7, annex C), in the order in which they
/// are tried.
public enum HPKEVariant: String, KnownMistake {
  case keyCompressed = "hpke.encapsulated-key.compressed"
  case keyWithoutPrefix = "hpke.encapsulated-key.without-prefix"
  case keyOffCurve = "hpke.encapsulated-key.off-curve"
  case aes256GCM = "hpke.suite.aes-256-gcm"
  case chaCha20Poly1305 = "hpke.suite.chacha20-poly1305"
  case hkdfSHA384 = "hpke.suite.hkdf-sha384"
  case hkdfSHA512 = "hpke.suite.hkdf-sha512"
  case transcriptAsData = "hpke.associated-data"
  case anotherSession = "hpke.another-session"

  /// A human-readable description of the variant.
  public var message: String {
    switch self {
    case .keyCompressed: "the encapsulated key is a compressed point"
    case .keyWithoutPrefix: "the encapsulated key lacks the byte 04 before its coordinates"
    case .keyOffCurve: "the encapsulated key is a point that is not on the curve"
    case .aes256GCM: "AES-256-GCM instead of AES-128-GCM"
    case .chaCha20Poly1305: "ChaCha20-Poly1305 instead of AES-128-GCM"
    case .hkdfSHA384: "HKDF-SHA384 instead of HKDF-SHA256"
    case .hkdfSHA512: "HKDF-SHA512 instead of HKDF-SHA256"
    case .transcriptAsData: "the transcript is associated data instead of info, or besides"
    case .anotherSession: "it is sealed with the key of another session of the same website"
    }
  }

  /// The suites that a wallet with this variant may have used.
  package var suites: [HPKEOtherSuite] {
    switch self {
    case .aes256GCM: [HPKEOtherSuite(kdf: .hkdfSHA256, aead: .aes256GCM)]
    case .chaCha20Poly1305: [HPKEOtherSuite(kdf: .hkdfSHA256, aead: .chaCha20Poly1305)]
    case .hkdfSHA384: HPKEOtherSuite.AEAD.allCases.map { HPKEOtherSuite(kdf: .hkdfSHA384, aead: $0) }
    case .hkdfSHA512: HPKEOtherSuite.AEAD.allCases.map { HPKEOtherSuite(kdf: .hkdfSHA512, aead: $0) }
    default: []
    }
  }

  /// The request of one session suffices for the variant.
  public var needsNothingElse: Bool { self != .anotherSession }

  /// The variant of a key that is not an uncompressed point; nil for other bytes.
  package init?(encapsulatedKey: [UInt8]) {
    switch (encapsulatedKey.count, encapsulatedKey.first) {
    case (33, 2?), (33, 3?): self = .keyCompressed
    case (64, _): self = .keyWithoutPrefix
    case (65, 4?): self = .keyOffCurve
    default: return nil
    }
  }
}

/// HPKE with another KDF or AEAD than web presentment has, over the same DHKEM(P-256, HKDF-SHA256). The diagnosis opens
/// responses with it to find out which suite a wallet has taken.
package struct HPKEOtherSuite: Sendable, Equatable {
  /// The KDF with its identifier (RFC 9180, 7.2).
  package enum KDF: UInt8, Sendable, CaseIterable {
    case hkdfSHA256 = 1
    case hkdfSHA384 = 2
    case hkdfSHA512 = 3

    /// The name and the KDF of the library.
    fileprivate var known: (name: String, kdf: HPKE.KDF) {
      switch self {
      case .hkdfSHA256: ("HKDF-SHA256", .HKDF_SHA256)
      case .hkdfSHA384: ("HKDF-SHA384", .HKDF_SHA384)
      case .hkdfSHA512: ("HKDF-SHA512", .HKDF_SHA512)
      }
    }
  }

  /// The AEAD with its identifier (RFC 9180, 7.3).
  package enum AEAD: UInt8, Sendable, CaseIterable {
    case aes128GCM = 1
    case aes256GCM = 2
    case chaCha20Poly1305 = 3

    /// The name and the AEAD of the library.
    fileprivate var known: (name: String, aead: HPKE.AEAD) {
      switch self {
      case .aes128GCM: ("AES-128-GCM", .AES_GCM_128)
      case .aes256GCM: ("AES-256-GCM", .AES_GCM_256)
      case .chaCha20Poly1305: ("ChaCha20-Poly1305", .chaChaPoly)
      }
    }
  }

  package let kdf: KDF
  package let aead: AEAD

  /// The suite in the library's terms.
  package var ciphersuite: HPKE.Ciphersuite {
    HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: kdf.known.kdf, aead: aead.known.aead)
  }

  /// A human-readable name of the suite.
  package var name: String { "\(kdf.known.name), \(aead.known.name)" }
}
