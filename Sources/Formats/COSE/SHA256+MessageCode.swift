import Crypto

/// A key of HMAC with SHA-256 (RFC 2104), for several messages: its padded forms are hashed once.
package struct MessageCodeKey: Sendable {
  private let inner: SHA256
  private let outer: SHA256

  /// Creates a key from bytes of any length.
  package init(_ key: [UInt8]) {
    let key = key.count > SHA256.blockByteCount ? SHA256.hash(data: key).bytes : key
    inner = Self.hash(of: key, paddedWith: 0x36)
    outer = Self.hash(of: key, paddedWith: 0x5c)
  }

  /// Returns the state after a key, continued with zeros to a block, each byte XORed with `pad`.
  private static func hash(of key: [UInt8], paddedWith pad: UInt8) -> SHA256 {
    var block: [UInt8] = []
    block.reserveCapacity(SHA256.blockByteCount)
    for byte in key { block.append(byte ^ pad) }
    while block.count < SHA256.blockByteCount { block.append(pad) }
    var hash = SHA256()
    hash.update(data: block)
    return hash
  }

  /// Returns the code of a message, 32 bytes.
  package func code(of message: [UInt8]) -> [UInt8] {
    var inner = inner
    inner.update(data: message)
    var outer = outer
    outer.update(data: inner.finalize().bytes)
    return outer.finalize().bytes
  }
}

extension SHA256 {
  /// Returns the HMAC with SHA-256 (RFC 2104) of a message, 32 bytes. swift-crypto's `HMAC` prepares its key for messages
  /// in several parts, and takes four times as long for a short message.
  package static func messageCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    MessageCodeKey(key).code(of: message)
  }
}

extension Digest {
  /// The bytes of the digest. The library's own sequence of them is an array first, and then copied byte by byte.
  package var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
