import Crypto

/// The candidates for a message's secret k (RFC 6979, section 3.2), for P-256 with SHA-256. The first is nearly always
/// valid; the others are for the case that it is not a scalar from 1 to n - 1.
struct DeterministicNonces {
  /// K and V of the section.
  private var key = [UInt8](repeating: 0x00, count: SHA256.byteCount)
  private var value = [UInt8](repeating: 0x01, count: SHA256.byteCount)
  private var isFirst = true

  /// Steps b to g.
  ///
  /// - Parameters:
  ///   - privateKey: int2octets(x), 32 octets.
  ///   - digest: bits2octets(h1), 32 octets: the message's digest modulo n.
  init(privateKey: [UInt8], reducedDigest digest: [UInt8]) {
    update(with: [0x00] + privateKey + digest)
    update(with: [0x01] + privateKey + digest)
  }

  /// Returns the next candidate of step h, 32 octets.
  mutating func next() -> [UInt8] {
    if !isFirst { update(with: [0x00]) }
    isFirst = false
    value = code(of: value)
    return value
  }

  private mutating func update(with data: [UInt8]) {
    key = code(of: value + data)
    value = code(of: value)
  }

  /// The HMAC with SHA-256 (RFC 2104) of a message under the key. swift-crypto's `HMAC` prepares its key for messages in
  /// several parts, and takes four times as long for one as short as these.
  private func code(of message: [UInt8]) -> [UInt8] {
    var inner = SHA256()
    inner.update(data: paddedKey(0x36))
    inner.update(data: message)
    var outer = SHA256()
    outer.update(data: paddedKey(0x5c))
    outer.update(data: inner.finalize().bytes)
    return outer.finalize().bytes
  }

  /// The key, continued with zeros to a block of SHA-256, each octet XORed with `pad`.
  private func paddedKey(_ pad: UInt8) -> [UInt8] {
    var block = [UInt8](repeating: pad, count: SHA256.blockByteCount)
    for place in key.indices { block[place] ^= key[place] }
    return block
  }
}
