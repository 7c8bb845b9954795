/// What the browser hands to the platform (Digital Credentials, "request context").
public struct CredentialRequestContext: Hashable, Sendable {
  /// The requests that passed every check, in the page's order.
  public let requests: [DigitalCredentialGetRequest]

  /// The one origin that the platform learns. The standard's is the top-level origin; see
  /// `BrowserProfile.presentedOrigin`. It is never opaque.
  public let origin: Origin
}
