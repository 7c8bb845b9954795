import CBOR
import Crypto
import Foundation
import Inspection
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment

@Suite("Forms of input")
struct FormTests {
  let sample: Sample

  init() throws { sample = try Sample() }

  @Test("hexadecimal may have white space, a prefix and capitals")
  func hexadecimalText() throws {
    let digits = hexadecimal(sample.deviceRequest)
    for text in [
      digits, "0x\(digits)\n", digits.uppercased(), "  " + digits.prefix(10) + "\n\t" + digits.dropFirst(10),
    ] {
      expect(
        try inspected(file(text)),
        has: ["read as hexadecimal text: \(sample.deviceRequest.count) bytes", "DeviceRequest"])
    }
  }

  @Test("base64url and base64 may be wrapped and padded")
  func base64Text() throws {
    let strict = Base64URL.encode(sample.encryptedResponse)
    expect(try inspected(file(" \(strict)\r\n")), has: ["read as base64url text", "EncryptedResponse"])
    expect(
      try inspected(file(sample.encryptionInfo.text + "==")),
      has: ["read as base64url text", "note: the text is padded", "EncryptionInfo"])
    #expect(try failure(of: file(strict + "=====")).attempts.contains { $0.reason.contains("unexpected padding") })
    let wrapped = Data([0xfb, 0xff] + sample.deviceResponse).base64EncodedString()
    #expect(try failure(of: file(wrapped)).attempts.contains { $0.form == .base64 && $0.reason.contains("not CBOR") })
    let standard = Data(sample.deviceResponse).base64EncodedString(options: .lineLength76Characters)
    expect(try inspected(file(standard)), has: ["read as base64", "DeviceResponse"])
  }

  @Test("raw public points are named, uncompressed and compressed")
  func points() throws {
    let key = try fixedKey(1).publicKey
    expect(
      try inspected([UInt8](key.x963Representation)),
      has: ["read as a raw public point: 65 bytes", "public key: uncompressed point of P-256"])
    expect(
      try inspected([UInt8](key.compressedRepresentation)), has: ["public key: compressed point of P-256"])
    expect(
      try inspected(file(hexadecimal(key.x963Representation))), has: ["public key: uncompressed point of P-256"])
  }

  @Test("answers and requests of OpenID4VP are distinguished")
  func openID4VP() throws {
    let name = "of OpenID4VP over the Digital Credentials API"
    expect(
      try inspected(file(#"{"protocol":"openid4vp-v1-signed","data":{"vp_token":{"a":["b"]}}}"#)),
      has: ["response \(name)"])
    expect(
      try inspected(file(#"{"protocol":"openid4vp-v1-unsigned","data":{"response":"eyJ"}}"#)), has: ["response \(name)"]
    )
    expect(
      try inspected(file(#"{"protocol":"openid4vp-v1-signed","data":{"request":"eyJ"}}"#)), has: ["request \(name)"])
  }

  @Test("the parts of a browser handover have their names")
  func browserHandover() throws {
    let information = CBORValue.textMap([
      ("cat", .unsigned(1)), ("type", .unsigned(1)), ("details", .textMap([("baseUrl", .text("https://a.example"))])),
    ])
    let handover = CBORValue.array([
      .null, .null,
      .array([
        .text("BrowserHandoverv1"), .bytes([1, 2]), .bytes(information.encoded),
        .bytes([UInt8](repeating: 3, count: 32)),
      ]),
    ])
    expect(
      try inspected(handover.encoded),
      has: [
        "Handover: a superseded handover of browsers", "nonce: ", "OriginInfoBytes", "cat: 1",
        "\"baseUrl\": \"https://a.example\"",
        "SHA-256 of the recipient's public key: ",
      ])
  }

  @Test("PEM of any form is read")
  func pem() throws {
    let key = try fixedKey(1).publicKey
    let line = key.derRepresentation.base64EncodedString()
    let text = "  -----BEGIN PUBLIC KEY-----\n\n    \(line)\n  -----END PUBLIC KEY-----"
    expect(try inspected(file(text)), has: ["read as PEM: 1 block", "public key: "])
  }

  @Test("request data, requests, options and responses are read from JSON")
  func json() throws {
    let data = String(decoding: sample.requestData, as: UTF8.self)
    let inside = ["deviceRequest: base64url text", "DeviceRequest", "encryptionInfo: base64url text", "EncryptionInfo"]
    expect(
      try inspected(file(data)), has: ["read as JSON", "request data (ISO/IEC 18013-7 annex C)"] + inside)
    let request = #"{"protocol":"org-iso-mdoc","data":\#(data)}"#
    expect(
      try inspected(file(request)),
      has: ["request of the Digital Credentials API", "data: request data"] + inside + ["protocol: \"org-iso-mdoc\""])
    expect(
      try inspected(file(#"{"digital":{"requests":[\#(request),\#(request)]}}"#)),
      has: [
        "options of navigator.credentials.get", "digital: requests", "requests: array of 2 elements", "[0]: request of",
      ]
        + inside + ["[1]: request of"] + inside)
    let response = #"{"response":"\#(Base64URL.encode(sample.encryptedResponse))"}"#
    expect(
      try inspected(file(response)),
      has: ["response data (ISO/IEC 18013-7 annex C)", "response: base64url text", "EncryptedResponse"])
    expect(
      try inspected(file(#"{"data":\#(response),"protocol":"org-iso-mdoc"}"#)),
      has: ["response of the Digital Credentials API", "data: response data", "EncryptedResponse"])
  }

  @Test("JSON within JSON is read, as text and in base64url")
  func nestedJSON() throws {
    let data = String(decoding: sample.requestData, as: UTF8.self)
    let quoted = String(decoding: try JSONEncoder().encode(data), as: UTF8.self)
    expect(
      try inspected(file(#"{"origin":"https://a.example","requestData":\#(quoted)}"#)),
      has: ["origin: \"https://a.example\"", "requestData: a text of", "request data", "DeviceRequest"])
    expect(
      try inspected(file(#"{"requestData":"\#(Base64URL.encode(sample.requestData))"}"#)),
      has: ["requestData: base64url text", "request data", "DeviceRequest"])
  }

  @Test("members that are not artifacts are reported with the reason")
  func brokenMembers() throws {
    expect(
      try inspected(file(#"{"deviceRequest":"!","encryptionInfo":"AAAA"}"#)),
      has: [
        "deviceRequest: \"!\"", "cannot be read: the text is not base64url without padding",
        "encryptionInfo: base64url text of 4 characters, 3 bytes", "cannot be read: 3 bytes: not CBOR",
      ])
  }

  @Test(
    "unrecognized input lists the formats that were tried, in order",
    arguments: ["rubbish!", "hello world", "{\"a\":", "1"])
  func rubbish(text: String) throws {
    let found = try failure(of: file(text))
    #expect(found.code == .unrecognized)
    #expect(found.attempts.map(\.form) == InputForm.unsealed)
    #expect(found.attempts.allSatisfy { !$0.reason.isEmpty && !$0.reason.contains("\n") })
    #expect(found.description.split(separator: "\n").count == 1 + InputForm.unsealed.count)
    #expect(found.description.hasPrefix("unrecognized input (inspect.unrecognized)\n  not raw CBOR: "))
  }

  @Test("empty input and too long input are refused")
  func bounds() throws {
    #expect(try failure(of: []).code == .empty)
    #expect(try failure(of: [UInt8](repeating: 0x20, count: Inspector.maximumLength + 1)).code == .tooLarge)
    #expect(try failure(of: file("\n \n")).code == .unrecognized)
  }

  @Test("deep JSON is refused without exhausting the stack")
  func deepJSON() throws {
    for depth in [60, 400, 200_000] {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect(try failure(of: file(text)).attempts.contains { $0.form == .json })
    }
  }
}
