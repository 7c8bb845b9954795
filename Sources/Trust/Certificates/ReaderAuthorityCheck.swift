import Checks

/// The checks of a reader authority before it issues a reader certificate, in the order in which they are made. It stops
/// at the first that fails.
public enum ReaderAuthorityCheck: CheckFamily {
  case account, register, request, domain, brand

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case malformed, signature, missing, terms, number, differs, unproven, review, changes, refused, organization
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .account:
      CheckDefinition(
        "reader-authority.account", "the requester has an account and has accepted the authority's terms",
        clause: "own rule",
        [
          .failure(Reason.missing, "the requester has no account with the authority"),
          .failure(Reason.terms, "the requester has not accepted the authority's terms"),
        ])
    case .register:
      CheckDefinition(
        "reader-authority.register",
        "the regulator's register lists the requester's number for its domain, or the authority asks for no number",
        clause: "own rule",
        [
          .failure(Reason.number, "the regulator's register does not list the requester's number"),
          .failure(Reason.differs, "the regulator's register lists the requester's number for another domain"),
        ])
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
        clause: "own rule",
        [
          .failure(Reason.unproven, "the domain does not serve the authority's token"),
          .failure(Reason.differs, "the certificate request is for another domain than the proven one"),
        ])
    case .brand:
      CheckDefinition(
        "reader-authority.brand",
        "a brand is approved for the organization in the certificate request, or the authority certifies none",
        clause: "own rule",
        [
          .failure(Reason.review, "the review of the brand has not ended"),
          .failure(Reason.changes, "the review of the brand asks for changes"),
          .failure(Reason.refused, "the review has refused the brand"),
          .failure(Reason.organization, "the certificate request is for another organization than the account"),
        ])
    }
  }
}
