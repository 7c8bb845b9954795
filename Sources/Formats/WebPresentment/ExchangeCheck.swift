import Checks
import MobileDocument

/// The checks of an exchange around the device response: session, envelope, encryption (ISO/IEC 18013-7, annex C).
public enum ExchangeCheck: String, CheckCode {
  case sessionKnown = "session.unknown"
  case sessionUnused = "session.used"
  case sessionCurrent = "session.expired"
  case `protocol` = "response.protocol"
  case data = "response.data"
  case envelope = "response.envelope"
  case decryption = "response.hpke-open"
  // What takes its place when it is known why the response does not open.
  case encapsulatedKey = "response.hpke-encapsulated-key"
  case transcript = "response.hpke-info"
  case suite = "response.hpke-suite"
  case session = "response.another-session"

  /// The checks that every exchange is put to, in their order.
  static let standing: [ExchangeCheck] = [
    .sessionKnown, .sessionUnused, .sessionCurrent, .protocol, .data, .envelope, .decryption,
  ]

  /// What it means when this fails, for a person to read.
  public var sentence: String {
    switch self {
    case .sessionKnown: "no such session is open"
    case .sessionUnused: "the session has had its answer: each is good for one response"
    case .sessionCurrent: "the session has expired"
    case .protocol: "the answer is in another protocol than was asked for"
    case .data: "the answer is not a JSON object with the base64url text response"
    case .envelope: "the encrypted response is malformed"
    case .decryption: "the response cannot be decrypted: it is for another session or origin, or was altered"
    case .encapsulatedKey: "the encapsulated key of the response is no point of P-256 in 65 bytes"
    case .transcript: "the response was sealed for another session transcript"
    case .suite: "the response was sealed with another suite of HPKE"
    case .session: "the response answers another session of this website"
    }
  }

  /// What it means when this holds, for a person to read.
  public var sentenceWhenPassed: String {
    switch self {
    case .sessionKnown: "the session is known"
    case .sessionUnused: "the session has had no answer before"
    case .sessionCurrent: "the session has not expired"
    case .protocol: "the answer is in the protocol that was asked for"
    case .data: "the answer is a JSON object with base64url"
    case .envelope: "the encrypted response is well-formed"
    case .decryption, .encapsulatedKey, .transcript, .suite, .session:
      "the response opens with this session's key and transcript"
    }
  }
}

/// Why bytes of the web exchange were not accepted.
public struct ExchangeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The rule that was broken.
  public enum Code: String, CheckCode {
    case requestData = "exchange.request-data"
    case encryptionInfo = "exchange.encryption-info"
    case nonce = "exchange.nonce"
    case encryptedResponse = "exchange.encrypted-response"

    /// What it means when this fails, for a person to read.
    public var sentence: String {
      switch self {
      case .requestData: "the request is not a JSON object with deviceRequest and encryptionInfo"
      case .encryptionInfo: "the encryption information is malformed"
      case .nonce: "the nonce is shorter than 16 bytes"
      case .encryptedResponse: "the encrypted response is malformed"
      }
    }
  }

  /// The rule that was broken.
  public let code: Code
  /// What is wrong, for a person to read.
  public let sentence: String
  /// Which bound was exceeded and by how much; nil when it is something else.
  public let excess: LimitExceeded?

  /// Makes an error.
  public init(_ code: Code, _ sentence: String? = nil) {
    self.code = code
    self.sentence = sentence ?? code.sentence
    excess = nil
  }

  init(_ code: Code, _ excess: LimitExceeded) {
    self.code = code
    sentence = excess.sentence
    self.excess = excess
  }

  /// The sentence and its code.
  public var description: String { "\(sentence) (\(code.rawValue))" }

  /// Equal when the codes are equal.
  public static func == (left: ExchangeError, right: ExchangeError) -> Bool { left.code == right.code }
}
