import JSON
import MobileDocument
import Primitives

/// The `data` of an `org-iso-mdoc` request: UTF-8 JSON with two base64url texts (ISO/IEC 18013-7, C.2). The operating
/// system releases it to the document provider as the raw request.
public struct RequestData: Sendable, Equatable {
  /// The base64url text of `DeviceRequest`, as sent.
  public var deviceRequest: String
  /// The base64url text of `EncryptionInfo`, as sent.
  public var encryptionInfo: String

  /// The identifier of the protocol in requests and answers.
  public static let protocolIdentifier = "org-iso-mdoc"
  /// An older identifier that some platforms answer with.
  package static let olderProtocolIdentifier = "org.iso.mdoc"

  /// Creates request data.
  public init(deviceRequest: String, encryptionInfo: String) {
    self.deviceRequest = deviceRequest
    self.encryptionInfo = encryptionInfo
  }

  /// Reads the JSON. Unknown members are ignored.
  /// - Throws: ``ExchangeError``.
  public init(json: [UInt8]) throws(ExchangeError) {
    if let excess = RequestLimit.data.excess(json.count) { throw ExchangeError(.requestData, excess) }
    do { self = try JSONCoding.decode(RequestData.self, from: json) } catch { throw ExchangeError(.requestData) }
  }

  /// The JSON with its members in alphabetical order.
  public var json: [UInt8] { JSONCoding.encode(self) }

  /// Decodes the device request.
  /// - Throws: ``ExchangeError``.
  public func deviceRequestBytes() throws(ExchangeError) -> [UInt8] {
    guard let bytes = Base64URL.decode(deviceRequest) else {
      throw ExchangeError(.requestData, "deviceRequest is not base64url without padding")
    }
    return bytes
  }
}

extension RequestData: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("deviceRequest", \.deviceRequest), Member("encryptionInfo", \.encryptionInfo))
}
