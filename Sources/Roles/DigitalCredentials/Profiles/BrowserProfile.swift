import Checks

/// The differences between browsers as data: the checks and their order, the exception names, the presented origin.
///
/// A new browser is a copy of `.spec2026` with other values. Nothing else in this module depends on the browser.
public struct BrowserProfile: Hashable, Sendable {
  /// The document whose origin the platform receives.
  public enum PresentedOrigin: String, CaseIterable, Hashable, Sendable {
    /// The top-level document, even if a frame calls.
    case topLevel
    /// The calling document.
    case callingDocument
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

  /// The name of the profile in scenarios.
  public var name: String

  /// The presentation protocols that the browser hands to the platform.
  public var allowedProtocols: [DigitalCredentialPresentationProtocol]

  /// The document whose origin the platform receives.
  public var presentedOrigin: PresentedOrigin

  /// Indicates whether `mediation: "conditional"` is refused, as in Credential Management, or ignored, as in Digital Credentials.
  public var refusesConditionalMediation: Bool

  /// The treatment of malformed request data.
  public var malformedData: MalformedData

  /// The treatment of a call without a valid request.
  public var nothingValid: NothingValid

  /// The exception names that differ from `BrowserFinding.exceptionName`.
  public var exceptionNames: [BrowserFinding: ExceptionName]

  /// The checks, in the browser's order.
  public internal(set) var checks: [MediatorCheck]

  /// Returns whether the browser allows a protocol (Digital Credentials, "user agent allows protocol").
  public func userAgentAllowsProtocol(_ name: String) -> Bool {
    DigitalCredentialPresentationProtocol(rawValue: name).map(allowedProtocols.contains) ?? false
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
  /// The standard's text of August 2026, the default.
  public static let spec2026 = BrowserProfile(
    name: "spec-2026-08",
    allowedProtocols: DigitalCredentialPresentationProtocol.allCases,
    presentedOrigin: .topLevel,
    refusesConditionalMediation: false,
    malformedData: .rejectsCall,
    nothingValid: .rejectsCall,
    exceptionNames: [:],
    checks: MediatorCheck.standardOrder)

  /// WebKit's main branch in the summer of 2026: OpenID4VP is off, malformed requests are dropped one by one.
  public static let safariMain2026 = spec2026.changed(name: "safari-main-2026") { profile in
    profile.allowedProtocols = [.mobileDocument]
    profile.refusesConditionalMediation = true
    profile.malformedData = .dropsRequest
    profile.checks = MediatorCheck.webKitOrder
    profile.exceptionNames = [
      BrowserFinding(.platform, .cancelled): .operationError, BrowserFinding(.response, .empty): .typeError,
    ]
  }

  /// Safari 26.0: the names before May 2026, and a chooser that may open empty.
  public static let safari26 = safariMain2026.changed(name: "safari-26.0") { profile in
    profile.nothingValid = .presentsNothing
    profile.exceptionNames = [
      BrowserFinding(.singleCall): .invalidStateError,
      BrowserFinding(.choice): .abortError,
      BrowserFinding(.platform, .cancelled): .abortError,
      BrowserFinding(.platform, .nothingCanAnswer): .abortError,
      BrowserFinding(.platform, .unknownError): .unknownError,
      BrowserFinding(.response, .empty): .typeError,
    ]
  }

  /// Chromium in 2026: the frame's own origin, and one name for every failure of a wallet or its transport.
  public static let chromium2026 = spec2026.changed(name: "chromium-2026") { profile in
    profile.presentedOrigin = .callingDocument
    profile.malformedData = .isLeftToPlatform
    profile.exceptionNames = [
      BrowserFinding(.origin): .notAllowedError,
      BrowserFinding(.choice): .networkError,
      BrowserFinding(.platform, .cancelled): .networkError,
      BrowserFinding(.platform, .invalidRequest): .networkError,
      BrowserFinding(.platform, .requestInProgress): .notAllowedError,
      BrowserFinding(.platform, .notEntitled): .networkError,
      BrowserFinding(.platform, .nothingCanAnswer): .networkError,
      BrowserFinding(.platform, .noAnswer): .networkError,
      BrowserFinding(.platform, .unknownError): .networkError,
    ]
  }

  /// Every profile, the default first.
  public static let all: [BrowserProfile] = [spec2026, safari26, safariMain2026, chromium2026]

  /// Returns the profile with a name, such as `safari-26.0`, or nil if the name is unknown.
  public static func named(_ name: String) -> BrowserProfile? {
    all.first { $0.name == name }
  }

  private func changed(name: String, _ change: (inout BrowserProfile) -> Void) -> BrowserProfile {
    var profile = self
    profile.name = name
    change(&profile)
    return profile
  }
}
