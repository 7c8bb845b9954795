import Crypto

extension SHA256.Digest {
  /// The bytes of the digest, in one copy. As a sequence it is an array first, which is then copied byte by byte.
  var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
