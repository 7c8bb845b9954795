import FoundationEssentials

/// An error that ends a presentment.
public struct IdentityDocumentPresentmentError: Error, LocalizedError, Sendable, Equatable {
  /// The kind of failure.
  public enum Code: String, Sendable, Codable {
    case unknown
    case invalidRequest
    case requestInProgress
    case cancelled
    case notEntitled

    /// Matches errors of this code: `catch IdentityDocumentPresentmentError.cancelled`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? IdentityDocumentPresentmentError)?.code == code
    }
  }

  /// The kind of failure.
  public let code: Code
  /// Details for developers.
  public let debugDescription: String

  /// Makes an error.
  public init(_ code: Code, debugDescription: String = "") {
    self.code = code
    self.debugDescription = debugDescription
  }

  /// An unknown problem.
  public static let unknown = Code.unknown
  /// The request is not valid.
  public static let invalidRequest = Code.invalidRequest
  /// Another request is in progress.
  public static let requestInProgress = Code.requestInProgress
  /// The person or the app cancelled.
  public static let cancelled = Code.cancelled
  /// The caller is not entitled.
  public static let notEntitled = Code.notEntitled

  /// A human-readable description of the error.
  public var errorDescription: String? {
    switch code {
    case .unknown: "An unknown problem occurred."
    case .invalidRequest: "The request is not valid."
    case .requestInProgress: "A request is already in progress."
    case .cancelled: "The request was cancelled."
    case .notEntitled: "The caller is not entitled to make requests."
    }
  }

  /// Returns whether the codes are equal.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
