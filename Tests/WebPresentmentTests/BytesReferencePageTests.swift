import Crypto
import Foundation
import MobileDocument
import Primitives
import TestSupport
import Testing

@testable import WebPresentment

/// The values of the worked example in docs/the-bytes.md, computed from its exchange file.
@Suite("The worked example of the bytes")
struct BytesReferencePageTests {
  private struct Exchange: Decodable {
    struct Request: Decodable { var encryptionInfo: String }
    struct Key: Decodable { var d: String }

    var origin: String
    var request: Request
    var recipientPrivateKey: Key
    var response: String
  }

  private static let docs = Programs.package.appendingPathComponent("docs")
  private static let lineBytes = 32

  /// The values with their names, in the order of the page.
  private static func values() throws -> [(name: String, bytes: [UInt8])] {
    let file = try Data(contentsOf: docs.appendingPathComponent("examples/the-bytes.json"))
    let exchange = try JSONDecoder().decode(Exchange.self, from: file)
    let info = try EncryptionInfo(text: exchange.request.encryptionInfo)
    let transcript = info.sessionTranscript(origin: exchange.origin)
    let key = try P256.KeyAgreement.PrivateKey(
      rawRepresentation: #require(Base64URL.decode(exchange.recipientPrivateKey.d)))
    let sealed = try EncryptedResponse(encoded: #require(Base64URL.decode(exchange.response)))
    let shared = try HPKEEncapsulation(opening: sealed.encapsulatedKey, with: key).sharedSecret
    let schedule = HPKEKeySchedule(sharedSecret: shared, info: transcript.encoded)
    let opened = try sealed.open(with: key, transcript: transcript)
    var values: [(String, [UInt8])] = [
      ("EncryptionInfo", try #require(Base64URL.decode(info.text))), ("SessionTranscript", transcript.encoded),
      ("enc", sealed.encapsulatedKey), ("shared_secret", shared), ("key", schedule.key),
      ("base_nonce", schedule.baseNonce), ("SHA-256 of DeviceResponse", Array(SHA256.hash(data: opened))),
    ]
    for document in try UnverifiedDeviceResponse(opened).documents {
      for item in document.issuerSigned.nameSpaces.flatMap(\.items) {
        values.append(("digest of \(item.value.elementIdentifier)", Array(SHA256.hash(data: item.bytes))))
      }
      let signed = try #require(document.deviceSigned)
      values.append(
        (
          "DeviceAuthenticationBytes",
          transcript.deviceAuthenticationBytes(
            documentType: document.documentType, deviceNameSpacesBytes: signed.nameSpacesBytes)
        ))
    }
    return values
  }

  @Test func thePageHasTheValuesOfItsExchange() throws {
    var lines = ["", "```"]
    for (name, bytes) in try Self.values() {
      lines.append(name)
      for start in stride(from: 0, to: bytes.count, by: Self.lineBytes) {
        lines.append("  " + hexadecimal(bytes[start..<min(start + Self.lineBytes, bytes.count)]))
      }
    }
    let text = (lines + ["```", "", ""]).joined(separator: "\n")
    try GeneratedPage("docs/the-bytes.md")
      .check(between: "<!-- values: the-bytes.json -->\n", and: "<!-- end -->", is: text)
  }
}
