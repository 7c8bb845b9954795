import Crypto

/// What both ends derive from the shared secret in base mode (RFC 9180, section 5.1).
struct HPKEKeySchedule {
  /// key_schedule_context: mode, psk_id_hash and info_hash, 65 bytes.
  let context: [UInt8]
  /// secret, 32 bytes.
  let secret: HashedAuthenticationCode<SHA256>

  private let expander: HMAC<SHA256>

  init(sharedSecret: [UInt8], info: [UInt8]) {
    let infoHash = HPKESuite.labeledExtract(
      HPKESuite.unsalted, suite: HPKESuite.identifier, label: "info_hash", inputKeyMaterial: info)
    context = Self.contextStart + infoHash
    secret = HPKESuite.labeledExtract(
      HMAC<SHA256>(key: SymmetricKey(data: sharedSecret)), suite: HPKESuite.identifier, label: "secret",
      inputKeyMaterial: [])
    expander = HMAC<SHA256>(key: SymmetricKey(data: secret))
  }

  /// key, 16 bytes.
  var key: [UInt8] { expand(label: "key", count: HPKESuite.keyByteCount) }

  /// base_nonce, 12 bytes.
  var baseNonce: [UInt8] { expand(label: "base_nonce", count: HPKESuite.nonceByteCount) }

  /// exporter_secret, 32 bytes.
  var exporterSecret: [UInt8] { expand(label: "exp", count: HPKESuite.secretByteCount) }

  private func expand(label: String, count: Int) -> [UInt8] {
    HPKESuite.labeledExpand(expander, suite: HPKESuite.identifier, label: label, info: context, count: count)
  }

  /// Mode and psk_id_hash: the same for every message, as base mode has no pre-shared key.
  private static let contextStart =
    [HPKESuite.baseMode]
    + HPKESuite.labeledExtract(
      HPKESuite.unsalted, suite: HPKESuite.identifier, label: "psk_id_hash", inputKeyMaterial: [])
}
