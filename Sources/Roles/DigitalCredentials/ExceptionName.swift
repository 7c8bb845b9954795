/// The name that a script sees on a rejection: a name of Web IDL's table of `DOMException` names, or `TypeError` and
/// `SyntaxError`, or a name that a page gave to its own abort reason.
public enum ExceptionName: Hashable, Sendable {
  /// The request was aborted, or its document went away.
  case abortError
  /// The document is in no state to make the call, or the platform is busy.
  case invalidStateError
  /// A generic failure in Chromium; the standard does not use it for this interface.
  case networkError
  /// Refused by the person, the browser, the platform or a policy; deliberately one name for all of them.
  case notAllowedError
  /// The options ask for something that the interface does not offer.
  case notSupportedError
  /// Anything that has no better name.
  case operationError
  /// The context is not secure enough, as with an opaque origin.
  case securityError
  /// The platform's response is no JSON.
  case syntaxError
  /// The options or the request data are malformed.
  case typeError
  /// An unknown failure in older WebKit; the standard does not use it for this interface.
  case unknownError
  /// The name of an abort reason that a page chose itself.
  case custom(String)

  /// Every name except `custom`.
  public static let standard: [ExceptionName] = [
    .abortError, .invalidStateError, .networkError, .notAllowedError, .notSupportedError, .operationError,
    .securityError, .syntaxError, .typeError, .unknownError,
  ]

  /// The case for a name; `custom` when it is none of the others.
  public init(_ text: String) {
    self = Self.standard.first { $0.text == text } ?? .custom(text)
  }

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
