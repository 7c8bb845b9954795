import Crypto
import SwiftASN1
import X509

/// The kind of a certificate's public key (ISO/IEC 18013-5, B.1.1).
public enum CertificateKey: Sendable, Equatable {
  /// NIST P-256.
  case p256
  /// NIST P-384.
  case p384
  /// NIST P-521.
  case p521
  /// Ed25519.
  case ed25519
  /// A curve that the standard allows and this library does not support: brainpool, Ed448.
  case unsupported(String)
  /// RSA, which the standard does not allow.
  case rsa
  /// An elliptic-curve key that is not encoded as the standard requires, with the reason.
  case misencoded(String)
  /// Anything else, by its object identifier.
  case unknown(String)

  /// The name of the kind of key.
  public var name: String {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    case .ed25519: "Ed25519"
    case .unsupported(let name): name
    case .rsa: "RSA"
    case .misencoded(let fault): fault
    case .unknown(let identifier): "algorithm \(identifier)"
    }
  }

  /// A Boolean value that indicates whether the key is an EdDSA key, which only leaf certificates may have.
  var isEdwards: Bool { self == .ed25519 || self == .unsupported(Self.ed448) }

  private static let ed448 = "Ed448"

  private static let ellipticCurve: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]
  private static let others: [ASN1ObjectIdentifier: CertificateKey] = [
    [1, 3, 101, 113]: .unsupported(ed448),
    [1, 3, 101, 112]: .misencoded("a key of Ed25519 that is not 32 bytes"),
    [1, 2, 840, 113549, 1, 1, 1]: .rsa,
    [1, 2, 840, 113549, 1, 1, 10]: .rsa,
  ]
  private static let curves: [ASN1ObjectIdentifier: CertificateKey] = [
    [1, 2, 840, 10045, 3, 1, 7]: .p256,
    [1, 3, 132, 0, 34]: .p384,
    [1, 3, 132, 0, 35]: .p521,
    [1, 3, 36, 3, 3, 2, 8, 1, 1, 7]: .unsupported("brainpoolP256r1"),
    [1, 3, 36, 3, 3, 2, 8, 1, 1, 9]: .unsupported("brainpoolP320r1"),
    [1, 3, 36, 3, 3, 2, 8, 1, 1, 11]: .unsupported("brainpoolP384r1"),
    [1, 3, 36, 3, 3, 2, 8, 1, 1, 13]: .unsupported("brainpoolP512r1"),
  ]

  /// Determines the kind of a key that the library reads.
  init(_ key: Certificate.PublicKey) {
    self =
      if P256.Signing.PublicKey(key) != nil {
        .p256
      } else if P384.Signing.PublicKey(key) != nil {
        .p384
      } else if P521.Signing.PublicKey(key) != nil {
        .p521
      } else if Curve25519.Signing.PublicKey(key) != nil {
        .ed25519
      } else {
        .rsa
      }
  }

  /// Determines the kind of a key that the library rejects, from its `SubjectPublicKeyInfo` (RFC 5280, 4.1.2.7;
  /// RFC 5480). A key of a supported kind that was rejected is misencoded.
  init(algorithm: ASN1ObjectIdentifier, parameters: ASN1Node?, bits: ArraySlice<UInt8>) {
    guard algorithm == Self.ellipticCurve else {
      self = Self.others[algorithm] ?? .unknown(algorithm.description)
      return
    }
    guard let parameters, let curve = try? ASN1ObjectIdentifier(derEncoded: parameters) else {
      self = .misencoded("a curve that is not named by its object identifier")
      return
    }
    switch Self.curves[curve] {
    case nil: self = .unknown("curve \(curve)")
    case .unsupported(let name)?: self = bits.first == 4 ? .unsupported(name) : .misencoded(Self.point(bits, of: name))
    case let known?:
      self = .misencoded(bits.first == 4 ? "not a point of \(known.name)" : Self.point(bits, of: known.name))
    }
  }

  /// Describes a point in another form than the uncompressed one (SEC 1, 2.3.3).
  private static func point(_ bits: ArraySlice<UInt8>, of curve: String) -> String {
    [2, 3].contains(bits.first) ? "a compressed point of \(curve)" : "a point of \(curve) that is not uncompressed"
  }
}

/// Names of the signature algorithms of certificates.
enum CertificateSignatureAlgorithms {
  /// The algorithms that the standard allows (ISO/IEC 18013-5, B.1.1). EdDSA keys are for leaves only, so they sign no
  /// certificates.
  static let ecdsa = ["ecdsa-with-SHA256", "ecdsa-with-SHA384", "ecdsa-with-SHA512"]
  /// The algorithms that the library supports. If it rejects a signature of these, the signature is malformed.
  static let supported = Set(ecdsa + ["Ed25519"])

  private static let names: [ASN1ObjectIdentifier: String] = [
    [1, 2, 840, 10045, 4, 3, 2]: "ecdsa-with-SHA256", [1, 2, 840, 10045, 4, 3, 3]: "ecdsa-with-SHA384",
    [1, 2, 840, 10045, 4, 3, 4]: "ecdsa-with-SHA512", [1, 3, 101, 112]: "Ed25519", [1, 3, 101, 113]: "Ed448",
  ]

  /// Returns the name of an algorithm, or its object identifier.
  static func name(of identifier: ASN1ObjectIdentifier) -> String { names[identifier] ?? identifier.description }
}

extension Certificate.SignatureAlgorithm {
  /// The name of the algorithm (RFC 5758), or its object identifier.
  var name: String {
    switch self {
    case .ecdsaWithSHA256: "ecdsa-with-SHA256"
    case .ecdsaWithSHA384: "ecdsa-with-SHA384"
    case .ecdsaWithSHA512: "ecdsa-with-SHA512"
    case .ed25519: "Ed25519"
    default: description.split(separator: ".", maxSplits: 1).last.map(String.init) ?? description
    }
  }

  /// The encoded `AlgorithmIdentifier` of a supported algorithm, or nil for others.
  private var encoded: [UInt8]? {
    switch self {
    case .ecdsaWithSHA256: Certificates.ecdsaWithSHA256
    case .ecdsaWithSHA384: [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03]
    case .ecdsaWithSHA512: [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04]
    case .ed25519: [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70]
    default: nil
    }
  }

  /// Returns whether a `TBSCertificate` names this algorithm. Checks only the elements before it: the certificate has
  /// been read already.
  func isNamed(inside signed: ArraySlice<UInt8>) -> Bool {
    guard let encoded else { return true }
    // Skip the header of the sequence, the tagged version and the serial number.
    var rest = signed.dropHead()
    if rest.first == 0xa0 { rest = rest.dropElement() }
    return rest.dropElement().starts(with: encoded)
  }
}
