import CBOR
import Crypto
import Inspection
import MobileDocument
import Primitives
import Proximity
import TestSupport
import TestTraits
import Testing

@Suite("Engagements and sessions in person")
struct InPersonTests {
  /// A way in which an engagement reaches the reader.
  enum Engaging: CaseIterable {
    case qrCode, qrCodeText, staticHandover, negotiatedHandover
  }

  /// The files of a session, in their order, and the messages inside.
  private struct Session {
    let engaging: [[UInt8]]
    let establishment: [UInt8]
    let messages: [[UInt8]]
  }

  private static let request: [UInt8] = CBORValue.map([.init(.text("request"), .unsigned(1))]).encoded
  private static let responses = (1...4).map { CBORValue.map([.init(.text("response"), .unsigned($0))]).encoded }

  private static func key(_ number: UInt8) throws -> EphemeralPrivateKey {
    .p256(try fixedAgreementKey(number))
  }

  private static func service() throws -> BluetoothUUID {
    try #require(BluetoothUUID([1, 2, 3, 4, 5, 6, 7, 8, 0x89, 10, 11, 12, 13, 14, 15, 16]))
  }

  private static func session(_ engaging: Engaging) throws -> Session {
    let device = try key(1)
    let reader = try key(2)
    let options = try #require(RetrievalMethod.BluetoothOptions(centralClient: try service()))
    let isCode = engaging == .qrCode || engaging == .qrCodeText
    let engagement = try DeviceEngagement(deviceKey: device, methods: isCode ? [.bluetooth(options)] : [])
    let carrier = HandoverMessage.Carrier.bluetooth(BluetoothCarrier(.central, uuid: try service()))
    let select = HandoverMessage.select([carrier], engagement: engagement.bytes)
    let offer = HandoverMessage.request([carrier, .nfc(NFCCarrier(nil))])
    let files: [[UInt8]]
    let handover: Handover
    switch engaging {
    case .qrCode: (files, handover) = ([engagement.bytes], .qrCode)
    case .qrCodeText: (files, handover) = ([Array(engagement.uri.utf8)], .qrCode)
    case .staticHandover: (files, handover) = ([select.bytes], .nfc(select: select.bytes, request: nil))
    case .negotiatedHandover:
      (files, handover) = ([offer.bytes, select.bytes], .nfc(select: select.bytes, request: offer.bytes))
    }
    let transcript = SessionTranscript(
      deviceEngagement: engagement.bytes, readerKeyBytes: reader.taggedPublicKey, handover: handover)
    let keys = try SessionKeys(own: reader, other: engagement.deviceKey.value, transcript: transcript)
    var fromReader = SessionCipher(.reader, keys)
    var fromDevice = SessionCipher(.device, keys)
    return Session(
      engaging: files,
      establishment: SessionEstablishment.encoded(
        readerKeyBytes: reader.taggedPublicKey, data: try fromReader.seal(request)),
      messages: try responses.map { SessionData(data: try fromDevice.seal($0), status: nil).encoded })
  }

  /// The lines of each file, one after the other.
  private static func lines(_ files: [[UInt8]], key: EphemeralPrivateKey) throws -> [String] {
    var session: InPersonSession? = InPersonSession(key)
    return try files.flatMap { file in
      try Inspector.inspect(file, following: &session).get().split(separator: "\n").map { line in
        String(line.drop { $0 == " " })
      }
    }
  }

  @Test("A session's messages open with the ephemeral key of either end", arguments: Engaging.allCases, [UInt8(1), 2])
  func opens(_ engaging: Engaging, own: UInt8) throws {
    let session = try Self.session(engaging)
    let files = session.engaging + [session.establishment] + session.messages
    let lines = try Self.lines(files, key: try Self.key(own))
    expect(
      lines,
      has: ["SessionEstablishment", "data: message 1 of the reader, 10 bytes, 26 sealed", "\"request\": 1"]
        + (1...4).flatMap { ["data: message \($0) of the mdoc, 11 bytes, 27 sealed", "\"response\": \($0)"] })
    // A message may be missing.
    expect(
      try Self.lines(session.engaging + [session.establishment, session.messages[2]], key: try Self.key(own)),
      has: ["data: message 1 of the reader", "data: message 3 of the mdoc"])
  }

  @Test("A message that does not open says why", arguments: Engaging.allCases)
  func staysSealed(_ engaging: Engaging) throws {
    let session = try Self.session(engaging)
    let key = try Self.key(1)
    func sealed(_ files: [[UInt8]], _ key: EphemeralPrivateKey) throws -> [String] {
      try Self.lines(files, key: key).filter { $0.hasPrefix("sealed") || $0.hasPrefix("data: message") }
    }
    let missing = "sealed, not opened: the session establishment is missing: it comes before the other messages"
    #expect(
      try sealed([session.establishment, session.messages[0]], key)
        == ["sealed, not opened: the device engagement is missing: it comes before the session's messages", missing])
    #expect(try sealed(session.engaging + [session.messages[0]], key) == [missing])
    #expect(
      try sealed(session.engaging + [session.establishment], try Self.key(3))
        == ["sealed, not opened: the ephemeral private key is neither the mdoc's nor the reader's"])
    let altered = session.establishment.dropLast() + [session.establishment[session.establishment.count - 1] ^ 1]
    #expect(
      try sealed(session.engaging + [Array(altered), session.messages[0]], key) == [
        "sealed, not opened: it does not decrypt with a key of this session and its next counters",
        "data: message 1 of the mdoc, 11 bytes, 27 sealed",
      ])
    // Without the reader's offer the transcript is that of a static handover.
    if engaging == .negotiatedHandover {
      #expect(
        try sealed(session.engaging.suffix(1) + [session.establishment], key)
          == ["sealed, not opened: it does not decrypt with a key of this session and its next counters"])
    }
    // Another engagement begins another session.
    let other = try DeviceEngagement(deviceKey: try Self.key(4), methods: [])
    #expect(
      try sealed(session.engaging + [session.establishment, other.bytes, session.messages[0]], key)
        == ["data: message 1 of the reader, 10 bytes, 26 sealed", missing])
  }

  @Test("An engagement is printed with what it offers")
  func engagement() throws {
    let session = try Self.session(.qrCode)
    let offer = "Bluetooth Low Energy: mdoc central client mode, service 01020304-0506-0708-890a-0b0c0d0e0f10"
    expect(
      try inspected(session.engaging[0]),
      has: ["read as raw CBOR", "DeviceEngagement", "version (0): \"1.0\"", "device retrieval methods (2)", offer])
    let text = try Self.session(.qrCodeText).engaging[0]
    for text in [text, Array("MDOC:".utf8) + text.dropFirst(5) + [0x0a]] {
      expect(
        try inspected(text), has: ["read as the text of a QR code", "QR code of an mdoc", "DeviceEngagement", offer])
    }
    let code = try failure(of: Array("mdoc://AAAA".utf8))
    #expect("\(code)".contains("the text has an authority"))
    // The key is missing.
    let value = CBORValue.map([
      .init(.integer(0), .text("1.0")), .init(.integer(1), .array([.unsigned(2), .tagged(24, .bytes([0xa0]))])),
    ])
    expect(try inspected(value.encoded), has: ["DeviceEngagement", "would be refused: "])
  }

  @Test("A connection handover is printed with its carriers and its engagement")
  func handover() throws {
    let files = try Self.session(.negotiatedHandover).engaging
    let carrier = "Bluetooth Low Energy: mdoc central client mode; service 01020304-0506-0708-890a-0b0c0d0e0f10"
    expect(
      try inspected(files[0]),
      has: [
        "read as an NDEF message", "NDEF message: 4 records", "handover request message, of the reader",
        "Bluetooth Low Energy: mdoc peripheral server mode", "NFC",
      ])
    expect(
      try inspected(files[1]),
      has: ["NDEF message: 3 records", "handover select message, of the mdoc", carrier, "DeviceEngagement"])
  }

  @Test("The session of ISO/IEC 18013-5 annex D opens with each key", .requiresVectors, arguments: [0, 1])
  func annexD(end: Int) throws {
    func bytes(_ identifier: String) throws -> [UInt8] {
      try Vectors.entry(identifier, of: "iso18013_5_annex_d.json").bytes("hex")
    }
    let key = try bytes(["key-EDeviceKey", "key-EReaderKey"][end])
    // The names of both messages are interchanged in the file.
    let files = try [
      "nfc-handover-select", "nfc-handover-request", "session-establishment", "session-data", "session-termination",
    ].map(bytes)
    let lines = try Self.lines(files, key: .p256(try P256.KeyAgreement.PrivateKey(rawRepresentation: key)))
    expect(
      lines,
      has: [
        "handover request message", "handover select message", "data: message 1 of the reader, 719 bytes, 735 sealed",
        "DeviceRequest", "data: message 1 of the mdoc, 3562 bytes, 3578 sealed", "DeviceResponse",
        "status: 20 / session termination /",
      ])
  }
}
