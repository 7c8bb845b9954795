/// A rule by which a browser rejects a call of `navigator.credentials.get()`.
///
/// The raw value is the stable identifier of the rule. The exception name that a script sees can differ between browsers
/// (`BrowserProfile.exceptionNames`).
public enum BrowserCode: String, CaseIterable, Hashable, Sendable {
  // The conversion of the options.
  case optionsTooLarge = "browser.options-too-large"
  case malformedOptions = "browser.malformed-options"
  case missingMember = "browser.missing-member"
  case wrongMemberType = "browser.wrong-member-type"

  // The document and its state.
  case insecureContext = "browser.insecure-context"
  case notFullyActive = "browser.not-fully-active"
  case aborted = "browser.aborted"
  case noCredentialType = "browser.no-credential-type"
  case mixedCredentialTypes = "browser.mixed-credential-types"
  case conditionalMediation = "browser.conditional-mediation"
  case requestInProgress = "browser.request-in-progress"
  case policy = "browser.policy"
  case opaqueOrigin = "browser.opaque-origin"
  case notFocused = "browser.not-focused"
  case noUserActivation = "browser.no-user-activation"

  // The requests.
  case noRequests = "browser.no-requests"
  case unknownProtocol = "browser.unknown-protocol"
  case protocolNotAllowed = "browser.protocol-not-allowed"
  case malformedData = "browser.malformed-data"
  case noValidRequests = "browser.no-valid-requests"

  // The platform.
  case userCancelled = "browser.user-cancelled"
  case documentGone = "browser.document-gone"
  case platformCancelled = "browser.platform-cancelled"
  case platformInvalidRequest = "browser.platform-invalid-request"
  case platformRequestInProgress = "browser.platform-request-in-progress"
  case platformNotEntitled = "browser.platform-not-entitled"
  case platformNothingCanAnswer = "browser.platform-nothing-can-answer"
  case platformNoAnswer = "browser.platform-no-answer"
  case platformUnknownError = "browser.platform-unknown-error"

  // The response.
  case responseTooLarge = "browser.response-too-large"
  case responseEmpty = "browser.response-empty"
  case responseNotJSON = "browser.response-not-json"
  case responseNotObject = "browser.response-not-object"
  case responseUnknownProtocol = "browser.response-unknown-protocol"

  /// The exception name in the standard's text. A profile may use another name.
  public var exceptionName: ExceptionName { declaration.name }

  /// A message that describes the failure.
  public var message: String { declaration.message }

  /// The clause of the standard, or the part of the program, that has the rule.
  public var clause: String { declaration.clause }

  /// The message with a detail.
  func message(adding detail: String) -> String {
    "\(message.hasSuffix(".") ? String(message.dropLast()) : message): \(detail)."
  }

  private typealias Declaration = (name: ExceptionName, message: String, clause: String)

  /// The declaration of each rule: exception name, message and clause.
  private var declaration: Declaration {
    switch self {
    case .optionsTooLarge:
      (
        .typeError, "The options are larger than \(CredentialLimits.optionsBytes) bytes.",
        "CredentialLimits.optionsBytes"
      )
    case .malformedOptions:
      (.typeError, "The options are not one JSON text.", Clause.dictionary)
    case .missingMember:
      (.typeError, "A required member of the options is missing.", Clause.dictionary)
    case .wrongMemberType:
      (.typeError, "A member of the options has the wrong type.", "Web IDL, Type mapping")

    case .insecureContext:
      // Outside a secure context navigator.credentials is undefined, and the call is a TypeError of the script.
      (
        .typeError, "navigator.credentials is undefined: the page is not a secure context.",
        "Credential Management, [SecureContext]"
      )
    case .notFullyActive:
      (.invalidStateError, "The document is not fully active.", Clause.request)
    case .aborted:
      (.abortError, "The signal was aborted without a reason of its own.", "\(Clause.request); \(Clause.abort)")
    case .noCredentialType:
      (.notSupportedError, "The options do not name a supported credential type.", Clause.request)
    case .mixedCredentialTypes:
      (
        .notSupportedError, "A digital credential cannot be requested together with another credential type.",
        Clause.request
      )
    case .conditionalMediation:
      (.typeError, "Digital credentials do not support conditional mediation.", Clause.request)
    case .requestInProgress:
      (
        .notAllowedError, "Another request for a digital credential is pending.",
        "\(Clause.prepare); Credential Management, active credential types"
      )
    case .policy:
      (
        .notAllowedError, "The permissions policy does not grant digital-credentials-get to this document.",
        Clause.request
      )
    case .opaqueOrigin:
      (.securityError, "A document with an opaque origin cannot request a digital credential.", Clause.prepare)
    case .notFocused:
      (
        .notAllowedError, "The document does not have the person's attention: its page must be visible and focused.",
        Clause.prepare
      )
    case .noUserActivation:
      (.notAllowedError, "The call needs a user activation, such as a tap, shortly before it.", Clause.prepare)

    case .noRequests:
      (.typeError, "The list of requests is empty.", Clause.filter)
    case .unknownProtocol:
      (.typeError, "No request names a known presentation protocol.", Clause.filter)
    case .protocolNotAllowed:
      (.typeError, "No request names a presentation protocol that this browser allows.", Clause.filter)
    case .malformedData:
      (.typeError, "The data of a request does not have the form that its protocol requires.", Clause.validate)
    case .noValidRequests:
      (.typeError, "No request remains after validation.", Clause.prepare)

    case .userCancelled:
      (.notAllowedError, "The person closed the chooser without choosing.", Clause.initiate)
    case .documentGone:
      (.abortError, "The document stopped being fully active while the request was pending.", Clause.abort)
    case .platformCancelled:
      (.notAllowedError, "The platform reports that the request was cancelled.", Clause.initiate)
    case .platformInvalidRequest:
      (.typeError, "The platform found the request invalid.", Clause.initiate)
    case .platformRequestInProgress:
      (.invalidStateError, "The platform is already serving a request.", Clause.initiate)
    case .platformNotEntitled:
      (.notAllowedError, "The platform does not entitle this browser to request documents.", Clause.initiate)
    case .platformNothingCanAnswer:
      (.notAllowedError, "Nothing on this platform can answer the request.", Clause.initiate)
    case .platformNoAnswer:
      (.operationError, "The platform ended the request without an answer.", Clause.initiate)
    case .platformUnknownError:
      (.operationError, "The platform failed for an unknown reason.", Clause.initiate)

    case .responseTooLarge:
      (
        .operationError, "The response is larger than \(CredentialLimits.responseBytes) bytes.",
        "CredentialLimits.responseBytes"
      )
    case .responseEmpty:
      (.syntaxError, "The response is empty.", Clause.initiate)
    case .responseNotJSON:
      (.syntaxError, "The response is not JSON.", Clause.initiate)
    case .responseNotObject:
      (.typeError, "The response is JSON but not an object.", Clause.initiate)
    case .responseUnknownProtocol:
      (.typeError, "The response names an unknown protocol.", Clause.initiate)
    }
  }
}

/// The algorithms of the standards that have several rules.
private enum Clause {
  static let dictionary = "Web IDL, conversion to a dictionary type"
  static let request = "Credential Management, Request a Credential"
  static let prepare = "Digital Credentials, Prepare credential requests"
  static let filter = "Digital Credentials, Filter credential requests"
  static let validate = "Digital Credentials, Validate credential requests"
  static let initiate = "Digital Credentials, Initiate the credential request"
  static let abort = "Digital Credentials, Abort the credential request"
}
