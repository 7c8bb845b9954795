import Checks

/// The checks of a call, in the order of the standard's text; a browser has its own order (`BrowserProfile.checks`). The first that fails rejects the call.
///
/// The message of a failure is the one that a script sees. The exception name can differ between browsers
/// (`BrowserProfile.exceptionNames`).
public enum BrowserCheck: CheckFamily {
  case secureContext, options, fullyActive, signal, credentialType, mediation, singleCall, policy, origin, attention
  case userActivation, requests, `protocol`, requestData, choice, platform, response

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case tooLarge = "too-large"
    case malformed
    case missingMember = "missing-member"
    case wrongType = "wrong-type"
    case inactive, gone, stopped
    case missing, mixed
    case noMethod = "no-method"
    case empty
    case noneValid = "none-valid"
    case notSerializable = "not-serializable"
    case unknown
    case notAllowed = "not-allowed"
    case cancelled
    case invalidRequest = "invalid-request"
    case requestInProgress = "request-in-progress"
    case notEntitled = "not-entitled"
    case nothingCanAnswer = "nothing-can-answer"
    case noAnswer = "no-answer"
    case unknownError = "unknown-error"
    case notJSON = "not-json"
    case notObject = "not-object"
    case unknownProtocol = "unknown-protocol"
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .secureContext:
      // Outside a secure context navigator.credentials is undefined, and the call is a TypeError of the script.
      CheckDefinition(
        "browser.secure-context", "the page is a secure context",
        "navigator.credentials is undefined: the page is not a secure context.",
        clause: "Credential Management, [SecureContext]")
    case .options:
      CheckDefinition(
        "browser.options", "the options have the required form", clause: "Web IDL, conversion to a dictionary type",
        [
          .failure(Reason.tooLarge, "The options are larger than \(CredentialLimits.optionsBytes) bytes."),
          .failure(Reason.malformed, "The options are not one JSON text."),
          .failure(Reason.missingMember, "A required member of the options is missing."),
          .failure(Reason.wrongType, "A member of the options has the wrong type."),
        ])
    case .fullyActive:
      CheckDefinition(
        "browser.fully-active", "the document is fully active until the call ends", clause: Clause.request,
        [
          .failure(Reason.inactive, "The document is not fully active."),
          .failure(Reason.gone, "The document stopped being fully active while the request was pending."),
          .failure(Reason.stopped, "The page stopped loading while the request was pending."),
        ])
    case .signal:
      CheckDefinition(
        "browser.signal", "the signal was not aborted", "The signal was aborted without a reason of its own.",
        clause: Clause.request)
    case .credentialType:
      CheckDefinition(
        "browser.credential-type", "the options name digital credentials and no other type", clause: Clause.request,
        [
          .failure(Reason.missing, "The options do not name a supported credential type."),
          .failure(Reason.mixed, "A digital credential cannot be requested together with another credential type."),
          .failure(Reason.noMethod, "This browser does not have the method that the page calls."),
        ])
    case .mediation:
      CheckDefinition(
        "browser.mediation", "the call does not use conditional mediation",
        "Digital credentials do not support conditional mediation.", clause: Clause.request)
    case .singleCall:
      CheckDefinition(
        "browser.single-call", "no other request for a digital credential is pending",
        "Another request for a digital credential is pending.", clause: Clause.prepare)
    case .policy:
      CheckDefinition(
        "browser.policy", "the permissions policy grants digital-credentials-get to the document",
        "The permissions policy does not grant digital-credentials-get to this document.", clause: Clause.request)
    case .origin:
      CheckDefinition(
        "browser.origin", "the document has a tuple origin",
        "A document with an opaque origin cannot request a digital credential.", clause: Clause.prepare)
    case .attention:
      CheckDefinition(
        "browser.attention", "the document has the person's attention",
        "The document does not have the person's attention: its page must be visible and focused.",
        clause: Clause.prepare)
    case .userActivation:
      CheckDefinition(
        "browser.user-activation", "a user activation came shortly before the call",
        "The call needs a user activation, such as a tap, shortly before it.", clause: Clause.prepare)
    case .requests:
      CheckDefinition(
        "browser.requests", "the call has a valid request", clause: Clause.filter,
        [
          .failure(Reason.empty, "The list of requests is empty."),
          .failure(Reason.noneValid, "No request remains after validation."),
        ])
    case .protocol:
      CheckDefinition(
        "browser.protocol", "a request names a presentation protocol that the browser allows", clause: Clause.filter,
        [
          .failure(Reason.unknown, "No request names a known presentation protocol."),
          .failure(Reason.notAllowed, "No request names a presentation protocol that this browser allows."),
        ])
    case .requestData:
      CheckDefinition(
        "browser.request-data", "the data of every request has the form that its protocol requires",
        clause: "Digital Credentials, Validate credential requests",
        [
          .failure("The data of a request does not have the form that its protocol requires."),
          .failure(Reason.notSerializable, "The data of a request cannot be serialized as JSON."),
        ])
    case .choice:
      CheckDefinition(
        "browser.choice", "the person chose a credential", "The person did not share a credential.",
        clause: Clause.initiate)
    case .platform:
      CheckDefinition(
        "browser.platform", "the platform answered the request", clause: Clause.initiate,
        [
          .failure(Reason.cancelled, "The platform reports that the request was cancelled."),
          .failure(Reason.invalidRequest, "The platform found the request invalid."),
          .failure(Reason.requestInProgress, "The platform is already serving a request."),
          .failure(Reason.notEntitled, "The platform does not entitle this browser to request documents."),
          .failure(Reason.nothingCanAnswer, "Nothing on this platform can answer the request."),
          .failure(Reason.noAnswer, "The platform ended the request without an answer."),
          .failure(Reason.unknownError, "The platform failed for an unknown reason."),
        ])
    case .response:
      CheckDefinition(
        "browser.response", "the platform's response is a JSON object in a known protocol", clause: Clause.initiate,
        [
          .failure(Reason.tooLarge, "The response is larger than \(CredentialLimits.responseBytes) bytes."),
          .failure(Reason.empty, "The response is empty."),
          .failure(Reason.notJSON, "The response is not JSON."),
          .failure(Reason.notObject, "The response is JSON but not an object."),
          .failure(Reason.unknownProtocol, "The response names an unknown protocol."),
        ])
    }
  }
}

/// A check that rejects a call, with its reason.
public typealias BrowserFinding = CheckFinding<BrowserCheck>

extension CheckFinding<BrowserCheck> {
  /// The exception name in the standard's text. A profile may use another name.
  public var exceptionName: ExceptionName {
    switch check {
    case .secureContext, .options, .mediation, .requests, .protocol, .requestData: .typeError
    case .fullyActive: reason == .inactive ? .invalidStateError : .abortError
    case .signal: .abortError
    case .credentialType: reason == .noMethod ? .typeError : .notSupportedError
    case .singleCall, .policy, .attention, .userActivation, .choice: .notAllowedError
    case .origin: .securityError
    case .platform:
      switch reason {
      case .invalidRequest: .typeError
      case .requestInProgress: .invalidStateError
      case .noAnswer, .unknownError: .operationError
      default: .notAllowedError
      }
    case .response:
      switch reason {
      case .tooLarge: .operationError
      case .empty, .notJSON: .syntaxError
      default: .typeError
      }
    }
  }

  /// The message with a detail.
  func message(adding detail: String) -> String {
    "\(message.hasSuffix(".") ? String(message.dropLast()) : message): \(detail)."
  }
}

/// The algorithms of the standards that have several checks.
private enum Clause {
  static let request = "Credential Management, Request a Credential"
  static let prepare = "Digital Credentials, Prepare credential requests"
  static let filter = "Digital Credentials, Filter credential requests"
  static let initiate = "Digital Credentials, Initiate the credential request"
}
