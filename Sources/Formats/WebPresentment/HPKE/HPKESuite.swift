import Crypto

/// The one HPKE suite of web presentment, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, with its labelled key
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

  /// HMAC keyed with the empty salt, nothing added yet.
  static let unsalted = HMAC<SHA256>(key: SymmetricKey(data: [UInt8]()))

  /// LabeledExtract of section 4 over HKDF-Extract (RFC 5869, section 2.2).
  ///
  /// - Parameter extractor: HMAC keyed with the salt, nothing added yet.
  static func labeledExtract(
    _ extractor: HMAC<SHA256>, suite: [UInt8], label: String, inputKeyMaterial: [UInt8]
  ) -> HashedAuthenticationCode<SHA256> {
    var labeled: [UInt8] = []
    labeled.reserveCapacity(version.count + suite.count + label.utf8.count + inputKeyMaterial.count)
    labeled += version
    labeled += suite
    labeled += label.utf8
    labeled += inputKeyMaterial
    var extractor = extractor
    extractor.update(data: labeled)
    return extractor.finalize()
  }

  /// LabeledExpand of section 4 over HKDF-Expand (RFC 5869, section 2.3).
  ///
  /// - Parameters:
  ///   - expander: HMAC keyed with the pseudorandom key, nothing added yet.
  ///   - count: The number of bytes to give, 1 to 255 * 32.
  static func labeledExpand(
    _ expander: HMAC<SHA256>, suite: [UInt8], label: String, info: [UInt8], count: Int
  ) -> [UInt8] {
    var labeled: [UInt8] = []
    labeled.reserveCapacity(2 + version.count + suite.count + label.utf8.count + info.count + 1)
    labeled += [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    labeled += version
    labeled += suite
    labeled += label.utf8
    labeled += info
    labeled.append(1)

    var first = expander
    first.update(data: labeled)
    var output = Array(first.finalize())
    while output.count < count {
      labeled[labeled.endIndex - 1] += 1
      var next = expander
      next.update(data: output.suffix(secretByteCount))
      next.update(data: labeled)
      output += next.finalize()
    }
    output.removeLast(output.count - count)
    return output
  }
}
