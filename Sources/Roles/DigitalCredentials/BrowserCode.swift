/// The rule by which a browser rejected a call of `navigator.credentials.get()`.
///
/// This is the one registry of these codes. A code is stable; the name that a script sees beside it may differ from
/// browser to browser (`BrowserProfile.exceptionNames`).
public enum BrowserCode: String, CaseIterable, Hashable, Sendable {
  /// The options exceed `CredentialLimits.optionsBytes`.
  case optionsTooLarge = "browser.options-too-large"
  /// The options are not one JSON text.
  case malformedOptions = "browser.malformed-options"
  /// A required dictionary member is missing (Web IDL, conversion to a dictionary type).
  case missingMember = "browser.missing-member"
  /// A member has a type that does not convert (Web IDL, clause "Type mapping").
  case wrongMemberType = "browser.wrong-member-type"

  /// The page is no secure context, where the interface does not exist (`[SecureContext]`).
  case insecureContext = "browser.insecure-context"
  /// The document is not fully active (Credential Management, "Request a `Credential`").
  case notFullyActive = "browser.not-fully-active"
  /// The signal was aborted, before the call or while it was pending.
  case aborted = "browser.aborted"
  /// No member of the options names a credential type (Credential Management, "Request a `Credential`").
  case noCredentialType = "browser.no-credential-type"
  /// Two credential types that may not stand in one call (Credential Management, "Request a `Credential`").
  case mixedCredentialTypes = "browser.mixed-credential-types"
  /// Conditional mediation, which this credential type does not support (Credential Management, the same algorithm).
  case conditionalMediation = "browser.conditional-mediation"
  /// A call is already pending (Digital Credentials, "Prepare credential requests"; Credential Management, "active
  /// credential types").
  case requestInProgress = "browser.request-in-progress"
  /// The document may not use `digital-credentials-get` (Credential Management, "Request a `Credential`").
  case policy = "browser.policy"
  /// The origin is opaque (Digital Credentials, "Prepare credential requests").
  case opaqueOrigin = "browser.opaque-origin"
  /// The document has not the person's attention (Digital Credentials, "Prepare credential requests").
  case notFocused = "browser.not-focused"
  /// The window has no transient activation (Digital Credentials, "Prepare credential requests").
  case noUserActivation = "browser.no-user-activation"

  /// The list of requests is empty.
  case noRequests = "browser.no-requests"
  /// No request names a presentation protocol of the standard (Digital Credentials, "Filter credential requests").
  case unknownProtocol = "browser.unknown-protocol"
  /// The protocols that are left are known, but this browser does not allow them (the same algorithm).
  case protocolNotAllowed = "browser.protocol-not-allowed"
  /// The data of a request has not the shape of its protocol (Digital Credentials, "Validate credential requests").
  case malformedData = "browser.malformed-data"
  /// Every request was dropped by validation (Digital Credentials, "Prepare credential requests").
  case noValidRequests = "browser.no-valid-requests"

  /// The person closed the chooser (Digital Credentials, "Initiate the credential request").
  case userCancelled = "browser.user-cancelled"
  /// The document stopped being fully active while the call was pending.
  case documentGone = "browser.document-gone"
  /// The platform reports a cancellation as an error of its own.
  case platformCancelled = "browser.platform-cancelled"
  /// The platform found the request malformed.
  case platformInvalidRequest = "browser.platform-invalid-request"
  /// The platform is serving another request.
  case platformRequestInProgress = "browser.platform-request-in-progress"
  /// The platform does not let this browser ask.
  case platformNotEntitled = "browser.platform-not-entitled"
  /// The platform knows no credential that can answer.
  case platformNothingCanAnswer = "browser.platform-nothing-can-answer"
  /// The platform's user interface ended without an answer and without an error.
  case platformNoAnswer = "browser.platform-no-answer"
  /// Any other failure of the platform.
  case platformUnknownError = "browser.platform-unknown-error"

  /// The response exceeds `CredentialLimits.responseBytes`.
  case responseTooLarge = "browser.response-too-large"
  /// The response has no bytes.
  case responseEmpty = "browser.response-empty"
  /// The response is no JSON (Digital Credentials, "Initiate the credential request").
  case responseNotJSON = "browser.response-not-json"
  /// The response is JSON but no object (the same algorithm).
  case responseNotObject = "browser.response-not-object"
  /// The response's protocol is no presentation protocol of the standard.
  case responseUnknownProtocol = "browser.response-unknown-protocol"
}
