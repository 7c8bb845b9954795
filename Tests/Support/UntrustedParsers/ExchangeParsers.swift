import Certificates
import Crypto
import DevicePlatform
import DigitalCredentials
import Inspection
import JSON
import MobileDocument
import Primitives
import TestSupport
import WebPresentment

extension UntrustedParser {
  /// Encryption information in base64url.
  static let encryptionInfo = UntrustedParser(
    "encryption-info",
    seeds: {
      Seeds.texts("encryption_info_b64u", of: "annex_c_dcapi") + Seeds.texts("base64url", of: "synthetic_annex_c")
    }
  ) { bytes in
    let info = try EncryptionInfo(text: text(bytes))
    return info.nonce.count + info.text.utf8.count
  }

  /// Sealed responses, and opening them with another key.
  static let encryptedResponse = UntrustedParser(
    "encrypted-response",
    seeds: { Seeds.bytes("response_hex", of: "annex_c_dcapi") + Seeds.bytes("response_hex", of: "synthetic_annex_c") }
  ) { bytes in
    let sealed = try EncryptedResponse(encoded: bytes)
    try BrokenPromise.unless(
      (try? EncryptedResponse(encoded: sealed.encoded)) == sealed, "written and read again it is another")
    if (try? sealed.open(with: recipient, transcript: transcript)) != nil {
      throw BrokenPromise(description: "opened with a key that is not the recipient's")
    }
    return sealed.cipherText.count + sealed.encapsulatedKey.count
  }

  private static let recipient = FixedKeys.agreement(2)

  /// The JSON of a request and everything in it, as a sandbox reads it.
  static let requestJSON = UntrustedParser("json-request", growth: 16, seeds: { Seeds.requestData }) { bytes in
    let data = try RequestData(json: bytes)
    try BrokenPromise.unless(RequestData(json: data.json) == data, "written and read again it is another")
    return SandboxAnswer(try RequestSandbox.parse(bytes, origin: "https://example.com")).bytes.count
  }

  /// The options of a page's call of `get()`.
  static let optionsJSON = UntrustedParser(
    "json-options",
    seeds: {
      Seeds.requestData.map {
        Array(#"{"digital":{"requests":[{"protocol":"org-iso-mdoc","data":"#.utf8) + $0
          + Array(#"}]},"mediation":"required"}"#.utf8)
      }
    }
  ) { bytes in
    let options = try CredentialRequestOptions(reading: bytes)
    let again = try CredentialRequestOptions(reading: options.serialized)
    try BrokenPromise.unless(again == options, "written and read again they are others")
    return options.serialized.count
  }

  /// Base64url: every text that is read is written back unchanged.
  static let base64URL = UntrustedParser(
    "base64url",
    seeds: { Seeds.texts("encryption_info_b64u", of: "annex_c_dcapi") + [[], Array("AA".utf8), Array("_-8".utf8)] }
  ) { bytes in
    let text = try text(bytes)
    guard let decoded = Base64URL.decode(text) else { throw NoValue() }
    try BrokenPromise.unless(Base64URL.encode(decoded) == text, "written and read again it is another")
    return decoded.count
  }

  /// The sandbox process's answer about a request.
  static let sandboxAnswer = UntrustedParser(
    "sandbox-answer", growth: 8,
    seeds: {
      Seeds.requestData.map { RequestSandbox.answer(to: call($0)).bytes }
        + Seeds.deviceRequests.map { request in
          let data = RequestData(deviceRequest: Base64URL.encode(request), encryptionInfo: information)
          return RequestSandbox.answer(to: call(data.json)).bytes
        }
    }
  ) { bytes in
    try BrokenPromise.unless(SandboxFrame.length(bytes.prefix(SandboxFrame.headerLength)) >= 0, "a length below zero")
    guard let answer = SandboxAnswer(bytes) else { throw NoValue() }
    try BrokenPromise.unless(
      SandboxAnswer(answer.bytes)?.bytes == answer.bytes, "written and read again it is another")
    if case .partialRequest(let body) = answer.content {
      var memory = CertificateMemory()
      try BrokenPromise.unless(body.request(&memory) != nil, "a request that cannot be read was let through")
    }
    return answer.bytes.count
  }

  /// The operating system's call of a sandbox process.
  static let sandboxCall = UntrustedParser("sandbox-call", seeds: { Seeds.requestData.prefix(4).map(call) }) { bytes in
    let body = try JSONCoding.decode(ParseBody.self, from: bytes)
    let written = JSONCoding.encode(body)
    let again = try JSONCoding.decode(ParseBody.self, from: written)
    try BrokenPromise.unless(
      again.origin.utf8.elementsEqual(body.origin.utf8) && again.requestData == body.requestData,
      "written and read again it is another")
    return body.origin.utf8.count + body.requestData.count
  }

  /// A JSON text: a view of it and the value are the same, and what is written is read again.
  static let json = UntrustedParser(
    "json", growth: 8,
    seeds: {
      [
        #"{"a":[true,false,null,{"b\u00e9":"\ud83d\ude00\n"}],"c":-1.5e+7,"d":"é\\","e":{}}"#,
        #"[ [] , {"z" : 0 , "a" : "x" } , "" , "0123456789abcdef0123456789\"" ]"#,
      ].map { Array($0.utf8) } + Seeds.requestData.prefix(2)
    }
  ) { bytes in
    let item = try JSONReader.item(bytes)
    let value = try JSONReader.read(bytes, repeatedNames: .refused)
    try BrokenPromise.unless(JSONValue(item) == value, "the view has another value")
    try BrokenPromise.unless(try JSONReader.read(value.bytes) == value, "written and read again it is another")
    try BrokenPromise.unless(try JSONReader.read(value.indented) == value, "indented and read again it is another")
    return value.bytes.count
  }

  private static func call(_ requestData: [UInt8]) -> [UInt8] {
    JSONCoding.encode(ParseBody(origin: "https://verifier.example.com", requestData: requestData))
  }

  private static var information: String {
    (try? Vectors.entry("encryption-info", of: "synthetic_annex_c.json").text("base64url")) ?? ""
  }

  /// Origins, addresses and policies with them: a written origin can be read back.
  static let origin = UntrustedParser(
    "origin",
    seeds: {
      [
        "https://example.com", "http://localhost:5173", "https://user@host:443/p?q#f", "https://[2001:db8::1]:8443",
        "https://1.2.3.4", "HTTPS://xn--bcher-kva.example:0443/", "null", "'self' https://a.example *",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let text = try text(bytes)
    let example = try Origin(serialized: "https://example.com")
    _ = PolicyAllowlist.reading(allow: text, container: example, source: example)
    let origin = try Origin(url: text)
    let written = "\(origin)"
    try BrokenPromise.unless(Origin(serialized: written) == origin, "\(written) is another origin")
    return written.utf8.count
  }

  /// An inspection prints lines of printable characters or lists the formats that it tried.
  static let inspection = UntrustedParser(
    "inspect", growth: 256,
    seeds: {
      Seeds.deviceRequests + Seeds.securityObjects + Seeds.annexD("issuer-auth", "cert-ds", "device-auth-mac")
        + Seeds.bytes("hex", of: "session_transcripts") + Seeds.texts("encryption_info_b64u", of: "annex_c_dcapi")
        + Seeds.requestData.prefix(4) + Seeds.qrCodes
    }
  ) { bytes in
    let text: String
    switch Inspector.inspect(bytes, options: [.offsets, .full]) {
    case .success(let lines): text = lines
    case .failure(let failure): text = failure.description + "\n"
    }
    try BrokenPromise.unless(text.hasSuffix("\n"), "the last line does not end")
    try BrokenPromise.unless(
      text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a }, "a control character is printed")
    return text.utf8.count
  }

  /// The characters of some bytes, for readers of text.
  static func text(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw NoValue() }
    return text
  }
}
