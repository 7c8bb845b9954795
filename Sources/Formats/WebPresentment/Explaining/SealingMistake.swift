import Checks
import Crypto
import MobileDocument

/// A mistake in sealing a response that is not one in the transcript (ISO/IEC 18013-7, annex C), in the order in which they
/// are tried.
public enum SealingMistake: String, CheckCode {
  case keyCompressed = "hpke.encapsulated-key.compressed"
  case keyWithoutPrefix = "hpke.encapsulated-key.without-prefix"
  case keyOffCurve = "hpke.encapsulated-key.off-curve"
  case aes256GCM = "hpke.suite.aes-256-gcm"
  case chaCha20Poly1305 = "hpke.suite.chacha20-poly1305"
  case hkdfSHA384 = "hpke.suite.hkdf-sha384"
  case hkdfSHA512 = "hpke.suite.hkdf-sha512"
  case transcriptAsData = "hpke.associated-data"
  case anotherSession = "hpke.another-session"

  /// What was done wrong, for a person to read.
  public var sentence: String {
    switch self {
    case .keyCompressed: "the encapsulated key is a compressed point"
    case .keyWithoutPrefix: "the encapsulated key lacks the byte 04 in front of its coordinates"
    case .keyOffCurve: "the encapsulated key is a point that is not on the curve"
    case .aes256GCM: "AES-256-GCM instead of AES-128-GCM"
    case .chaCha20Poly1305: "ChaCha20-Poly1305 instead of AES-128-GCM"
    case .hkdfSHA384: "HKDF-SHA384 instead of HKDF-SHA256"
    case .hkdfSHA512: "HKDF-SHA512 instead of HKDF-SHA256"
    case .transcriptAsData: "the transcript is associated data instead of info, or besides"
    case .anotherSession: "it is sealed with the key of another session of the same website"
    }
  }

  /// The suites that somebody may have taken who made the mistake.
  var suites: [HPKEOtherSuite] {
    switch self {
    case .aes256GCM: [HPKEOtherSuite(kdf: .hkdfSHA256, aead: .aes256GCM)]
    case .chaCha20Poly1305: [HPKEOtherSuite(kdf: .hkdfSHA256, aead: .chaCha20Poly1305)]
    case .hkdfSHA384: HPKEOtherSuite.AEAD.allCases.map { HPKEOtherSuite(kdf: .hkdfSHA384, aead: $0) }
    case .hkdfSHA512: HPKEOtherSuite.AEAD.allCases.map { HPKEOtherSuite(kdf: .hkdfSHA512, aead: $0) }
    default: []
    }
  }

  /// Whether somebody can make the mistake with one session's request alone.
  public var needsNothingElse: Bool { self != .anotherSession }

  /// The mistake in a key that is no uncompressed point; nil when it is something else.
  init?(encapsulatedKey: [UInt8]) {
    switch (encapsulatedKey.count, encapsulatedKey.first) {
    case (33, 2?), (33, 3?): self = .keyCompressed
    case (64, _): self = .keyWithoutPrefix
    case (65, 4?): self = .keyOffCurve
    default: return nil
    }
  }
}

extension EncryptedResponse {
  /// Seals a device response with a mistake on purpose: what a wallet sends that makes it.
  ///
  /// - Parameter ephemeralKey: a fresh key; never used for anything else.
  /// - Throws: ``HPKEError``.
  package init(
    sealing deviceResponse: [UInt8], to recipient: P256.KeyAgreement.PublicKey, info: [UInt8],
    ephemeralKey: P256.KeyAgreement.PrivateKey, mistake: SealingMistake
  ) throws {
    var sealed = try ResponseEncryption.seal(deviceResponse, to: recipient, info: info, ephemeralKey: ephemeralKey)
    switch mistake {
    case .keyCompressed: sealed.encapsulatedKey = Array(ephemeralKey.publicKey.compressedRepresentation)
    case .keyWithoutPrefix: sealed.encapsulatedKey.removeFirst()
    case .keyOffCurve: sealed.encapsulatedKey[sealed.encapsulatedKey.count - 1] ^= 1
    case .aes256GCM, .chaCha20Poly1305, .hkdfSHA384, .hkdfSHA512:
      let encapsulation = try HPKEEncapsulation(to: recipient, ephemeralKey: ephemeralKey)
      if let suite = mistake.suites.first {
        sealed.cipherText = try suite.seal(deviceResponse, sharedSecret: encapsulation.sharedSecret, info: info)
      }
    case .transcriptAsData:
      sealed = try ResponseEncryption.seal(
        deviceResponse, to: recipient, info: [], aad: info, ephemeralKey: ephemeralKey)
    case .anotherSession: break
    }
    self.init(encapsulatedKey: sealed.encapsulatedKey, cipherText: sealed.cipherText)
  }
}
