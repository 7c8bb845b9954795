import FoundationEssentials
import JSON
import MobileDocument
import Primitives

/// The `data` of an `org-iso-mdoc` request: UTF-8 JSON with two base64url texts (ISO/IEC 18013-7, C.2). The operating
/// system releases it to the document provider as the raw request.
public struct RequestData: Sendable, Equatable {
  /// The base64url text of `DeviceRequest`, as sent.
  public let deviceRequest: String
  /// The base64url text of `EncryptionInfo`, as sent.
  public let encryptionInfo: String

  /// The identifier of the protocol in requests and answers.
  public static let protocolIdentifier = "org-iso-mdoc"
  /// An older identifier that some platforms answer with.
  package static let olderProtocolIdentifier = "org.iso.mdoc"

  private struct Members: Codable {
    let deviceRequest: String
    let encryptionInfo: String
  }

  /// Creates request data.
  public init(deviceRequest: String, encryptionInfo: String) {
    self.deviceRequest = deviceRequest
    self.encryptionInfo = encryptionInfo
  }

  /// Reads the JSON. Unknown members are ignored.
  /// - Throws: ``ExchangeError``.
  public init(json: [UInt8]) throws(ExchangeError) {
    if let excess = RequestLimit.data.excess(json.count) { throw ExchangeError(.requestData, excess) }
    guard let members = JSONCoding.decode(Members.self, from: json) else {
      throw ExchangeError(.requestData)
    }
    deviceRequest = members.deviceRequest
    encryptionInfo = members.encryptionInfo
  }

  /// The JSON with its members in alphabetical order.
  public var json: [UInt8] {
    // Base64url does not need escaping. The reader refuses other text.
    Array(#"{"deviceRequest":"\#(escaped(deviceRequest))","encryptionInfo":"\#(escaped(encryptionInfo))"}"#.utf8)
  }

  private func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }) { return text }
    let encoder = JSONEncoder()
    guard let quoted = try? encoder.encode([text]) else { return "" }
    return String(String(decoding: quoted, as: UTF8.self).dropFirst(2).dropLast(2))
  }

  /// Decodes the device request.
  /// - Throws: ``ExchangeError``.
  public func deviceRequestBytes() throws(ExchangeError) -> [UInt8] {
    guard let bytes = Base64URL.decode(deviceRequest) else {
      throw ExchangeError(.requestData, "deviceRequest is not base64url without padding")
    }
    return bytes
  }
}
