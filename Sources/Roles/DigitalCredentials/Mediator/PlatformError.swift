/// The reason why a platform ends a request without a response.
public enum PlatformError: String, Error, CaseIterable, Hashable, Sendable {
  /// The person closed the chooser without choosing.
  case cancelledByUser
  /// The platform reports a cancellation as an error. One WebKit release distinguishes it from `cancelledByUser`.
  case cancelled
  /// The request is malformed or invalid.
  case invalidRequest
  /// The platform is serving another request.
  case requestInProgress
  /// The browser is not entitled to request documents.
  case notEntitled
  /// No credential on the platform can answer.
  case nothingCanAnswer
  /// The user interface ended with neither a response nor an error.
  case noAnswer
  /// Any other failure.
  case unknown

  /// The rule that rejects the call (Digital Credentials, "Initiate the credential request").
  public var code: BrowserCode {
    switch self {
    case .cancelledByUser: .userCancelled
    case .cancelled: .platformCancelled
    case .invalidRequest: .platformInvalidRequest
    case .requestInProgress: .platformRequestInProgress
    case .notEntitled: .platformNotEntitled
    case .nothingCanAnswer: .platformNothingCanAnswer
    case .noAnswer: .platformNoAnswer
    case .unknown: .platformUnknownError
    }
  }
}
