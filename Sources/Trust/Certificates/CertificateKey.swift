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
  /// A curve that the standard allows and that has no implementation here: brainpool, Ed448.
  case unsupported(String)
  /// RSA, which the standard does not allow.
  case rsa
  /// A key on an elliptic curve that is not written as the standard demands: what is wrong.
  case misencoded(String)
  /// Anything else, by its object identifier.
  case unknown(String)

  /// What the key is called.
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

  /// Whether the key is one of EdDSA, which only certificates that issue no others may have.
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

  /// The kind of a key that the library reads.
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

  /// The kind of a key by its `SubjectPublicKeyInfo` (RFC 5280, 4.1.2.7; RFC 5480). For keys that the library does not
  /// read: what should have been read and was not is misencoded.
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
    case .unsupported(let name)?:
      self = bits.first == 4 ? .unsupported(name) : .misencoded("a point that is not uncompressed")
    case let known?:
      self = .misencoded(
        bits.first == 4 ? "no point of \(known.name)" : "a point of \(known.name) that is not uncompressed")
    }
  }
}
