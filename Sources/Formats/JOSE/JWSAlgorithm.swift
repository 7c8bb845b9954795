import COSE

/// The signature algorithms that are verified (RFC 7518, 3.1; RFC 8037, 3.1; RFC 9864, 2.2). `none`, message
/// authentication codes and RSA are not among them, so an object with one of these has no value.
public enum JWSAlgorithm: String, Sendable, CaseIterable {
  /// ECDSA on P-256 with SHA-256.
  case es256 = "ES256"
  /// ECDSA on P-384 with SHA-384.
  case es384 = "ES384"
  /// ECDSA on P-521 with SHA-512.
  case es512 = "ES512"
  /// EdDSA on Ed25519.
  case edDSA = "EdDSA"

  /// Finds an algorithm by the value of `alg`, which is compared exactly; nil for every other value.
  public init?(name: String) {
    // Swift compares texts by canonical equivalence, and these names are ASCII, which nothing else is equivalent to.
    guard let algorithm = name == "Ed25519" ? .edDSA : Self(rawValue: name) else { return nil }
    self = algorithm
  }
}

extension VerificationKey {
  /// The one algorithm that the key is used with.
  public var jwsAlgorithm: JWSAlgorithm {
    switch self {
    case .p256: .es256
    case .p384: .es384
    case .p521: .es512
    case .ed25519: .edDSA
    }
  }
}
