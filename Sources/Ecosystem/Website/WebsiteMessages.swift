import CBOR
import Foundation

/// What the server gives the page for a new presentment.
struct BegunPresentment: Codable, Sendable {
  struct RequestMembers: Codable, Sendable {
    var deviceRequest: String
    var encryptionInfo: String
  }

  var session: String
  var `protocol`: String
  var data: RequestMembers
}

/// What the page gives the server: the credential, with the session that it belongs to.
struct SubmittedResponse: Codable, Sendable {
  struct ResponseMembers: Codable, Sendable {
    var response: String?
    /// The name of ``response`` in an older draft of the standard.
    var older: String?

    private enum CodingKeys: String, CodingKey {
      case response
      case older = "Response"
    }
  }

  var session: String
  var `protocol`: String
  var data: ResponseMembers
}

/// What the server concluded.
struct VerificationResult: Codable, Sendable {
  struct Document: Codable, Sendable {
    var documentType: String
    var issuer: String?
    var elements: [Element]
  }

  struct Element: Codable, Sendable {
    var nameSpace: String
    var identifier: String
    var value: String
    /// What a page can draw of a picture: its JPEG in base64 (RFC 4648, 4). JPEG 2000, which browsers do not draw, is left out.
    var picture: String?

    init(_ nameSpace: String, _ identifier: String, _ value: CBORValue) {
      self.nameSpace = nameSpace
      self.identifier = identifier
      self.value = ShownValue.text(of: value)
      if case .bytes(let bytes) = value, ShownValue.isJPEG(bytes) { picture = Data(bytes).base64EncodedString() }
    }
  }

  var verdict: String
  var code: String?
  var sentence: String
  var documents: [Document]
}

/// Element values as a page shows them and as scenarios write them.
public enum ShownValue {
  /// The value in words: text as it is, dates without their tag, a picture by its size, structures by their parts.
  public static func text(of value: CBORValue) -> String {
    switch value {
    case .text(let text): text
    case .boolean(let flag): flag ? "true" : "false"
    case .unsigned(let number): String(number)
    case .negative(let argument): argument == .max ? "-18446744073709551616" : "-\(argument + 1)"
    case .bytes(let bytes): picture(bytes)
    case .tagged(_, let content): text(of: content)
    case .array(let items): items.map(text(of:)).joined(separator: ", ")
    case .map(let entries):
      "{" + entries.map { "\(text(of: $0.key)): \(text(of: $0.value))" }.joined(separator: ", ") + "}"
    case .float(let number): String(number)
    case .null: "null"
    case .undefined: "undefined"
    case .simple(let number): "simple(\(number))"
    }
  }

  private static func picture(_ bytes: [UInt8]) -> String {
    isJPEG(bytes) ? "JPEG, \(bytes.count) bytes" : "\(bytes.count) bytes"
  }

  /// Whether bytes begin as a picture in JPEG does: a marker of the start, and another (ISO/IEC 10918-1, B.1.1.3).
  static func isJPEG(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xff, 0xd8, 0xff]) }
}
