import MobileDocument

/// A verified presentation that answers a credential query (OpenID4VP, 8.6).
public struct VerifiedPresentation: Sendable {
  /// The identifier of the credential query.
  public let id: String
  /// The documents: one, unless the policy accepts a device response with several.
  ///
  /// An SD-JWT credential is one too: its type is that of the credential after `dc+sd-jwt` and a space, and its elements in the
  /// name space `claims` are the claims that answer the query, with their paths as identifiers.
  public let documents: [VerifiedDocument]
}
