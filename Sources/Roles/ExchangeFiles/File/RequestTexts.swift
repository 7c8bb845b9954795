import DigitalCredentials
import JSON
import MobileDocument
import Primitives
import WebPresentment

/// A request as the page sent it: two base64url texts.
public struct RequestTexts: Sendable, Equatable {
  /// Base64url of `DeviceRequest`.
  public let deviceRequest: String
  /// Base64url of `EncryptionInfo`.
  public let encryptionInfo: String
  /// The path of the texts, for errors.
  let path: String?

  init(deviceRequest: String, encryptionInfo: String) {
    self.deviceRequest = deviceRequest
    self.encryptionInfo = encryptionInfo
    path = "request"
  }

  /// Reads the `data` of a request.
  init(data: JSONField) throws(ExchangeFileError) {
    let request = try data.required("deviceRequest")
    _ = try request.base64URL()
    deviceRequest = try request.text()
    let information = try data.required("encryptionInfo")
    _ = try information.base64URL()
    encryptionInfo = try information.text()
    path = data.path
  }

  /// Reads a request from an exchange file, from the options of `navigator.credentials.get`, from one entry of these, or
  /// from its `data`.
  /// - Throws: ``ExchangeFileError``.
  public init(anywhereIn file: ExchangeFile) throws(ExchangeFileError) {
    let root = file.root
    if let request = root["request"] {
      self = try RequestTexts(data: request)
    } else if let requests = (root["digital"] ?? root)["requests"] {
      let entries = try requests.elements()
      let known = [RequestData.protocolIdentifier, RequestData.olderProtocolIdentifier]
      guard let entry = entries.first(where: { known.contains($0["protocol"]?.value.text ?? "") }) else {
        throw ExchangeFileError(
          .content, requests.path, "no entry has the protocol \(RequestData.protocolIdentifier)")
      }
      self = try RequestTexts(data: try entry.required("data"))
    } else if let data = root["data"] {
      self = try RequestTexts(data: data)
    } else if root["deviceRequest"] != nil {
      self = try RequestTexts(data: root)
    } else {
      throw ExchangeFileError(.memberMissing, "request", "missing")
    }
  }

  /// Returns the requested documents and use cases without checking the reader signatures: the file's owner made them.
  /// - Throws: ``ExchangeFileError``.
  public func contents() throws(ExchangeFileError) -> (documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase])
  {
    do {
      let bytes = try RequestData(deviceRequest: deviceRequest, encryptionInfo: encryptionInfo).deviceRequestBytes()
      let contents = try UnverifiedDeviceRequest(bytes).unverifiedContents()
      return (contents.documentRequests, contents.deviceRequestInfo?.useCases ?? [])
    } catch {
      throw ExchangeFileError(.content, member("deviceRequest"), "not a readable device request: \(error)")
    }
  }

  /// Returns the encryption information that the response is encrypted for.
  /// - Throws: ``ExchangeFileError``: a wallet cannot have answered, so the file is at fault, not a response.
  func readEncryptionInfo() throws(ExchangeFileError) -> EncryptionInfo {
    do {
      return try EncryptionInfo(text: encryptionInfo)
    } catch {
      throw ExchangeFileError(
        .content, member("encryptionInfo"), "not readable encryption information: \(error)")
    }
  }

  func member(_ name: String) -> String { path.map { "\($0).\(name)" } ?? name }

  /// The `data` of the request.
  var data: JSONValue {
    JSONValue(members: [("deviceRequest", .string(deviceRequest)), ("encryptionInfo", .string(encryptionInfo))])
  }

  /// The options of `navigator.credentials.get` as JSON in UTF-8 (W3C Digital Credentials API).
  public var options: [UInt8] { page.bytes }

  /// The options of `navigator.credentials.get` (W3C Digital Credentials API).
  var page: JSONValue {
    let entry = JSONValue(members: [("protocol", .string(RequestData.protocolIdentifier)), ("data", data)])
    return JSONValue(members: [
      ("mediation", .string("required")), ("digital", JSONValue(members: [("requests", .array([entry]))])),
    ])
  }
}

/// The text of an origin in a session transcript. Each origin has exactly one.
enum OriginSpelling {
  /// The prefix of an Android app's origin. The SHA-256 of its signing certificate in base64url follows.
  private static let appPrefix = "android:apk-key-hash:"
  private static let appDigestLength = 32

  /// Returns the serialized form of an origin: that of browsers for a website, that of Android for an app.
  /// - Parameter place: The member or option, for errors.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.origin` if the text is not an origin, or an opaque one (`null`).
  static func spelling(of text: String, at place: String) throws(ExchangeFileError) -> String {
    if text.hasPrefix(appPrefix), Base64URL.decode(String(text.dropFirst(appPrefix.count)))?.count == appDigestLength {
      return text
    }
    do {
      let origin = try Origin(serialized: text)
      if !origin.isOpaque { return origin.serialized }
    } catch {
      throw ExchangeFileError(.origin, place, "\(error)")
    }
    throw ExchangeFileError(.origin, place, "opaque origins (\"null\") are not supported")
  }

  /// Checks that an origin is in its serialized form.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.origin`.
  static func requireSpelling(of text: String, at place: String) throws(ExchangeFileError) {
    let right = try spelling(of: text, at: place)
    guard right.isExactly(text) else {
      throw ExchangeFileError(.origin, place, "not a serialized origin; browsers write \(right)")
    }
  }
}
