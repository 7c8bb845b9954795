import Checks

/// The reason why a platform ends a request without a response.
public enum PlatformFailure: String, CaseIterable, Hashable, Sendable {
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

  /// The check that rejects the call, with its reason (Digital Credentials, "Initiate the credential request").
  public var finding: BrowserFinding {
    switch self {
    case .cancelledByUser: BrowserFinding(.choice)
    case .cancelled: BrowserFinding(.platform, .cancelled)
    case .invalidRequest: BrowserFinding(.platform, .invalidRequest)
    case .requestInProgress: BrowserFinding(.platform, .requestInProgress)
    case .notEntitled: BrowserFinding(.platform, .notEntitled)
    case .nothingCanAnswer: BrowserFinding(.platform, .nothingCanAnswer)
    case .noAnswer: BrowserFinding(.platform, .noAnswer)
    case .unknown: BrowserFinding(.platform, .unknownError)
    }
  }
}
