import Crypto

extension SHA256 {
  /// Returns the HMAC with SHA-256 (RFC 2104) of a message, 32 bytes. swift-crypto's `HMAC` prepares its key for messages
  /// in several parts, and takes four times as long for a short message.
  package static func messageCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    let key = key.count > blockByteCount ? hash(data: key).bytes : key
    var inner = SHA256()
    inner.update(data: padded(key, with: 0x36))
    inner.update(data: message)
    var outer = SHA256()
    outer.update(data: padded(key, with: 0x5c))
    outer.update(data: inner.finalize().bytes)
    return outer.finalize().bytes
  }

  /// Returns a key, continued with zeros to a block, each byte XORed with `pad`.
  private static func padded(_ key: [UInt8], with pad: UInt8) -> [UInt8] {
    var block = [UInt8](repeating: pad, count: blockByteCount)
    for place in key.indices { block[place] ^= key[place] }
    return block
  }
}
