import Checks
import JSON

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
        BrowserFinding(.options, .malformed), message: "data is not JSON: \(error.reason).")
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
