import CBOR
import COSE
import Flaws
import MobileDocument
import Primitives
import WebPresentment

/// Something wrong with what a browser hands to the operating system, which no browser of a world does by itself. Named
/// like the end of the code that the sandbox refuses it with.
public enum MalformedRequest: String, Sendable, CaseIterable {
  /// The request data is a JSON object without its members.
  case requestData = "request-data"
  /// The encryption information is no CBOR.
  case encryptionInfo = "encryption-info"
  /// The device request is of another major version.
  case version
  /// The first reader's certificate is no certificate.
  case readerCertificate = "reader-certificate"

  /// What is wrong, in words.
  var sentence: String {
    switch self {
    case .requestData: "the browser hands over request data without its members"
    case .encryptionInfo: "the browser hands over encryption information that is no CBOR"
    case .version: "the browser hands over a device request of version 2.0"
    case .readerCertificate: "the browser hands over a reader certificate that is none"
    }
  }

  /// The request data with this wrong.
  /// - Throws: ``FlawDoesNotFit`` when there is nothing that could be changed so, such as a reader's certificate in a
  ///   request that nobody signed.
  func applied(to requestData: String) throws -> String {
    let data = try RequestData(json: Array(requestData.utf8))
    func with(deviceRequest: String? = nil, encryptionInfo: String? = nil) -> String {
      let changed = RequestData(
        deviceRequest: deviceRequest ?? data.deviceRequest, encryptionInfo: encryptionInfo ?? data.encryptionInfo)
      return String(decoding: changed.json, as: UTF8.self)
    }
    switch self {
    case .requestData: return "{}"
    case .encryptionInfo: return with(encryptionInfo: "_w")
    case .version:
      return with(
        deviceRequest: try Self.changing(data.deviceRequest, [.member(.text("version"))]) { _ in .text("2.0") })
    case .readerCertificate:
      let chain: [CBORPlace] = [
        .member(.text("readerAuthAll")), .element(0), .element(1), .member(.integer(COSEHeaderLabel.x5chain)),
      ]
      return with(deviceRequest: try Self.changing(data.deviceRequest, chain) { _ in .bytes([0x30, 0x00]) })
    }
  }

  private static func changing(
    _ text: String, _ path: [CBORPlace], _ change: (CBORValue) -> CBORValue
  ) throws -> String {
    guard let bytes = Base64URL.decode(text) else { throw FlawDoesNotFit("the request is no base64url") }
    return Base64URL.encode(try CBORValue(try CBORReader.read(bytes)).changing(path, change).encoded)
  }
}
