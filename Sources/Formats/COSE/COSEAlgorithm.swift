/// The algorithm identifiers of the IANA registry "COSE Algorithms" that ISO/IEC 18013-5 uses.
public enum COSEAlgorithm: Int, Sendable {
  /// ECDSA with SHA-256.
  case es256 = -7
  /// ECDSA with SHA-384.
  case es384 = -35
  /// ECDSA with SHA-512.
  case es512 = -36
  /// EdDSA.
  case edDSA = -8
  /// HMAC with SHA-256, tag of 256 bits.
  case hmac256 = 5
}

/// The labels of the supported COSE headers (RFC 9052, 3.1 and RFC 9360, 2).
package enum COSEHeaderLabel {
  package static let algorithm = 1
  static let critical = 2
  package static let x5chain = 33
  package static let x5t = 34
}

extension COSEAlgorithm {
  /// ESP256: ES256 on P-256 (RFC 9864, 2.1).
  package static let fullySpecifiedES256 = -9
  /// ES256K, on a curve that ISO/IEC 18013-5 does not use (RFC 8812, 3.2).
  package static let identifierOfES256K = -47

  /// Creates the algorithm of an identifier that also names its curve (RFC 9864); nil for every other identifier.
  init?(fullySpecified identifier: Int) {
    switch identifier {
    case Self.fullySpecifiedES256: self = .es256
    case -51: self = .es384
    case -52: self = .es512
    case -19: self = .edDSA
    default: return nil
    }
  }
}
