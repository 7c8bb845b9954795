import Checks

/// The checks of a reader authority before it issues a reader certificate, in the order in which they are made. It stops
/// at the first that fails.
public enum ReaderAuthorityCheck: CheckFamily {
  case request, domain, brand

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case malformed, signature
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .request:
      CheckDefinition(
        "reader-authority.request", "the certificate request names one domain and is signed with the key that it names",
        clause: "RFC 2986",
        [
          .failure(Reason.malformed, "the certificate request cannot be read, or does not name exactly one domain"),
          .failure(Reason.signature, "the certificate request is not signed with the key that it names"),
        ])
    case .domain:
      CheckDefinition(
        "reader-authority.domain", "the requester has proven that it owns the domain in the certificate request",
        "the requester has not proven that it owns the domain in the certificate request", clause: "own rule")
    case .brand:
      CheckDefinition(
        "reader-authority.brand", "a brand is approved for the organization in the certificate request",
        "no brand is approved for the organization in the certificate request", clause: "own rule")
    }
  }
}
