import FoundationEssentials

/// An error of a request for a document in Wallet.
public struct PKIdentityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason of an error.
  public enum Code: Int, Sendable, CaseIterable {
    case unknown, notSupported, cancelled, networkUnavailable, noElementsRequested, requestAlreadyInProgress
    case invalidNonce, invalidElement, regionNotSupported
  }

  /// The reason.
  public let code: Code

  /// Makes an error.
  public init(_ code: Code) { self.code = code }

  /// The error with the name of a reason, such as `cancelled`; nil for any other text.
  public init?(named description: String) {
    guard let code = Code.allCases.first(where: { "\($0)" == description }) else { return nil }
    self.code = code
  }

  /// The name of the reason.
  public var description: String { "\(code)" }
}
