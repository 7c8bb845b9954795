import MobileDocument
import Primitives

/// An error in bytes of the web exchange, or of sealing and opening a response with HPKE.
public struct ExchangeError: CodedError, Equatable {
  /// The broken rule.
  public enum Code: String, CaseIterable, Sendable {
    /// The `data` of a request is malformed.
    case requestData = "exchange.request-data"
    /// The encryption information is malformed.
    case encryptionInfo = "exchange.encryption-info"
    /// The nonce is too short.
    case nonce = "exchange.nonce"
    /// The encrypted response is malformed.
    case encryptedResponse = "exchange.encrypted-response"
    /// The envelope of an app's request is malformed.
    case envelope = "exchange.envelope"
    /// The content of an envelope is malformed.
    case topics = "exchange.topics"
    /// The encapsulated key is not an uncompressed point of P-256 (RFC 9180, section 7.1.4).
    case encapsulatedKey = "hpke.encapsulated-key"
    /// The tag does not verify: another key, info or associated data, or altered bytes (RFC 9180, section 5.2).
    case opening = "hpke.open"
    /// The library failed on valid inputs, or the context has no sequence number left (RFC 9180, section 5.2).
    case sealing = "hpke.seal"

    /// A human-readable description of the failure.
    public var message: String {
      switch self {
      case .requestData: "the request is not a JSON object with deviceRequest and encryptionInfo"
      case .encryptionInfo: "the encryption information is malformed"
      case .nonce: "the nonce is shorter than 16 bytes"
      case .encryptedResponse: "the encrypted response is malformed"
      case .envelope: "the HPKE envelope is malformed"
      case .topics: "the topics of the HPKE envelope are malformed"
      case .encapsulatedKey:
        "the encapsulated key is not an uncompressed point of P-256 (65 bytes, the first of them 4)"
      case .opening:
        "the message cannot be decrypted: it was sealed to another key, for another context, or was altered"
      case .sealing: "the message could not be sealed"
      }
    }
  }

  /// The broken rule.
  public let code: Code
  /// A human-readable description of the error.
  public let message: String
  /// The value found, for example a size. Never contains key material or plaintext.
  public let evidence: String?
  /// The exceeded limit; nil for another error.
  public let excess: RequestLimit.Excess?

  /// Creates an error.
  public init(_ code: Code, _ message: String? = nil, evidence: String? = nil) {
    self.code = code
    self.message = message ?? code.message
    self.evidence = evidence
    excess = nil
  }

  init(_ code: Code, _ excess: RequestLimit.Excess) {
    self.code = code
    message = excess.message
    evidence = nil
    self.excess = excess
  }

  /// Equal when the codes are equal.
  public static func == (left: ExchangeError, right: ExchangeError) -> Bool { left.code == right.code }
}
