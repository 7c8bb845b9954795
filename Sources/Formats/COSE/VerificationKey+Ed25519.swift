import Crypto

extension VerificationKey {
  /// A key of Ed25519 that signatures prove something about.
  ///
  /// Of a point of small order anybody makes signatures, and one of them may fit every message; the library takes such
  /// points, and points whose coordinate is not reduced, as keys.
  /// - Throws: ``COSEError`` with code `cose.key` for those (RFC 8032, 5.1.3; RFC 7748, 7).
  package init(checking key: Curve25519.Signing.PublicKey) throws(COSEError) {
    // The highest bit is the sign of the other coordinate.
    var coordinate = [UInt8](key.rawRepresentation)
    coordinate[coordinate.count - 1] &= 0x7f
    guard coordinate.reversed().lexicographicallyPrecedes(Self.prime25519.reversed()) else {
      throw COSEError(.key, "the key's coordinate is not below the prime of Ed25519")
    }
    guard !Self.pointsOfSmallOrder.contains(coordinate) else {
      throw COSEError(.key, "the key is a point of small order, of which anybody makes signatures")
    }
    self = .ed25519(key)
  }

  // 2^255 - 19 and what follows are in little-endian order, as keys are.
  private static let prime25519: [UInt8] = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

  /// The second coordinates of the eight points whose order divides the cofactor: of order 4, 1, 2 and, twice, 8.
  private static let pointsOfSmallOrder: [[UInt8]] = [
    [UInt8](repeating: 0, count: 32),
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
      0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
  ]
}
