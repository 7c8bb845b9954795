import Checks
import MobileDocument

/// Why a file that somebody brought cannot be used: the member at fault and what is wrong with it.
public struct ExchangeFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Code: String, CheckCode {
    case unreadable = "exchange-file.unreadable"
    case unwritable = "exchange-file.unwritable"
    case tooLarge = "exchange-file.too-large"
    case json = "exchange-file.json"
    case memberMissing = "exchange-file.member-missing"
    case memberKind = "exchange-file.member-kind"
    case base64URL = "exchange-file.base64url"
    case content = "exchange-file.content"
    case key = "exchange-file.key"
    case certificate = "exchange-file.certificate"
    case origin = "exchange-file.origin"
    case element = "exchange-file.element"

    /// What it means, for a person to read.
    public var sentence: String {
      switch self {
      case .unreadable: "a file cannot be read"
      case .unwritable: "a file cannot be written"
      case .tooLarge: "a file or a member is too large"
      case .json: "the file is not one JSON object"
      case .memberMissing: "a member that is needed is not there"
      case .memberKind: "a member is of another kind than it must be"
      case .base64URL: "a member is not base64url without padding"
      case .content: "the bytes of a member are not what it must hold"
      case .key: "a key is not one of P-256 in a form that is known here, or not the one that is needed"
      case .certificate: "certificates cannot be read"
      case .origin: "the origin is not one of a website or an app, or not written as one is"
      case .element: "an element is not written as name space, colon, identifier"
      }
    }
  }

  /// What kind of fault it is.
  public let code: Code
  /// Which member, as `request.deviceRequest` or `trustedIssuers[1]`, or which option; nil for the whole file.
  public let member: String?
  /// What is wrong, for a person to read. Never holds a secret.
  public let sentence: String
  /// The file that holds the member; nil when nobody named it yet, or when the member is one of no file.
  public let file: String?

  /// An error from its parts.
  public init(_ code: Code, _ member: String?, _ sentence: String, file: String? = nil) {
    self.code = code
    self.member = member
    self.sentence = sentence
    self.file = file
  }

  /// The error with the file that holds the member, unless it names one already or is about an option.
  public func inFile(_ name: String) -> Self {
    guard file == nil, member?.hasPrefix("--") != true else { return self }
    return Self(code, member == name ? nil : member, sentence, file: name)
  }

  /// File, member, sentence and code, safe to print: names of members are those that somebody else wrote. Only the
  /// sentence may have several lines, which are those of problems in a world's file.
  public var description: String {
    let lines = sentence.split(separator: "\n", omittingEmptySubsequences: false).map { Printable.text(String($0)) }
    return [file, member].compactMap { $0.map { "\(Printable.text($0)): " } }.joined()
      + "\(lines.joined(separator: "\n")) (\(code.rawValue))"
  }
}

/// How large the files are that are read.
public enum ExchangeLimits {
  /// Longest exchange file in bytes: the longest response that is read, in base64url, its request, and as much again.
  public static let fileBytes = 16 << 20
  /// Most certificates that are trusted: a list of every issuing authority of a continent has fewer.
  public static let trustedCertificates = 256
  /// Longest text that is an origin, a name or a number in bytes: host names end at 253.
  public static let textBytes = 1024
  /// Most status lists: each document names at most two.
  public static let statusLists = 64
}
