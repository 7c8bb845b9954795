import DigitalCredentials
import JSON
import Primitives

/// The client platform's request for a digital credential: the calling origin, and the page's request.
public struct CredentialRequestMessage: Sendable, Equatable {
  /// The operation that the page called.
  public enum RequestType: String, Sendable, CaseIterable {
    /// `navigator.credentials.get()`: presentation.
    case get = "credential.get"
    /// `navigator.credentials.create()`: issuance.
    case create = "credential.create"
  }

  /// The serialized origin. The browser of the client platform writes it, never the page, and the phone cannot verify it.
  public var origin: String
  /// The operation.
  public var requestType: RequestType
  /// The member `digital` of the page's options, as JSON.
  public var digital: String

  /// Creates a request.
  /// - Parameters:
  ///   - origin: The origin of the page that calls.
  ///   - requestType: Whether the page asks for a credential, or offers one.
  ///   - digital: A JSON object, which is sent unchanged.
  public init(origin: String, requestType: RequestType = .get, digital: String) {
    self.origin = origin
    self.requestType = requestType
    self.digital = digital
  }

  /// The message as JSON, in Chromium's order of members.
  public var json: [UInt8] {
    let start = Array(#"{"origin":"#.utf8) + JSONValue.string(origin).bytes
    let end = Array(#"},"requestType":"#.utf8) + JSONValue.string(requestType.rawValue).bytes
    return start + Array(#","request":{"digital":"#.utf8) + Array(digital.utf8) + end + Array("}".utf8)
  }

  /// Reads a message. Unknown members are ignored, also an `origin` inside `digital`.
  /// - Throws: ``HybridError`` with a code of `request`.
  public init(json bytes: [UInt8]) throws(HybridError) {
    let value: JSONValue
    do { value = try JSONReader.read(bytes, repeatedNames: .refused) } catch {
      throw HybridError(.requestJSON, error.message, evidence: error.code.rawValue, at: error.location)
    }
    let origin = try Self.text("origin", of: value)
    guard Origin(exactly: origin)?.isPotentiallyTrustworthy == true else {
      throw HybridError(
        .requestOrigin, "the origin is not the serialized origin of a secure context",
        evidence: TerminalSafe.text(origin),
        at: "member origin")
    }
    let type = try Self.text("requestType", of: value)
    guard let requestType = RequestType(rawValue: type) else {
      throw HybridError(
        .requestType, "unknown request type", evidence: TerminalSafe.text(type), at: "member requestType")
    }
    guard let digital = value.member("request")?.member("digital"), case .object = digital else {
      throw HybridError(.requestJSON, "the request has no object 'digital'", at: "member request")
    }
    self.init(origin: origin, requestType: requestType, digital: String(decoding: digital.bytes, as: UTF8.self))
  }

  private static func text(_ name: String, of value: JSONValue) throws(HybridError) -> String {
    guard let text = value.member(name)?.text else {
      throw HybridError(.requestJSON, "the message has no text '\(name)'", at: "member \(name)")
    }
    return text
  }
}
