import Checks
import JSON
import Primitives

/// An unusable input file, with the file and the member at fault.
public struct ExchangeFileError: CodedError, Equatable {
  /// The kinds of failure.
  public enum Code: String, CaseIterable, Sendable {
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

    /// A human-readable description of the failure.
    public var message: String {
      switch self {
      case .unreadable: "a file cannot be read"
      case .unwritable: "a file cannot be written"
      case .tooLarge: "a file or a member is too large"
      case .json: "the file is not one JSON object"
      case .memberMissing: "a required member is missing"
      case .memberKind: "a member has the wrong JSON type"
      case .base64URL: "a member is not base64url without padding"
      case .content: "the content of a file or member is invalid"
      case .key: "a key is not a P-256 key in a supported form, or not the required key"
      case .certificate: "certificates cannot be read"
      case .origin: "the origin is not the serialized origin of a website or an app"
      case .element: "an element is not of the form NAMESPACE:IDENTIFIER"
      }
    }
  }

  /// The kind of failure.
  public let code: Code
  /// The member, for example `request.deviceRequest` or `trustedIssuers[1]`, or the option; nil for the whole file.
  public let member: String?
  /// A human-readable description of the failure. It never contains a secret.
  public let message: String
  /// The file with the member; nil if it is not known yet or the error is about an option.
  public let file: String?

  /// Creates an error.
  public init(_ code: Code, _ member: String?, _ message: String, file: String? = nil) {
    self.code = code
    self.member = member
    self.message = message
    self.file = file
  }

  /// Returns the error with its file, unless it already has one or is about an option.
  public func inFile(_ name: String) -> Self {
    guard file == nil, member?.hasPrefix("--") != true else { return self }
    return Self(code, member == name ? nil : member, message, file: name)
  }

  /// The file and the member.
  public var location: String? {
    let places = [file, member].compactMap(\.self)
    return places.isEmpty ? nil : places.joined(separator: ": ")
  }

  /// File, member, message and code, safe to print, because names of members come from outside. Only the message may have
  /// several lines: the problems of a world's file.
  public var description: String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalSafe.text(String($0)) }
    return (location.map { "\(TerminalSafe.text($0)): " } ?? "") + "\(lines.joined(separator: "\n")) (\(code.rawValue))"
  }
}

/// Limits on input files.
public enum ExchangeLimits {
  /// The longest exchange file in bytes: the longest response in base64url, its request, and as much again.
  public static let fileBytes = 16 << 20
  /// The most trusted certificates: a list of every issuing authority of a continent has fewer.
  public static let trustedCertificates = 256
  /// The longest origin, name or number in bytes: host names have at most 253.
  public static let textBytes = 1024
  /// The most status lists: each document names at most two.
  public static let statusLists = 64
}

extension ExchangeFileError {
  /// The error as one line of JSON.
  public var json: String {
    let error = JSONValue(present: [
      ("code", .string(code.rawValue)), ("file", file.map { .string($0) }), ("member", member.map { .string($0) }),
      ("message", .string(code.message)), ("evidence", .string(message)),
    ])
    return String(decoding: JSONValue(members: [("error", error)]).bytes, as: UTF8.self)
  }
}
