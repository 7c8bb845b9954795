import Checks
import MobileDocument

/// An error in bytes of the web exchange.
public struct ExchangeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The broken rule.
  public enum Code: String, CaseIterable, Sendable {
    case requestData = "exchange.request-data"
    case encryptionInfo = "exchange.encryption-info"
    case nonce = "exchange.nonce"
    case encryptedResponse = "exchange.encrypted-response"

    /// A human-readable description of the failure.
    public var message: String {
      switch self {
      case .requestData: "the request is not a JSON object with deviceRequest and encryptionInfo"
      case .encryptionInfo: "the encryption information is malformed"
      case .nonce: "the nonce is shorter than 16 bytes"
      case .encryptedResponse: "the encrypted response is malformed"
      }
    }
  }

  /// The broken rule.
  public let code: Code
  /// A human-readable description of the error.
  public let message: String
  /// The exceeded limit; nil for another error.
  public let excess: LimitExceeded?

  /// Makes an error.
  public init(_ code: Code, _ message: String? = nil) {
    self.code = code
    self.message = message ?? code.message
    excess = nil
  }

  init(_ code: Code, _ excess: LimitExceeded) {
    self.code = code
    message = excess.message
    self.excess = excess
  }

  /// The message and its code.
  public var description: String { "\(message) (\(code.rawValue))" }

  /// Equal when the codes are equal.
  public static func == (left: ExchangeError, right: ExchangeError) -> Bool { left.code == right.code }
}
