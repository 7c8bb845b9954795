import Checks
import JSON

/// The result of a call (Digital Credentials, `DigitalCredential`, and `DigitalCredentialIssuanceResponse` of `issue()`).
///
/// The inherited `id` is left to implementations and is not part of this value.
public struct DigitalCredential: Hashable, Sendable {
  /// The protocol of the response, as the platform reports it. The browser does not know which request was answered.
  public let `protocol`: DigitalCredentialProtocol

  /// The response data as compact JSON in UTF-8.
  public let data: [UInt8]

  /// The response data as a JSON value.
  package let value: JSONValue

  /// The credential type (Digital Credentials, "`[[type]]` internal slot").
  public var type: String { "digital" }

  /// Creates a credential from a platform's response (Digital Credentials, "Initiate the credential request": a credential
  /// was selected), which names a protocol of the operation.
  /// - Throws: `CredentialRequestException` with `browser.response/unknown-protocol`, `browser.response/too-large`,
  ///   `browser.response/empty`, `browser.response/not-json` or `browser.response/not-object`.
  public init(
    protocol: String, response: [UInt8], for operation: CredentialOperation = .get
  ) throws(CredentialRequestException) {
    guard let known = DigitalCredentialProtocol(rawValue: `protocol`), operation.knows(`protocol`) else {
      throw CredentialRequestException(
        BrowserFinding(.response, .unknownProtocol),
        message: "The response names the unknown protocol \(quoted(`protocol`)).")
    }
    guard response.count <= CredentialLimits.responseBytes else {
      throw CredentialRequestException(BrowserFinding(.response, .tooLarge))
    }
    guard !response.isEmpty else { throw CredentialRequestException(BrowserFinding(.response, .empty)) }
    let value: JSONValue
    do {
      value = try JSONReader.read(response)
    } catch {
      throw CredentialRequestException(
        BrowserFinding(.response, .notJSON),
        message: "The response is not JSON: \(error.message) at byte \(error.offset).")
    }
    guard value.isScriptObject else {
      throw CredentialRequestException(
        BrowserFinding(.response, .notObject), message: "The response must be an object, but is \(value.kind).")
    }
    self.protocol = known
    self.value = value
    data = value.bytes
  }

  /// The text of a member of the data, such as `response`, or nil if the member is missing or not a string.
  public func text(_ member: String) -> String? { value.member(member)?.text }

  /// The value of `toJSON()` as UTF-8 JSON (Web IDL, "default toJSON steps"): the interface's own attributes in their
  /// order, `protocol` and `data`. `id` and `type` belong to `Credential`, which declares no `toJSON`.
  public func toJSON() -> [UInt8] {
    Array("{\"protocol\":\"\(`protocol`.rawValue)\",\"data\":".utf8) + data + Array("}".utf8)
  }
}
