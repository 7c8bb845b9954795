import Foundation
import HybridTransport
import Inspection
import Primitives
import TestSupport
import TestTraits
import Testing

@Suite("QR codes, adverts and sessions across devices", .requiresHybridVectors)
struct CrossDeviceTests {
  /// The deterministic session of the vectors.
  private let session: JSON
  /// The session of a real iPhone.
  private let iPhone: JSON

  init() throws {
    session = try Vectors.hybridFile("session-dcp.json")
    iPhone = try Vectors.hybridFile("session-iphone.json")
  }

  private func text(_ json: JSON?) throws -> String { try #require(json?.text) }

  private func bytes(_ json: JSON?) throws -> [UInt8] { try #require(Hex.decode(try text(json))) }

  private func opened(_ bytes: [UInt8], with seal: SealKey) throws -> [String] {
    try Inspector.inspect(bytes, seal: seal).get().split(separator: "\n").map { String($0.drop { $0 == " " }) }
  }

  private func refusal(of bytes: [UInt8], with seal: SealKey) throws -> InspectionFailure {
    guard case .failure(let failure) = Inspector.inspect(bytes, seal: seal) else { throw Unexpected() }
    return failure
  }

  @Test("A QR code is printed with the meaning of its keys, and what its secret gives")
  func qrCode() throws {
    let code = try text(session["qr"]?["url"])
    let tunnel = try text(session["tunnelId"])
    let advertKey = try text(session["eidKey"])
    let lines = [
      "QR code of a client platform (CTAP, hybrid transport): 170 digits, 70 bytes",
      "0, identity key of the client platform: h'0262c0ef8bcfcf16...d9935d289442cee0' (33 bytes) / compressed point",
      "1, secret: h'500951224a653f45fcef7aa8f93178fe'", "2, known tunnel services: 2",
      "3, created: 1767225600 / 2026-01-01T00:00:00Z /", "4, can link devices (state-assisted transactions): false",
      "5, hint: \"dcp\" / presentation of a digital credential /", "derived from the secret",
      "tunnel identifier: h'\(tunnel)'", "path of the phone's tunnel: /cable/new/\(tunnel.uppercased())",
      "key of the advert's encryption: h'\(advertKey.prefix(64))'",
      "key of the advert's tag: h'\(advertKey.dropFirst(64))'",
    ]
    for form in [code, code.lowercased() + "\n"] {
      expect(try inspected(file(form)), has: ["read as the text of a QR code: "] + lines)
    }
    expect(try inspected(file(#"{"uri":"\#(code)"}"#)), has: ["read as JSON", "uri: \"FIDO:/"] + lines)
  }

  @Test("QR codes of other implementations are read")
  func realCodes() throws {
    let codes = try #require(try Vectors.hybridFile("qr.json")["real"]?.array)
    for code in codes {
      let lines = try inspected(file(try text(code["url"])))
      expect(lines, has: ["QR code of a client platform", "0, identity key", "1, secret", "derived from the secret"])
      #expect(!lines.contains { $0.contains("refused") })
    }
    expect(try inspected(file(try text(iPhone["qr"]))), has: ["6, channels: [", "0", "65535: "])
  }

  @Test("A code that a phone refuses is printed with the reason")
  func refusedCodes() throws {
    let known = try Vectors.hybridFile("qr.json")
    for code in try #require(known["urlErrors"]?.array) {
      let text = try text(code["url"])
      let result = Inspector.inspect(Array(text.utf8))
      switch result {
      case .success(let lines): #expect(lines.contains("would be refused: "), "\(text): \(lines)")
      case .failure(let failure):
        #expect(failure.attempts.contains { $0.form == .qrCode && $0.reason.contains("hybrid.qr-") }, "\(failure)")
      }
    }
    let offCurve = try #require(known["chromiumKnownCases"]?.array?.first { $0["id"]?.text == "QR-K02" })
    expect(
      try inspected(file(try text(offCurve["url"]))),
      has: ["0, identity key of the client platform: ", "would be refused: the identity key is not"])
  }

  @Test("An advert is opened with its QR code, alone and in advertising data")
  func advert() throws {
    let code = SealKey.qrCode(try QRPayload(uri: try text(session["qr"]?["url"])))
    let lines = [
      "advert of a phone that scanned the QR code", "nonce: h'", "routing identifier: h'", "tunnel service: ",
      "address of the client platform's tunnel: \(try text(session["desktopUrl"]).prefix(20))",
      "pre-shared key of the handshake: h'\(try text(session["psk"]))'",
    ]
    let advert = try bytes(session["advert"])
    let suffix = try bytes(.text("a101191234"))
    expect(try opened(advert, with: code), has: ["read as sealed bytes: 20 bytes"] + lines)
    expect(try opened(file(hexadecimal(advert)), with: code), has: ["read as hexadecimal text"] + lines)
    expect(try opened(try bytes(session["legacyAdvertisingData"]), with: code), has: lines)
    expect(
      try opened(advert + suffix, with: code),
      has: lines + ["suffix, not authenticated: channels of CTAP 2.3", "{", "1: 4660"])
    let iPhoneCode = SealKey.qrCode(try QRPayload(uri: try text(iPhone["qr"])))
    expect(
      try opened(try bytes(iPhone["advert"]), with: iPhoneCode),
      has: ["tunnel service: 1 / cable.auth.com /", "address of the client platform's tunnel: wss://cable.auth.com/"])
    #expect(try refusal(of: advert, with: iPhoneCode).attempts.contains { $0.reason.contains("hybrid.advert-tag") })
  }

  @Test("Advertising data is recognized without its key")
  func advertisingData() throws {
    let data = try text(session["legacyAdvertisingData"])
    expect(
      try inspected(file(data)),
      has: ["advertising data of a phone", "advert, sealed: h'\(try text(session["advert"]))'"])
  }

  @Test("Each message of a session is opened with the key of its direction", arguments: ["iphone", "dcp"])
  func messages(name: String) throws {
    let session = name == "dcp" ? self.session : iPhone
    let keys = name == "dcp" ? session : try #require(session["derived"])
    for frame in try #require(session["frames"]?.array) {
      let isOfPhone = frame["dir"]?.text == "phone->desktop"
      let key = try bytes(keys[isOfPhone ? "desktopReadKey" : "desktopWriteKey"])
      let counter = UInt32(try #require(frame["seq"]?.number))
      let sealed = try bytes(frame["ciphertext"])
      let plaintext = try bytes(frame["plaintext"])
      let title =
        "message \(counter) of a session (CTAP, hybrid transport): \(byteCount(plaintext.count)), \(sealed.count)"
      let content =
        switch plaintext[0] {
        case 0: "type 0 / shutdown /"
        case 1: "type 1 / CTAP /"
        case 3: "type 3 / JSON /"
        default: "features of the phone"
        }
      for counter in [nil, counter] {
        expect(try opened(sealed, with: .session(key: key, counter: counter)), has: [title, content])
      }
      let failure = try refusal(of: sealed, with: .session(key: key, counter: counter + 1))
      #expect(failure.description.contains("hybrid.frame-authentication"))
    }
  }

  @Test("The request and the response of a session are printed as JSON with their artifacts")
  func json() throws {
    let frames = try #require(session["frames"]?.array)
    expect(
      try opened(
        try bytes(frames[1]["ciphertext"]),
        with: .session(key: try bytes(session["desktopWriteKey"]), counter: 0)),
      has: [
        "type 3 / JSON /", "request to another device (CTAP)", "origin: \"https://rp.example\"",
        "encryptionInfo: base64url", "EncryptionInfo", "requestType: \"credential.get\"",
      ])
    expect(
      try opened(
        try bytes(frames[2]["ciphertext"]), with: .session(key: try bytes(session["desktopReadKey"]), counter: 1)),
      has: ["type 3 / JSON /", "response of another device (CTAP)", "response: base64url", "EncryptedResponse"])
  }

  @Test("The command takes the text of a QR code as its argument, and keys as options")
  func command() async throws {
    let code = try text(session["qr"]?["url"])
    let advert = try text(session["advert"])
    let message = try text(session["frames"]?.array?[0]["ciphertext"])
    let key = try text(session["desktopReadKey"])
    func run(_ arguments: [String], _ input: String = "") async throws -> Programs.Run {
      try await Programs.run(Programs.presentment, ["inspect"] + arguments, input: input)
    }
    for (arguments, input, line) in [
      ([code], "", "QR code of a client platform"),
      (["-", "--qr-code", code], advert, "advert of a phone that scanned"),
      (["-", "--session-key", key], message, "message 0 of a session"),
    ] {
      let done = try await run(arguments, input)
      #expect(done.code == 0 && done.output.contains(line), "\(done)")
    }
    for (arguments, message) in [
      (["-", "--qr-code", "FIDO:/0"], "--qr-code: no number of bytes has this number of digits"),
      (["-", "--session-key", "00"], "--session-key: expected 64 hexadecimal digits"),
      (["-", "--counter", "1"], "--counter requires --session-key"),
      (["-", "--session-key", key, "--qr-code", code], "exclude each other"),
      (["-", "--session-key", key, "--counter", "7"], "does not decrypt with this direction's key and counter"),
      (["FIDO:/0"], "not the text of a QR code: no number of bytes has this number of digits"),
    ] {
      let done = try await run(arguments, advert)
      #expect(done.code == 2 && done.errors.contains(message), "\(done)")
    }
  }

  @Test("An advert in a trace is opened with a QR code that the trace shows before")
  func trace() throws {
    func message(_ line: Int, _ kind: String, _ type: String, _ bytes: [UInt8]) -> String {
      let content = Data(bytes).base64EncodedString()
      return #"{"by":"page:shop","line":\#(line),"message":{"bytes":"\#(content)","kind":"\#(kind)","number":\#(line),"#
        + #""to":"browser:phone","type":"\#(type)"},"time":1757955600000000001}"#
    }
    let screen = Array(#"{"uri":"\#(try text(session["qr"]?["url"]))"}"#.utf8)
    let advert = message(
      3, "advert", "application/vnd.presentment.advertising-data", try bytes(session["legacyAdvertisingData"]))
    let lines = [
      message(1, "show QR code", "application/vnd.presentment.screen+json", screen), advert,
      message(4, "scan QR code", "text/plain", Array(try text(session["qr"]?["url"]).utf8)),
      message(5, "GET tunnel", "message/http", Array("GET /cable/new HTTP/1.1\r\nUpgrade: websocket\r\n\r\n".utf8)),
      message(6, "tunnel message", "application/octet-stream", try bytes(session["message1"])),
    ]
    expect(
      try inspected(file(lines.joined(separator: "\n"))),
      has: [
        "QR code of a client platform", "advertising data of a phone", "advert of a phone that scanned the QR code",
        "QR code of a client platform", "\"GET /cable/new HTTP/1.1\"", "\"Upgrade: websocket\"", "sealed: h'",
      ])
    expect(try inspected(file(advert)), has: ["advertising data of a phone", "advert, sealed: h'"])
  }
}

/// A number of bytes in words.
private func byteCount(_ count: Int) -> String { "\(count) \(count == 1 ? "byte" : "bytes")" }
