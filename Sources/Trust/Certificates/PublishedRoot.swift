import Checks
import Crypto
import Primitives
import X509

/// The checks of a root certificate that a party fetches from the authority that publishes it. The first one is also made
/// for a list of roots.
public enum RootCheck: CheckFamily {
  case address, fingerprint

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case missing
    case noAnswer = "no-answer"
    case tooLong = "too-long"
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .address:
      CheckDefinition(
        "root.address", "the address answers with a certificate or a list of a possible size", clause: "own rule",
        [
          .failure(Reason.missing, "nothing is published at the address"),
          .failure(Reason.noAnswer, "the address does not answer"),
          .failure(Reason.tooLong, "the answer is longer than a certificate or a list may be; it is not read"),
        ])
    case .fingerprint:
      CheckDefinition(
        "root.fingerprint", "the fetched root certificate has the fingerprint that the operator configured",
        "the fetched root certificate has another fingerprint than the operator configured",
        clause: "own rule")
    }
  }
}

/// The fingerprints of the roots that an operator has decided to trust: the SHA-256 of each certificate in DER, by the name
/// of its authority. The operator gets them from the authorities in another way than the certificates.
public struct RootFingerprints: Sendable, Equatable {
  private let digests: [String: [UInt8]]

  /// Creates a configuration.
  /// - Parameter digests: SHA-256 digests by the names of authorities.
  public init(_ digests: [String: [UInt8]]) { self.digests = digests }

  /// Creates the configuration of an operator who has seen these certificates.
  /// - Parameter roots: Certificates in DER by the names of authorities.
  public init(of roots: [String: [UInt8]]) { digests = roots.mapValues { Array(SHA256.hash(data: $0)) } }

  /// Verifies a fetched root, and reads it then. Nothing of a certificate with another fingerprint is read.
  /// - Parameter encoded: The certificate in DER.
  /// - Throws: `CheckFailure` of ``RootCheck``, also without a configured fingerprint; an error if the certificate is
  ///   unreadable.
  public func certificate(_ encoded: [UInt8], of authority: String) throws -> Certificate {
    let found = Array(SHA256.hash(data: encoded))
    guard let expected = digests[authority], found == expected else {
      throw CheckFailure<RootCheck>(
        .fingerprint,
        evidence: .field(
          "SHA-256", expected: digests[authority].map { hexadecimal($0) } ?? "none", found: hexadecimal(found)))
    }
    return try Certificate(derEncoded: encoded)
  }
}
