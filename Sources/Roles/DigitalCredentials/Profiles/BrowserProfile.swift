import Checks

/// The differences between browsers as data: the checks and their order, the exception names, the presented origin.
///
/// A new browser is a copy of `.spec2026` with other values, each with its source. Nothing else in this module depends on the
/// browser.
public struct BrowserProfile: Hashable, Sendable {
  /// The document whose origin the platform receives.
  public enum PresentedOrigin: String, CaseIterable, Hashable, Sendable {
    /// The top-level document, even if a frame calls.
    case topLevel
    /// The calling document.
    case callingDocument
  }

  /// The attention that a call needs.
  public enum Attention: String, CaseIterable, Hashable, Sendable {
    /// The tab of the document is in front, visible and focused (HTML, "user attention").
    case topLevelTraversable
    /// The calling document itself has focus.
    case focusedDocument
    /// The document is visible, focused or not.
    case visibleDocument
  }

  /// The treatment of a request with malformed data.
  public enum MalformedData: String, CaseIterable, Hashable, Sendable {
    /// The whole call is rejected (Digital Credentials, "Validate credential requests").
    case rejectsCall
    /// A missing member rejects the call; a malformed member drops its request with a console warning.
    case dropsRequest
    /// The browser does not check the data; the platform does.
    case isLeftToPlatform
  }

  /// The treatment of a call if validation dropped all its requests.
  public enum NothingValid: String, CaseIterable, Hashable, Sendable {
    /// The call is rejected before the platform shows anything (Digital Credentials, "Prepare credential requests").
    case rejectsCall
    /// An empty list goes to the platform.
    case presentsNothing
  }

  /// The support of a method of the API.
  public enum Support: String, CaseIterable, Hashable, Sendable {
    /// The browser has the method.
    case supported
    /// The method exists for other credential types and ignores the member `digital`.
    case otherTypesOnly
    /// The method does not exist; calling it is a `TypeError` of the script.
    case missing
  }

  /// The name of the profile in scenarios.
  public var name: String

  /// The presentation protocols that the browser hands to the platform.
  public var allowedProtocols: [DigitalCredentialPresentationProtocol]

  /// The issuance protocols that the browser hands to the platform.
  public var allowedIssuanceProtocols: [DigitalCredentialIssuanceProtocol]

  /// The support of `navigator.credentials.create()` for digital credentials.
  public var create: Support

  /// The support of `DigitalCredential.issue()`.
  public var issue: Support

  /// The document whose origin the platform receives.
  public var presentedOrigin: PresentedOrigin

  /// The attention that a call needs.
  public var attention: Attention

  /// Indicates whether `mediation: "conditional"` is refused, as in Credential Management, or ignored, as in Digital Credentials.
  public var refusesConditionalMediation: Bool

  /// Indicates whether a call with mobile documents and other protocols asks for mobile documents only.
  public var prefersMobileDocuments: Bool

  /// The treatment of malformed request data.
  public var malformedData: MalformedData

  /// The treatment of a call without a valid request.
  public var nothingValid: NothingValid

  /// Indicates whether `window.stop()` ends a pending call.
  public var endsCallsOnStop: Bool

  /// Indicates whether a document from a `blob:` URL is a secure context even if its creator has an opaque origin.
  public var trustsBlobsOfOpaqueOrigins: Bool

  /// Indicates whether the browser can show an interstitial before the chooser; see ``Interstitial``.
  public var hasInterstitial: Bool

  /// The exception names that differ from `BrowserFinding.exceptionName`.
  public var exceptionNames: [BrowserFinding: ExceptionName]

  /// The checks of `get()` and `create()`, in the browser's order.
  public internal(set) var checks: [MediatorCheck]

  /// Returns whether the browser allows a protocol (Digital Credentials, "user agent allows protocol"):
  /// `DigitalCredential.userAgentAllowsProtocol(name)`. Unknown names are not an error.
  public func userAgentAllowsProtocol(_ name: String) -> Bool { allows(name, for: .get) || allows(name, for: .issue) }

  /// Returns whether the browser allows a protocol for an operation.
  func allows(_ name: String, for operation: CredentialOperation) -> Bool {
    switch operation {
    case .get: DigitalCredentialPresentationProtocol(rawValue: name).map(allowedProtocols.contains) ?? false
    case .create, .issue:
      DigitalCredentialIssuanceProtocol(rawValue: name).map(allowedIssuanceProtocols.contains) ?? false
    }
  }

  /// The support of a method.
  public func support(of operation: CredentialOperation) -> Support {
    switch operation {
    case .get: .supported
    case .create: create
    case .issue: issue
    }
  }

  /// The checks of a method, in the browser's order.
  func checks(of operation: CredentialOperation) -> [MediatorCheck] {
    operation == .issue ? MediatorCheck.issueOrder : checks
  }

  /// The exception name that a script sees for a finding.
  public func exceptionName(for finding: BrowserFinding) -> ExceptionName {
    exceptionNames[finding] ?? finding.exceptionName
  }

  /// Returns the results of checks that passed. Checks that this browser does not make do not apply, and pass.
  package func results(passed checks: [BrowserCheck]) -> [CheckResult] {
    CheckRun(checks) { check in omission(of: check).map { .notApplicable($0) } ?? .passed }.results
  }

  /// The reason why a check does not apply in this browser, or nil if it does.
  private func omission(of check: BrowserCheck) -> String? {
    switch check {
    case .mediation where !refusesConditionalMediation: "this browser ignores the mediation that a page asks for"
    case .requestData where malformedData == .isLeftToPlatform: "this browser leaves the data to the platform"
    default: nil
    }
  }

  func exception(_ finding: BrowserFinding, _ message: String? = nil) -> CredentialRequestException {
    CredentialRequestException(finding, name: exceptionName(for: finding), message: message)
  }
}

extension BrowserProfile {
  /// The standard's text of August 2026, the default, with the pull request that defines `issue()`.
  public static let spec2026 = BrowserProfile(
    name: "spec-2026-08",
    allowedProtocols: DigitalCredentialPresentationProtocol.allCases,
    allowedIssuanceProtocols: DigitalCredentialIssuanceProtocol.allCases,
    create: .supported,
    issue: .supported,
    presentedOrigin: .topLevel,
    attention: .topLevelTraversable,
    refusesConditionalMediation: false,
    prefersMobileDocuments: false,
    malformedData: .rejectsCall,
    nothingValid: .rejectsCall,
    endsCallsOnStop: false,
    trustsBlobsOfOpaqueOrigins: false,
    hasInterstitial: false,
    exceptionNames: [:],
    checks: MediatorCheck.standardOrder)

  /// WebKit's main branch in the summer of 2026: OpenID4VP is off, malformed requests are dropped one by one.
  public static let safariMain2026 = spec2026.changed(name: "safari-main-2026") { profile in
    // DigitalCredential.cpp: openid4vp-v1-* needs a runtime setting; nothing is issued.
    profile.allowedProtocols = [.mobileDocument]
    profile.allowedIssuanceProtocols = []
    // Recorded result of create.tentative (b6072167): "NotSupportedError: No credential type was specified."
    profile.create = .otherTypesOnly
    // w3c-fedid/digital-credentials pull request 546 is open.
    profile.issue = .missing
    // Credential Management refuses it, and WebKit runs its checks before those of the type.
    profile.refusesConditionalMediation = true
    // WebKit/WebKit#71473.
    profile.prefersMobileDocuments = true
    // CredentialRequestCoordinator.cpp: a failure of the validator is a console warning and drops the request.
    profile.malformedData = .dropsRequest
    // DigitalCredentialsSession.cpp: window.stop rejects with AbortError and dismisses the chooser.
    profile.endsCallsOnStop = true
    // DigitalCredential::discoverFromExternalSource.
    profile.checks = MediatorCheck.webKitOrder
    profile.exceptionNames = [
      // WebKit/WebKit#64152: a cancellation that the system reports counts as a failure of the platform.
      BrowserFinding(.platform, .cancelled): .operationError,
      // WKDigitalCredentialsPicker.mm: "Document provider returned an invalid format."
      BrowserFinding(.response, .empty): .typeError,
    ]
  }

  /// Safari 26.0: the names before May 2026, and a chooser that may open empty.
  public static let safari26 = safariMain2026.changed(name: "safari-26.0") { profile in
    // Recorded result of get.https (9c7f5889743e): "NotAllowedError: The document is not focused."
    profile.attention = .focusedDocument
    // WebKit/WebKit#64534 rejects such a call since May 2026.
    profile.nothingValid = .presentsNothing
    profile.exceptionNames = [
      // WebKit/WebKit#64150.
      BrowserFinding(.singleCall): .invalidStateError,
      // WebKit/WebKit#64151.
      BrowserFinding(.choice): .abortError,
      BrowserFinding(.platform, .nothingCanAnswer): .abortError,
      // WebKit/WebKit#64152.
      BrowserFinding(.platform, .cancelled): .abortError,
      BrowserFinding(.platform, .unknownError): .unknownError,
      // WKDigitalCredentialsPicker.mm.
      BrowserFinding(.response, .empty): .typeError,
    ]
  }

  /// Chromium in 2026: the frame's own origin, and one name for every failure of a wallet or its transport.
  public static let chromium2026 = spec2026.changed(name: "chromium-2026") { profile in
    // w3c-fedid/digital-credentials pull request 546 is open.
    profile.issue = .missing
    // digital_identity_request_impl.cc: the provider gets the origin of the document service.
    profile.presentedOrigin = .callingDocument
    // digital_identity_request_impl.cc: the frame is active and the page visible; focus is not asked for.
    profile.attention = .visibleDocument
    profile.checks = MediatorCheck.chromiumOrder
    // digital_identity_request_impl.cc: the data is any dictionary.
    profile.malformedData = .isLeftToPlatform
    // Recorded result of get-opaque-origin-combinations (732afded).
    profile.trustsBlobsOfOpaqueOrigins = true
    // digital_identity_request_impl.cc: ComputeInterstitialType.
    profile.hasInterstitial = true
    profile.exceptionNames = [
      // Recorded result of get-opaque-origin-combinations (732afded).
      BrowserFinding(.origin): .notAllowedError,
      // digital_identity_request_impl.cc and digital_identity_credential.cc: "Error retrieving a token." for all of these.
      BrowserFinding(.attention): .networkError,
      BrowserFinding(.choice): .networkError,
      BrowserFinding(.platform, .cancelled): .networkError,
      BrowserFinding(.platform, .invalidRequest): .networkError,
      BrowserFinding(.platform, .notEntitled): .networkError,
      BrowserFinding(.platform, .nothingCanAnswer): .networkError,
      BrowserFinding(.platform, .noAnswer): .networkError,
      BrowserFinding(.platform, .unknownError): .networkError,
      // digital_identity_credential.cc: too many requests.
      BrowserFinding(.platform, .requestInProgress): .notAllowedError,
    ]
  }

  /// Every profile, the default first.
  public static let all: [BrowserProfile] = [spec2026, safari26, safariMain2026, chromium2026]

  /// Returns the profile with a name, such as `safari-26.0`, or nil if the name is unknown.
  public static func named(_ name: String) -> BrowserProfile? { all.first { $0.name == name } }

  private func changed(name: String, _ change: (inout BrowserProfile) -> Void) -> BrowserProfile {
    var profile = self
    profile.name = name
    change(&profile)
    return profile
  }
}
