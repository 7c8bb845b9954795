/// A feature of the API that a permissions policy controls. The default allowlist of each is `'self'`.
public enum PolicyFeature: String, CaseIterable, Hashable, Sendable {
  /// Asking for a credential (Digital Credentials, "Permissions Policy integration").
  case get = "digital-credentials-get"
  /// Issuing a credential with `navigator.credentials.create()`.
  case create = "digital-credentials-create"
  /// Issuing a credential with `DigitalCredential.issue()` (w3c-fedid/digital-credentials, pull request 546).
  case issue = "digital-credentials-issue"
}

/// A method of the API that a page can call.
public enum CredentialOperation: String, CaseIterable, Hashable, Sendable {
  /// `navigator.credentials.get()` for a presentation.
  case get
  /// `navigator.credentials.create()` for an issuance.
  case create
  /// `DigitalCredential.issue()` for an issuance.
  case issue

  /// The feature that a permissions policy must grant to the caller.
  public var feature: PolicyFeature {
    switch self {
    case .get: .get
    case .create: .create
    case .issue: .issue
    }
  }

  /// The call as a script writes it.
  public var call: String {
    switch self {
    case .get: "navigator.credentials.get()"
    case .create: "navigator.credentials.create()"
    case .issue: "DigitalCredential.issue()"
    }
  }
}
