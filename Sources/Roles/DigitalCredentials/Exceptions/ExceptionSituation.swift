import Checks

/// A situation in which a call ends with an exception: one for each finding of the browser.
public struct ExceptionSituation: Hashable, Sendable {
  /// The check that rejects the call, with its reason.
  public let finding: BrowserFinding

  /// The situation, as a sentence.
  public let text: String

  /// The advice for the developer of the page, as a sentence.
  public let advice: String

  private init(_ check: BrowserCheck, _ reason: BrowserCheck.Reason?, _ text: String, _ advice: String) {
    finding = BrowserFinding(check, reason)
    self.text = text
    self.advice = advice
  }

  /// A situation that only the maker of the app that answered can change.
  private static func ofResponse(_ reason: BrowserCheck.Reason, _ text: String) -> ExceptionSituation {
    ExceptionSituation(.response, reason, text, "Report it to the maker of the app that answered.")
  }

  /// The name that a script sees in a browser, or nil if the situation does not occur there.
  public func exceptionName(in profile: BrowserProfile) -> ExceptionName? {
    occurs(in: profile) ? profile.exceptionName(for: finding) : nil
  }

  /// Returns whether the situation can occur in a browser.
  public func occurs(in profile: BrowserProfile) -> Bool {
    switch (finding.check, finding.reason) {
    case (.credentialType, .noMethod): profile.create == .missing || profile.issue == .missing
    case (.mediation, _): profile.refusesConditionalMediation
    case (.requestData, nil): profile.malformedData != .isLeftToPlatform
    case (.requests, .noneValid): profile.malformedData == .dropsRequest && profile.nothingValid == .rejectsCall
    case (.fullyActive, .stopped): profile.endsCallsOnStop
    case (.protocol, .notAllowed): profile.allowedProtocols.count < DigitalCredentialPresentationProtocol.allCases.count
    default: true
    }
  }

  /// The shipped scenario that shows the situation, with a case for each browser in which it occurs, as the argument of
  /// `presentment run`; nil for a situation that no page and no person of a world can cause.
  public var scenario: String? {
    switch (finding.check, finding.reason) {
    // A script passes an object, and a trace of four megabytes shows nothing else.
    case (.options, .malformed), (.response, .tooLarge): return nil
    default:
      let name = finding.name.dropFirst("browser.".count).map { "/.".contains($0) ? "-" : $0 }
      return "scenarios/browser/causes/\(String(name))"
    }
  }

  /// Returns the situations in which a script sees an exception, the most likely first.
  /// - Parameters:
  ///   - name: The exception's name.
  ///   - profile: The browser, or nil for all of them.
  public static func causes(of name: ExceptionName, in profile: BrowserProfile? = nil) -> [ExceptionSituation] {
    let profiles = profile.map { [$0] } ?? BrowserProfile.all
    return all.filter { situation in profiles.contains { situation.exceptionName(in: $0) == name } }
  }

  /// Every situation, the most likely first: what people do, what pages do wrong, what is rare, and what only a faulty platform
  /// does.
  public static let all: [ExceptionSituation] = [
    .init(
      .choice, nil, "The person closed the chooser or the browser's warning, or declined in the app.",
      "Keep the page as it was, and offer another way beside the button. Do not call again without a new tap."),
    .init(
      .platform, .nothingCanAnswer,
      "No document on this platform fits the request, or no app trusts the site's reader certificate.",
      "Offer another way. Check the document type, and the certificate with which the server signs requests."),
    .init(
      .userActivation, nil, "The page called without a tap or a key press within the five seconds before.",
      "Call in the click handler. Fetch the request before the tap, so that nothing delays the call."),
    .init(
      .signal, nil, "The page aborted the signal that it passed to the call.",
      "Abort only when the page no longer needs the answer. A reason of your own arrives unchanged."),
    .init(
      .singleCall, nil, "Another call of the page or of one of its frames is still pending.",
      "Disable the button while a call is pending, or abort the first call and wait for its rejection."),
    .init(
      .fullyActive, .gone, "The person left the page, or its frame was removed, while the call was pending.",
      "Nothing to do: the document is gone. A page that comes back from the back/forward cache can call again."),
    .init(
      .platform, .invalidRequest, "The platform refused the request: malformed, or a signature that fails.",
      "Check the request with presentment inspect. The signature binds the origin that the browser gives the platform."),
    .init(
      .policy, nil, "The document is in a frame of another origin, or a header turned the feature off.",
      "Put allow=\"digital-credentials-get\" on the iframe, and look at the Permissions-Policy header of the page."),
    .init(
      .protocol, .notAllowed, "Every request names a protocol that this browser does not present.",
      "Ask DigitalCredential.userAgentAllowsProtocol(), and add a request in a protocol that the browser presents."),
    .init(
      .protocol, .unknown, "No request names a known protocol.",
      "Compare the identifier: org-iso-mdoc, with hyphens and in lower case."),
    .init(
      .requestData, nil, "The data of a request lacks a member, or a member is not unpadded base64url.",
      "Send deviceRequest and encryptionInfo as base64url without padding."),
    .init(
      .requests, .noneValid, "Every request was dropped; the console has a warning for each.",
      "Read the console. Check the requests with presentment inspect."),
    .init(
      .secureContext, nil, "The page is not a secure context, so the API does not exist.",
      "Serve the page over https, or from localhost during development."),
    .init(
      .attention, nil, "The page was hidden or did not have the focus.",
      "Call in a handler of a tap in the document itself. Close developer tools that hold the focus."),
    .init(.requests, .empty, "The list of requests is empty.", "Put at least one request into the list."),
    .init(
      .options, .missingMember, "A required member of the options is missing.",
      "Pass { digital: { requests: [{ protocol, data }] } }."),
    .init(
      .options, .wrongType, "A member of the options has the wrong type.",
      "The message names the member. data is an object, not its JSON text."),
    .init(
      .credentialType, .missing, "The options do not name digital credentials, or the browser ignores them.",
      "Use the member digital. Not every browser issues documents with create()."),
    .init(.credentialType, .noMethod, "The browser does not have the method.", "Test for the method before the call."),
    .init(
      .credentialType, .mixed, "The options ask for another credential type in the same call.",
      "Make a call of its own for each type."),
    .init(
      .mediation, nil, "The options ask for conditional mediation.",
      "Leave mediation out: a digital credential always needs the person."),
    .init(
      .requestData, .notSerializable, "The data holds a BigInt, a cycle, or an object whose toJSON throws.",
      "Pass plain JSON as data."),
    .init(
      .origin, nil, "The document has an opaque origin: a sandbox without allow-same-origin.",
      "Add allow-same-origin to the sandbox, or call from the page around it."),
    .init(
      .fullyActive, .inactive, "The document is not shown any more: a script of a removed frame called.",
      "Call from a document that is shown."),
    .init(
      .fullyActive, .stopped, "A script called window.stop() while the call was pending.",
      "Do not stop loading while a call is pending."),
    .init(
      .options, .tooLarge, "The options are larger than the browser accepts.",
      "Keep the request small: certificates are most of it."),
    .init(
      .options, .malformed, "The options are not one JSON text.",
      "Only a script that passes its options as text sees this."),
    .init(
      .platform, .requestInProgress, "The platform is serving a request of another page or browser.",
      "Ask the person to finish or close the other request, and call again after a new tap."),
    .init(
      .platform, .unknownError, "The app or the platform failed.", "Offer another way, and let the person try again."),
    .init(
      .platform, .cancelled, "The platform reported a cancellation as an error.",
      "As for a chooser that the person closed."),
    .init(
      .platform, .noAnswer, "The platform ended the request without an answer or an error.",
      "Offer another way, and let the person try again."),
    .init(
      .platform, .notEntitled, "The platform does not let this browser request documents.",
      "Nothing to do on the page: offer another way, or another browser."),
    ofResponse(.notObject, "The response is JSON but not an object."),
    ofResponse(.notJSON, "The response is not JSON."),
    ofResponse(.empty, "The response is empty."),
    ofResponse(.unknownProtocol, "The response names an unknown protocol."),
    ofResponse(.tooLarge, "The response is larger than the browser accepts."),
  ]
}
