import FoundationEssentials
import JSON
import MobileDocument
import Primitives

/// The `data` of an `org-iso-mdoc` request: UTF-8 JSON with two base64url texts (ISO/IEC 18013-7, C.2). It is also
/// what an operating system hands to a document provider as the raw request.
public struct RequestData: Sendable, Equatable {
  /// Base64url of `DeviceRequest`, as sent.
  public let deviceRequest: String
  /// Base64url of `EncryptionInfo`, as sent.
  public let encryptionInfo: String

  private struct Members: Codable {
    let deviceRequest: String
    let encryptionInfo: String
  }

  /// Data from its texts.
  public init(deviceRequest: String, encryptionInfo: String) {
    self.deviceRequest = deviceRequest
    self.encryptionInfo = encryptionInfo
  }

  /// Reads the JSON. Members that are not known are ignored.
  /// - Throws: ``ExchangeError``.
  public init(json: [UInt8]) throws(ExchangeError) {
    do { try RequestLimit.data.check(json.count) } catch { throw ExchangeError(.requestData, error) }
    guard let members = JSONCoding.decode(Members.self, from: json) else {
      throw ExchangeError(.requestData)
    }
    deviceRequest = members.deviceRequest
    encryptionInfo = members.encryptionInfo
  }

  /// The JSON, members in alphabetical order.
  public var json: [UInt8] {
    // Base64url needs no escaping, and a text that is not base64url is refused by whoever reads it.
    Array(#"{"deviceRequest":"\#(escaped(deviceRequest))","encryptionInfo":"\#(escaped(encryptionInfo))"}"#.utf8)
  }

  private func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }) { return text }
    let encoder = JSONEncoder()
    guard let quoted = try? encoder.encode([text]) else { return "" }
    return String(String(decoding: quoted, as: UTF8.self).dropFirst(2).dropLast(2))
  }

  /// The decoded device request.
  /// - Throws: ``ExchangeError``.
  public func deviceRequestBytes() throws(ExchangeError) -> [UInt8] {
    guard let bytes = Base64URL.decode(deviceRequest) else {
      throw ExchangeError(.requestData, "deviceRequest is not base64url without padding")
    }
    return bytes
  }
}
