import Checks
import JSON

/// The result of a call (Digital Credentials, `DigitalCredential`).
///
/// The inherited `id` is left to implementations and is not part of this value.
public struct DigitalCredential: Hashable, Sendable {
  /// The protocol of the response, as the platform reports it. The browser does not know which request was answered.
  public let `protocol`: DigitalCredentialPresentationProtocol

  /// The response data as compact JSON in UTF-8.
  public let data: [UInt8]

  private let value: JSONValue

  /// The credential type (Digital Credentials, "`[[type]]` internal slot").
  public var type: String { "digital" }

  /// Makes a credential from a platform's response (Digital Credentials, "Initiate the credential request": a credential
  /// was selected).
  /// - Throws: `CredentialRequestException` with `browser.response/unknown-protocol`, `browser.response/too-large`,
  ///   `browser.response/empty`, `browser.response/not-json` or `browser.response/not-object`.
  public init(protocol: String, response: [UInt8]) throws(CredentialRequestException) {
    guard let known = DigitalCredentialPresentationProtocol(rawValue: `protocol`) else {
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
  public func text(_ member: String) -> String? {
    value.member(member)?.text
  }

  /// The value of `toJSON()` as UTF-8 JSON (Web IDL, "default toJSON steps"): the interface's own attributes in their
  /// order, `protocol` and `data`. `id` and `type` belong to `Credential`, which declares no `toJSON`.
  public func toJSON() -> [UInt8] {
    Array("{\"protocol\":\"\(`protocol`.rawValue)\",\"data\":".utf8) + data + Array("}".utf8)
  }
}

/// One request for a digital credential (Digital Credentials, `DigitalCredentialGetRequest`).
public struct DigitalCredentialGetRequest: Hashable, Sendable {
  /// The protocol identifier as the page wrote it, supported or not.
  public let `protocol`: String

  /// The request data as compact JSON in UTF-8. Order of members, strings and numbers are the page's.
  public let data: [UInt8]

  let value: JSONValue

  /// Makes a request from data in JSON.
  /// - Throws: `CredentialRequestException` with `browser.options/malformed` if the data is not JSON, or
  ///   `browser.options/wrong-type` if it is not an object (Web IDL, `required object data`).
  public init(protocol: String, data: [UInt8]) throws(CredentialRequestException) {
    let value: JSONValue
    do {
      value = try JSONReader.read(data)
    } catch {
      throw CredentialRequestException(
        BrowserFinding(.options, .malformed), message: "data is not JSON: \(error.message).")
    }
    guard value.isScriptObject else {
      throw CredentialRequestException(
        BrowserFinding(.options, .wrongType), message: "data must be an object, but is \(value.kind).")
    }
    self.init(protocol: `protocol`, value: value)
  }

  /// Makes a mobile document request (ISO/IEC TS 18013-7, Annex C) from two base64url texts, which are not checked.
  public init(deviceRequest: String, encryptionInfo: String) {
    self.init(
      protocol: DigitalCredentialPresentationProtocol.mobileDocument.rawValue,
      value: .object([
        .init(name: "deviceRequest", value: .string(deviceRequest)),
        .init(name: "encryptionInfo", value: .string(encryptionInfo)),
      ]))
  }

  init(protocol: String, value: JSONValue) {
    self.protocol = `protocol`
    self.value = value
    data = value.bytes
  }

  /// The text of a member of the data, such as `deviceRequest`, or nil if the member is missing or not a string.
  public func text(_ member: String) -> String? {
    value.member(member)?.text
  }
}

extension JSONValue {
  /// Indicates whether a script sees an object: Web IDL's `object` covers arrays too.
  var isScriptObject: Bool {
    switch self {
    case .array, .object: true
    case .null, .boolean, .number, .string: false
    }
  }
}

/// The presentation protocols of the standard (Digital Credentials, `DigitalCredentialPresentationProtocol`).
///
/// Identifiers are compared exactly: letter case and spaces count.
public enum DigitalCredentialPresentationProtocol: String, CaseIterable, Hashable, Sendable {
  /// An unsigned request of OpenID for Verifiable Presentations 1.0, clause A.3.1.
  case openID4VPUnsigned = "openid4vp-v1-unsigned"
  /// A signed request of OpenID for Verifiable Presentations 1.0, clause A.3.2.
  case openID4VPSigned = "openid4vp-v1-signed"
  /// A request with several signatures of OpenID for Verifiable Presentations 1.0, clause A.3.2.2.
  case openID4VPMultisigned = "openid4vp-v1-multisigned"
  /// A mobile document request of ISO/IEC TS 18013-7, Annex C.
  case mobileDocument = "org-iso-mdoc"
}
