import Checks
import Primitives

/// The rejection of a call: the exception for the script, and the rule that rejected.
public struct CredentialRequestException: CodedError, Hashable {
  /// The name that a script sees.
  public let name: ExceptionName

  /// A message that describes the failure and names the member, if one is at fault.
  public let message: String

  /// The check that rejected, with its reason, such as `browser.protocol/unknown`. A script does not see it.
  public let code: BrowserFinding

  /// Creates a rejection.
  /// - Parameters:
  ///   - finding: The check that rejects, with its reason.
  ///   - name: The name for the script, or nil for the standard's name.
  ///   - message: The message, or nil for the declared message.
  public init(_ finding: BrowserFinding, name: ExceptionName? = nil, message: String? = nil) {
    self.name = name ?? finding.exceptionName
    self.message = message ?? finding.message
    code = finding
  }

  /// Returns the same rejection with another name for the script.
  func renamed(_ name: ExceptionName) -> CredentialRequestException {
    CredentialRequestException(code, name: name, message: message)
  }

  /// Creates a rejection from the abort reason of a signal, with the name and the message that the page chose.
  public init(aborted reason: AbortReason) {
    self.init(BrowserFinding(.signal), name: ExceptionName(reason.name), message: reason.message)
  }
}

extension CredentialRequestException {
  /// Name, message and check on one line.
  public var description: String { "\(name): \(message) [\(code.name)]" }
}

/// A finding is the code of an exception.
extension CheckFinding: RawRepresentable where Family == BrowserCheck {
  /// Returns the declared finding with a name.
  public init?(rawValue: String) { self.init(name: rawValue) }
  /// The name of the finding.
  public var rawValue: String { name }
}

/// The name of an exception as a script sees it: a `DOMException` name of Web IDL, `TypeError`, `SyntaxError`, or the name
/// of a page's own abort reason.
public enum ExceptionName: Hashable, Sendable {
  /// The request was aborted, or its document stopped being fully active.
  case abortError
  /// The document cannot make the call in its state, or the platform is busy.
  case invalidStateError
  /// A generic failure in Chromium; the standard does not use it for this interface.
  case networkError
  /// Refused by the person, the browser, the platform or a policy. One name, so that a page cannot tell them apart.
  case notAllowedError
  /// The options ask for something that the interface does not offer.
  case notSupportedError
  /// Any other failure.
  case operationError
  /// The context is not secure enough, as with an opaque origin.
  case securityError
  /// The platform's response is not JSON.
  case syntaxError
  /// The options or the request data are malformed.
  case typeError
  /// An unknown failure in older WebKit; the standard does not use it for this interface.
  case unknownError
  /// The name that a page chose for its own abort reason.
  case custom(String)

  /// Every name except `custom`.
  public static let standard: [ExceptionName] = [
    .abortError, .invalidStateError, .networkError, .notAllowedError, .notSupportedError, .operationError,
    .securityError, .syntaxError, .typeError, .unknownError,
  ]

  /// Creates the case for a name, or `custom` if the name is not in `standard`.
  public init(_ text: String) { self = Self.standard.first { $0.text == text } ?? .custom(text) }

  /// The name as a script reads it, such as `NotAllowedError`.
  public var text: String {
    switch self {
    case .abortError: "AbortError"
    case .invalidStateError: "InvalidStateError"
    case .networkError: "NetworkError"
    case .notAllowedError: "NotAllowedError"
    case .notSupportedError: "NotSupportedError"
    case .operationError: "OperationError"
    case .securityError: "SecurityError"
    case .syntaxError: "SyntaxError"
    case .typeError: "TypeError"
    case .unknownError: "UnknownError"
    case .custom(let text): text
    }
  }
}

extension ExceptionName: CustomStringConvertible {
  /// The name as a script reads it.
  public var description: String { text }
}

/// The reason of an `AbortSignal` (DOM, "abort reason"). A rejection returns it to the page unchanged.
public struct AbortReason: Hashable, Sendable {
  /// The name of the reason: `AbortError`, or the name of a page's own error.
  public var name: String

  /// The message of the reason.
  public var message: String

  /// Creates the reason of `controller.abort(reason)`.
  public init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// The reason of `controller.abort()` without an argument: an `AbortError`.
  public static let unspecified = AbortReason(name: "AbortError", message: BrowserFinding(.signal).message)
}

extension CheckFinding<BrowserCheck> {
  /// Matches an error in a `catch` clause by its check: `catch BrowserFinding(.policy)`.
  public static func ~= (finding: Self, error: any Error) -> Bool {
    (error as? CredentialRequestException)?.code == finding
  }
}

extension ExceptionName {
  /// Matches an error in a `catch` clause by its exception name: `catch ExceptionName.typeError`.
  public static func ~= (name: ExceptionName, error: any Error) -> Bool {
    (error as? CredentialRequestException)?.name == name
  }
}
