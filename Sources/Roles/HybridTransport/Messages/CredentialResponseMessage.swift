import JSON
import Primitives

/// The phone's answer to a request for a digital credential.
public enum CredentialResponseMessage: Sendable, Equatable {
  /// A credential: the protocol, and its data as JSON.
  case credential(protocol: String, data: String)
  /// The phone ended the request.
  case error(ErrorName)

  /// The reason for which a phone ended a request.
  public enum ErrorName: Sendable, Equatable {
    /// The person cancelled.
    case userCanceled
    /// The device ended the request.
    case deviceAborted
    /// The device has no credential for the request.
    case noCredential
    /// Any other text.
    case other(String)

    /// The text of the message.
    public var text: String {
      switch self {
      case .userCanceled: "USER_CANCELED"
      case .deviceAborted: "DEVICE_ABORTED"
      case .noCredential: "NO_CREDENTIAL"
      case .other(let text): text
      }
    }

    /// Creates the case of a text.
    public init(_ text: String) {
      self = [.userCanceled, .deviceAborted, .noCredential].first { $0.text.isExactly(text) } ?? .other(text)
    }
  }

  /// The message as JSON, in Chromium's order of members.
  public var json: [UInt8] {
    switch self {
    case .credential(let name, let data):
      Array(#"{"response":{"digital":{"data":{"data":"#.utf8) + Array(data.utf8) + Array(#","protocol":"#.utf8)
        + JSONValue.string(name).bytes + Array("}}}}".utf8)
    case .error(let name):
      Array(#"{"response":{"digital":{"error":"#.utf8) + JSONValue.string(name.text).bytes + Array("}}}".utf8)
    }
  }

  /// Reads a message. An error precedes data. Unknown members are ignored.
  /// - Throws: ``HybridError`` with `responseJSON`.
  public init(json bytes: [UInt8]) throws(HybridError) {
    let value: JSONValue
    do { value = try JSONReader.read(bytes, repeatedNames: .refused) } catch {
      throw HybridError(.responseJSON, error.message, evidence: error.code.rawValue, at: error.location)
    }
    guard let digital = value.member("response")?.member("digital") else {
      throw HybridError(.responseJSON, "the message has no 'digital'", at: "member response")
    }
    if let error = digital.member("error") {
      guard let text = error.text else {
        throw HybridError(.responseJSON, "the error is not a text", evidence: error.kind, at: "member error")
      }
      self = .error(ErrorName(text))
      return
    }
    guard let response = digital.member("data") else {
      throw HybridError(.responseJSON, "the message has neither 'data' nor 'error'", at: "member digital")
    }
    // Older builds of Chromium read any data as the response; the newest require both members.
    guard let name = response.member("protocol")?.text, let data = response.member("data") else {
      throw HybridError(.responseJSON, "the data has no protocol as a text and data", at: "member data")
    }
    self = .credential(protocol: name, data: String(decoding: data.bytes, as: UTF8.self))
  }
}
