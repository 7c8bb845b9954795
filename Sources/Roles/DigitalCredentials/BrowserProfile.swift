/// How one browser differs from the others, as data: which checks in which order, which names, which origin.
///
/// A new browser is a copy of `.spec2026` with other rows; nothing else in this module asks which browser it is.
public struct BrowserProfile: Hashable, Sendable {
  /// Whose origin the platform learns.
  public enum PresentedOrigin: String, CaseIterable, Hashable, Sendable {
    /// The origin of the top-level document, also when a frame calls.
    case topLevel
    /// The origin of the document that calls.
    case callingDocument
  }

  /// What becomes of a request whose data has not the shape of its protocol.
  public enum MalformedData: String, CaseIterable, Hashable, Sendable {
    /// The whole call is rejected (Digital Credentials, "Validate credential requests").
    case rejectsCall
    /// A missing member rejects the call; a member of another form drops its request with a console warning.
    case dropsRequest
    /// The browser does not look; the platform will.
    case isLeftToPlatform
  }

  /// What becomes of a call whose requests were all dropped by validation.
  public enum NothingValid: String, CaseIterable, Hashable, Sendable {
    /// It is rejected before the platform shows anything (Digital Credentials, "Prepare credential requests").
    case rejectsCall
    /// An empty list goes to the platform.
    case presentsNothing
  }

  /// The name by which a scenario chooses the profile.
  public var name: String

  /// The presentation protocols that the browser hands to the platform.
  public var allowedProtocols: [DigitalCredentialPresentationProtocol]

  /// Whose origin the platform learns.
  public var presentedOrigin: PresentedOrigin

  /// Whether `mediation: "conditional"` is refused, as Credential Management has it, or ignored, as Digital
  /// Credentials has it.
  public var refusesConditionalMediation: Bool

  /// What becomes of malformed request data.
  public var malformedData: MalformedData

  /// What becomes of a call without a valid request.
  public var nothingValid: NothingValid

  /// The exception names that differ from `BrowserCode.standardName`.
  public var exceptionNames: [BrowserCode: ExceptionName]

  /// The checks, in the browser's order.
  public internal(set) var checks: [MediatorCheck]

  /// Whether the browser allows a protocol (Digital Credentials, "user agent allows protocol"). It never throws, also
  /// for a name that does not exist, and depends on nothing but the profile.
  public func userAgentAllowsProtocol(_ name: String) -> Bool {
    DigitalCredentialPresentationProtocol(rawValue: name).map(allowedProtocols.contains) ?? false
  }

  /// The name that a script sees when a rule rejects.
  public func exceptionName(for code: BrowserCode) -> ExceptionName {
    exceptionNames[code] ?? code.standardName
  }

  func exception(_ code: BrowserCode, _ message: String? = nil) -> CredentialRequestException {
    CredentialRequestException(code, name: exceptionName(for: code), message: message)
  }
}
