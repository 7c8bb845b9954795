import Crypto

extension Digest {
  /// The bytes of the digest. The library's own sequence of them is an array first, and then copied byte by byte.
  package var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
