import JSON

/// One request for a digital credential (Digital Credentials, `DigitalCredentialGetRequest`).
public struct DigitalCredentialGetRequest: Hashable, Sendable {
  /// The protocol's identifier as the page wrote it, known or not.
  public let `protocol`: String

  /// The request data as compact JSON in UTF-8: the page's members in the page's order, strings and numbers untouched.
  public let data: [UInt8]

  let value: JSONValue

  /// A request from data in JSON.
  /// - Throws: `CredentialRequestException` with `browser.malformed-options` when the data is not JSON,
  ///   `browser.wrong-member-type` when it is no object (Web IDL, `required object data`).
  public init(protocol: String, data: [UInt8]) throws(CredentialRequestException) {
    let value: JSONValue
    do {
      value = try JSONReader.read(data)
    } catch {
      throw CredentialRequestException(.malformedOptions, message: "data is not JSON: \(error.reason).")
    }
    guard value.isScriptObject else {
      throw CredentialRequestException(.wrongMemberType, message: "data must be an object, but is \(value.kind).")
    }
    self.init(protocol: `protocol`, value: value)
  }

  /// A mobile document request (ISO/IEC TS 18013-7, Annex C) from its two texts in base64url, taken as they are.
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

  /// The text of a member of the data, such as `deviceRequest`; nil when it is missing or no string.
  public func text(_ member: String) -> String? {
    value.member(member)?.text
  }
}

extension JSONValue {
  /// Whether a script sees an object: Web IDL's `object` covers arrays too.
  var isScriptObject: Bool {
    switch self {
    case .array, .object: true
    case .null, .boolean, .number, .string: false
    }
  }
}
