import DigitalCredentials
import JSON
import MobileDocument
import WebPresentment

/// A request as the page sent it: two base64url texts.
public struct RequestTexts: Sendable, Equatable {
  /// Base64url of `DeviceRequest`.
  public let deviceRequest: String
  /// Base64url of `EncryptionInfo`.
  public let encryptionInfo: String
  /// Where the texts stand, for errors.
  let path: String?

  init(deviceRequest: String, encryptionInfo: String) {
    self.deviceRequest = deviceRequest
    self.encryptionInfo = encryptionInfo
    path = "request"
  }

  /// The `data` of a request.
  init(data: Member) throws(ExchangeFileError) {
    let request = try data.required("deviceRequest")
    _ = try request.base64URL()
    deviceRequest = try request.text()
    let information = try data.required("encryptionInfo")
    _ = try information.base64URL()
    encryptionInfo = try information.text()
    path = data.path
  }

  /// A request out of what somebody has of it: an exchange file, what a page passes to `navigator.credentials.get`, one
  /// entry of that, or its `data`.
  /// - Throws: ``ExchangeFileError``.
  public init(anywhereIn file: ExchangeFile) throws(ExchangeFileError) {
    let root = file.root
    if let request = root["request"] {
      self = try RequestTexts(data: request)
    } else if let requests = (root["digital"] ?? root)["requests"] {
      let entries = try requests.elements()
      let known = [VerifierSession.protocolIdentifier, VerifierSession.olderProtocolIdentifier]
      guard let entry = entries.first(where: { known.contains($0["protocol"]?.value.text ?? "") }) else {
        throw ExchangeFileError(
          .content, requests.path, "none of its entries is of the protocol \(VerifierSession.protocolIdentifier)")
      }
      self = try RequestTexts(data: try entry.required("data"))
    } else if let data = root["data"] {
      self = try RequestTexts(data: data)
    } else if root["deviceRequest"] != nil {
      self = try RequestTexts(data: root)
    } else {
      throw ExchangeFileError(.memberMissing, "request", "it is missing")
    }
  }

  /// What the request asks and for whom, its signatures not looked at: its own maker need not doubt it.
  /// - Throws: ``ExchangeFileError``.
  public func contents() throws(ExchangeFileError) -> (documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase])
  {
    do {
      let bytes = try RequestData(deviceRequest: deviceRequest, encryptionInfo: encryptionInfo).deviceRequestBytes()
      let contents = try UnverifiedDeviceRequest(bytes).unverifiedContents()
      return (contents.documentRequests, contents.deviceRequestInfo?.useCases ?? [])
    } catch {
      throw ExchangeFileError(.content, member("deviceRequest"), "it is no device request that can be read: \(error)")
    }
  }

  /// What an answer is sealed to.
  /// - Throws: ``ExchangeFileError``: no wallet can have answered, so it is no fault of an answer.
  func readEncryptionInfo() throws(ExchangeFileError) -> EncryptionInfo {
    do {
      return try EncryptionInfo(text: encryptionInfo)
    } catch {
      throw ExchangeFileError(
        .content, member("encryptionInfo"), "it is no encryption information that can be read: \(error)")
    }
  }

  func member(_ name: String) -> String { path.map { "\($0).\(name)" } ?? name }

  /// The `data` of the request.
  var data: JSONValue {
    .object([
      .init(name: "deviceRequest", value: .string(deviceRequest)),
      .init(name: "encryptionInfo", value: .string(encryptionInfo)),
    ])
  }

  /// What the page passes to `navigator.credentials.get`, as JSON in UTF-8 (W3C Digital Credentials API).
  public var options: [UInt8] { page.bytes }

  /// What the page passes to `navigator.credentials.get` (W3C Digital Credentials API).
  var page: JSONValue {
    let entry = JSONValue.object([
      .init(name: "protocol", value: .string(VerifierSession.protocolIdentifier)), .init(name: "data", value: data),
    ])
    return .object([
      .init(name: "mediation", value: .string("required")),
      .init(name: "digital", value: .object([.init(name: "requests", value: .array([entry]))])),
    ])
  }
}
