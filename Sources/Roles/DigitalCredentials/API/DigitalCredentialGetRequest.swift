import Checks
import JSON

/// One request for a digital credential (Digital Credentials, `DigitalCredentialGetRequest`).
public struct DigitalCredentialGetRequest: Hashable, Sendable {
  /// The protocol identifier as the page wrote it, supported or not.
  public let `protocol`: String

  /// The request data as compact JSON in UTF-8, empty if it cannot be serialized. Order of members, strings and numbers are
  /// the page's.
  public let data: [UInt8]

  let value: JSONValue

  /// The exception that `JSON.stringify` throws for the data, or nil if it serializes.
  let failure: PageValue.SerializationFailure?

  /// Creates a request from data in JSON.
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

  /// Creates a mobile document request (ISO/IEC TS 18013-7, Annex C) from two base64url texts, which are not checked.
  public init(deviceRequest: String, encryptionInfo: String) {
    self.init(
      protocol: DigitalCredentialPresentationProtocol.mobileDocument.rawValue,
      value: JSONValue(members: [
        ("deviceRequest", .string(deviceRequest)), ("encryptionInfo", .string(encryptionInfo)),
      ]))
  }

  init(protocol: String, value: JSONValue) {
    self.protocol = `protocol`
    self.value = value
    data = value.bytes
    failure = nil
  }

  /// Creates a request whose data throws when it is serialized.
  init(protocol: String, failing failure: PageValue.SerializationFailure) {
    self.protocol = `protocol`
    value = .null
    data = []
    self.failure = failure
  }

  /// The text of a member of the data, such as `deviceRequest`, or nil if the member is missing or not a string.
  public func text(_ member: String) -> String? { value.member(member)?.text }
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
