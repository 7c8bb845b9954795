import Certificates
import Foundation
import Inspection
import MobileDocument
import Testing
import WebPresentment

@Suite("Traces")
struct TraceTests {
  let sample: Sample

  init() throws { sample = try Sample() }

  private func message(_ line: Int, _ kind: String, _ type: String, _ bytes: [UInt8]) -> String {
    let content = Data(bytes).base64EncodedString()
    return #"{"by":"page:shop","line":\#(line),"message":{"bytes":"\#(content)","kind":"\#(kind)","number":\#(line),"#
      + #""to":"browser:phone","type":"\#(type)"},"time":1757955600000000001}"#
  }

  @Test("each message is inspected by its media type")
  func trace() throws {
    let check =
      #"{"by":"server:shop","check":{"check":"issuer.signature","evidence":[{"field":"issuer","found":"CN=\u001b"}],"#
      + #""message":"passed","status":"passed"},"line":5,"time":-1}"#
    let call = Array(
      #"{"call":1,"options":{"digital":{"requests":[\#(String(decoding: sample.requestData, as: UTF8.self))]}}}"#.utf8)
    let text = [
      message(1, "navigator.credentials.get", "application/json", call),
      message(2, "document response", "application/cbor", sample.encryptedResponse),
      message(3, "root certificate", "application/pkix-cert", sample.readerRoot),
      message(4, "certify reader", "application/pkcs10", sample.certificateRequest),
      check,
      "{\"line\":",
      message(7, "show view", "application/vnd.presentment.screen+json", Array("nonsense".utf8)),
      message(8, "reader certificate", "application/pem-certificate-chain", CertificateChain.pem([sample.readerRoot])),
    ].joined(separator: "\n")
    expect(
      try inspected(file(text)),
      has: [
        "read as a trace: 8 lines", "line 1, 2025-09-15T17:00:00.000000001Z",
        "message 1, page:shop to browser:phone, \"navigator.credentials.get\"", "application/json, ",
        "options: options of navigator.credentials.get", "DeviceRequest", "EncryptionInfo", "line 2, ",
        "EncryptedResponse", "line 3, ", "certificate", "profile: reader root, likely", "line 4, ",
        "certificate request (PKCS#10)", "line 5, 1969-12-31T23:59:59.999999999Z",
        "server:shop: check, passed, issuer.signature", "\"passed\"", "issuer: \"CN=\\u{1b}\"",
        "line 6 of the file is not a line of a trace", "line 7, ", "cannot be read: ", "h'6e6f6e73656e7365'",
        "line 8, ", "application/pem-certificate-chain, ", "read as PEM: 1 block",
      ])
  }

  @Test("a single line is a trace")
  func oneLine() throws {
    expect(
      try inspected(file(message(12, "document", "application/cbor", sample.issuerSigned))),
      has: ["read as a trace: 1 line", "line 12, ", "application/cbor, ", "IssuerSigned", "given_name"])
  }
}
