import CBOR
import Crypto
import MobileDocument
import Primitives
import Proximity
import TestSupport
import TestTraits
import Testing

@Suite("Session keys")
struct SessionKeyTests {
  @Test func areTheSameAtBothEndsOnEachCurve() throws {
    for key in try Fixed.keys() {
      let opening = SessionOpening(try Fixed.engagement(key: key), .qrCode)
      let readerBytes = key.taggedPublicKey
      let transcript = opening.transcript(readerKeyBytes: readerBytes)
      let ofDevice = try SessionKeys(own: key, other: opening.engagement.deviceKey.value, transcript: transcript)
      var sealing = SessionCipher(.reader, ofDevice)
      var reading = SessionCipher(.reader, ofDevice)
      #expect(try reading.open(sealing.seal([1, 2, 3])) == [1, 2, 3])
    }
  }

  /// RFC 7748, 6.1.
  @Test func onX25519AreThoseOfThePrintedSecret() throws {
    func key(_ text: String) throws -> EphemeralPrivateKey {
      .x25519(try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: Hex.bytes(text)))
    }
    let device = try key("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    let reader = try key("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    let secret = SymmetricKey(data: Hex.bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
    // COSE_Key of type OKP: without y (RFC 9053, 7.2).
    let head = Hex.bytes("a3010120042158208520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    #expect(device.publicKeyBytes == head)
    let opening = SessionOpening(try DeviceEngagement(Fixed.engagement(key: device).bytes, by: .qrCode), .qrCode)
    let transcript = opening.transcript(readerKeyBytes: reader.taggedPublicKey)
    func printed(_ info: String) -> [UInt8] {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: secret, salt: Array(SHA256.hash(data: transcript.sessionTranscriptBytes)),
        info: Array(info.utf8), outputByteCount: 32
      ).withUnsafeBytes { Array($0) }
    }
    for (own, other) in [(reader, opening.engagement.deviceKey.value), (device, reader.publicKey)] {
      let keys = try SessionKeys(own: own, other: other, transcript: transcript)
      #expect(keys.isEqual(reader: printed("SKReader"), device: printed("SKDevice")))
    }
  }

  @Test(
    arguments: [
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
  func areRefusedForAPointOfSmallOrder(_ point: String) throws {
    let own = try #require(try Fixed.keys().last)
    let key = CBORValue.map([
      .init(.integer(1), .integer(1)), .init(.integer(-1), .integer(4)), .init(.integer(-2), .bytes(Hex.bytes(point))),
    ])
    let security = CBORValue.array([.unsigned(1), .tagged(24, .bytes(key.encoded))])
    let engagement = try DeviceEngagement(Fixed.changed(Fixed.engagement().bytes, [1: security]), by: .qrCode)
    #expect(refusal { _ = try ReaderSession(SessionOpening(engagement, .qrCode), key: own) } == .sessionKey)
    var device = DeviceSession(SessionOpening(try Fixed.engagement(key: own), .qrCode), key: own)
    let message = SessionEstablishment.encoded(
      readerKeyBytes: CBORValue.tagged(24, .bytes(key.encoded)).encoded, data: [UInt8](repeating: 0, count: 32))
    let effects = device.receive(.received(message))
    #expect(effects.contains(.send(SessionData(data: nil, status: .encryptionError).encoded)))
    #expect(
      effects.contains { effect in
        if case .record(let results) = effect { results.map(\.name) == ["proximity.establishment/key"] } else { false }
      })
  }

  /// Ed25519 is for signatures, and the others are missing here.
  @Test(arguments: [(5, 56), (6, 32), (7, 57), (256, 32), (257, 40), (258, 48), (259, 64)])
  func areRefusedOnOtherCurves(_ curve: Int, _ size: Int) throws {
    let coordinate = CBORValue.bytes([UInt8](repeating: 9, count: size))
    let isOctetKeyPair = curve < 256
    var entries: [CBORValue.Entry] = [
      .init(.integer(1), .integer(isOctetKeyPair ? 1 : 2)), .init(.integer(-1), .integer(curve)),
      .init(.integer(-2), coordinate),
    ]
    if !isOctetKeyPair { entries.append(.init(.integer(-3), coordinate)) }
    let key = CBORValue.map(entries)
    let security = CBORValue.array([.unsigned(1), .tagged(24, .bytes(key.encoded))])
    let bytes = try Fixed.changed(Fixed.engagement().bytes, [1: security])
    #expect(refusal { _ = try DeviceEngagement(bytes, by: .qrCode) } == .engagementKey)
  }

  @Test func needKeysOnOneCurve() throws {
    let keys = try Fixed.keys()
    let opening = try Fixed.opening()
    #expect(refusal { _ = try ReaderSession(opening, key: keys[1]) } == .sessionCurve)
    #expect(refusal { _ = try ReaderSession(opening, key: keys[0]) } == nil)
  }

  /// Every part of the transcript is bound: another one gives other keys.
  @Test func bindTheWholeTranscript() throws {
    let device = try Fixed.deviceKey()
    let reader = try Fixed.readerKey()
    let engagement = try Fixed.engagement()
    func keys(_ handover: Handover, engagement: [UInt8], readerKeyBytes: [UInt8]) throws -> SessionKeys {
      try SessionKeys(
        own: reader, other: DeviceEngagement(engagement, by: .qrCode).deviceKey.value,
        transcript: SessionTranscript(
          deviceEngagement: engagement, readerKeyBytes: readerKeyBytes, handover: handover))
    }
    let other = try Fixed.changed(engagement.bytes, [77: .null])
    let all = [
      try keys(.qrCode, engagement: engagement.bytes, readerKeyBytes: reader.taggedPublicKey),
      try keys(.qrCode, engagement: other, readerKeyBytes: reader.taggedPublicKey),
      try keys(.qrCode, engagement: engagement.bytes, readerKeyBytes: device.taggedPublicKey),
      try keys(.nfc(select: [], request: nil), engagement: engagement.bytes, readerKeyBytes: reader.taggedPublicKey),
      try keys(.nfc(select: [1], request: nil), engagement: engagement.bytes, readerKeyBytes: reader.taggedPublicKey),
      try keys(.nfc(select: [1], request: []), engagement: engagement.bytes, readerKeyBytes: reader.taggedPublicKey),
      try keys(.nfc(select: [], request: [1]), engagement: engagement.bytes, readerKeyBytes: reader.taggedPublicKey),
    ]
    for (place, keys) in all.enumerated() {
      var sealing = SessionCipher(.reader, keys)
      let data = try sealing.seal([7])
      for (other, otherKeys) in all.enumerated() {
        var opening = SessionCipher(.reader, otherKeys)
        #expect((try? opening.open(data)) == (place == other ? [7] : nil))
      }
    }
  }

  @Test func doNotPrint() throws {
    let keys = SessionKeys(reader: [UInt8](repeating: 1, count: 32), device: [UInt8](repeating: 2, count: 32))
    #expect("\(keys)" == "SessionKeys" && "\(SessionCipher(.device, keys))" == "SessionCipher")
    #expect("\(try Fixed.deviceKey())" == "EphemeralPrivateKey")
    #expect(Mirror(reflecting: keys).children.isEmpty)
  }

  @Test(.requiresProximityVectors) func areThoseOfAnnexD() throws {
    let keys = try Known.entry("keys", of: "annex-d.json")
    let device = try keys.privateKey("EDeviceKey.priv")
    let reader = try keys.privateKey("EReaderKey.priv")
    #expect(device.taggedPublicKey == (try keys.bytes("EDeviceKeyBytes")))
    #expect(reader.taggedPublicKey == (try keys.bytes("EReaderKeyBytes")))
    let select = try Known.entry("handover-select", of: "annex-d.json").bytes("hex")
    let request = try Known.entry("handover-request", of: "annex-d.json").bytes("hex")
    let records = try Known.entry("handover-select", of: "annex-d.json").list("records")
    let engagement = try DeviceEngagement(#require(try records.last?.bytes("payload")), by: .nfc)
    let opening = SessionOpening(engagement, .nfc(select: select, request: request))
    let transcript = opening.transcript(readerKeyBytes: reader.taggedPublicKey)
    #expect(transcript.sessionTranscriptBytes == (try Known.annexD("session-transcript-bytes")))
    let answer = try Known.entry("session-keys-nfc-handover", of: "annex-d.json")
    #expect(hexadecimal(SHA256.hash(data: transcript.sessionTranscriptBytes)) == (try answer.text("salt")))
    let other = try SessionEstablishment(Known.annexD("session-establishment")).readerKey
    #expect(other.bytes == reader.taggedPublicKey)
    let derived = try SessionKeys(own: device, other: other.value, transcript: transcript)
    #expect(derived.isEqual(reader: try answer.bytes("SKReader"), device: try answer.bytes("SKDevice")))
    let ofReader = try SessionKeys(own: reader, other: engagement.deviceKey.value, transcript: transcript)
    #expect(ofReader.isEqual(reader: try answer.bytes("SKReader"), device: try answer.bytes("SKDevice")))
    let wrong = try Known.entry("wrong-salt-untagged", of: "annex-d.json")
    #expect(!derived.isEqual(reader: try wrong.bytes("SKReader"), device: try wrong.bytes("SKDevice")))
    let mac = try Known.entry("emackey", of: "annex-d.json")
    let documentKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: keys.bytes("SDeviceKey.priv"))
    let macKey = try DeviceMAC.key(
      privateKey: documentKey, publicKey: other.value.key.p256KeyAgreementKey(), transcript: transcript)
    #expect(macKey == SymmetricKey(data: try mac.bytes("EMacKey")))
  }

  @Test(.requiresProximityVectors) func ofTheQRVariantAreThoseOfTheIndependentProgram() throws {
    let keys = try Known.entry("keys", of: "annex-d.json")
    let device = try keys.privateKey("EDeviceKey.priv")
    let reader = try keys.privateKey("EReaderKey.priv")
    let code = try Known.entry("qr-uri", of: "annex-d.json")
    let engagement = try DeviceEngagement(uri: code.text("uri"))
    #expect(engagement.bytes == (try code.bytes("deviceEngagement")))
    let answer = try Known.entry("session-keys-qr-variant", of: "annex-d.json")
    let transcript = SessionOpening(engagement, .qrCode).transcript(readerKeyBytes: reader.taggedPublicKey)
    #expect(transcript.encoded == (try answer.bytes("SessionTranscript")))
    let derived = try SessionKeys(own: reader, other: engagement.deviceKey.value, transcript: transcript)
    #expect(derived.isEqual(reader: try answer.bytes("SKReader"), device: try answer.bytes("SKDevice")))
    guard case .p256(let readerKey) = reader else { return }
    let documentKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: keys.bytes("SDeviceKey.priv"))
    #expect(
      try DeviceMAC.key(privateKey: documentKey, publicKey: readerKey.publicKey, transcript: transcript)
        == SymmetricKey(data: answer.bytes("EMacKey")))
    #expect(device.curve == .p256)
  }

  @Test(.requiresProximityVectors) func deriveTheIdentifiers() throws {
    for (name, kind) in [
      ("ble-ident", .bluetoothIdent), ("nan-service-name", .wifiAwareService),
      ("nan-passphrase", .wifiAwarePassphrase),
    ] as [(String, DerivedIdentifier)] {
      let entry = try Known.entry(name, of: "annex-d.json")
      #expect(try kind.rawValue == entry.text("info") && kind.length == entry.number("length"))
      let value = kind.value(deviceKeyBytes: try entry.bytes("ikm"))
      let text: String =
        switch kind {
        case .bluetoothIdent: hexadecimal(value)
        case .wifiAwareService: hexadecimal(value).uppercased()
        case .wifiAwarePassphrase: Base64URL.encode(value)
        }
      #expect(text == (try entry.text("value")))
    }
  }
}

@Suite("Session messages")
struct SessionMessageTests {
  @Test func dataIsReadAsWritten() throws {
    for status in [nil, SessionStatus.encryptionError, .decodingError, .termination, .undefined(99)] {
      for data in [nil, [UInt8](), [1, 2]] where data != nil || status != nil {
        let message = SessionData(data: data, status: status)
        #expect(try SessionData(message.encoded) == message)
      }
    }
  }

  @Test func aKeyOfTheReaderMustBeWholeAndOnItsCurve() throws {
    func message(_ key: CBORValue) -> [UInt8] {
      CBORValue.textMap([("eReaderKey", key), ("data", .bytes([1]))]).encoded
    }
    let key = try fixedAgreementKey(3).publicKey
    let compressed = Array(key.compressedRepresentation)
    let short = CBORValue.map([
      .init(.integer(1), .integer(2)), .init(.integer(-1), .integer(1)),
      .init(.integer(-2), .bytes(Array(compressed.dropFirst()))),
      .init(.integer(-3), .boolean(compressed[0] == 3)),
    ])
    #expect(refusal { _ = try SessionEstablishment(message(.tagged(24, .bytes(short.encoded)))) } == .sessionKey)
    let edwards = CBORValue.map([
      .init(.integer(1), .integer(1)), .init(.integer(-1), .integer(6)),
      .init(
        .integer(-2),
        .bytes(
          Array(
            try Curve25519.Signing.PrivateKey(
              rawRepresentation: [UInt8](repeating: 3, count: 32)
            ).publicKey.rawRepresentation))),
    ])
    #expect(refusal { _ = try SessionEstablishment(message(.tagged(24, .bytes(edwards.encoded)))) } == .sessionKey)
    #expect(refusal { _ = try SessionEstablishment(message(short)) } == .sessionCBOR)
    #expect(refusal { _ = try SessionEstablishment(message(.bytes([1]))) } == .sessionCBOR)
    let whole = message(.tagged(24, .bytes(try Fixed.readerKey().publicKeyBytes)))
    #expect(try SessionEstablishment(whole).data == [1])
    for prefix in Damage.truncations(of: whole) {
      #expect(refusal { _ = try SessionEstablishment(prefix) } == .sessionCBOR)
    }
  }

  @Test func haveABoundedSizeAndDepth() throws {
    let large = SessionData(data: [UInt8](repeating: 0, count: ProximityLimits.messageBytes), status: nil).encoded
    #expect(refusal { _ = try SessionData(large) } == .sessionSize)
    let deep = (0..<20).reduce(CBORValue.null) { value, _ in .array([value]) }
    let nested = CBORValue.textMap([("data", .bytes([1])), ("x", deep)]).encoded
    #expect(refusal { _ = try SessionData(nested) } == .sessionCBOR)
    let wide = CBORValue.textMap([("data", .bytes([1])), ("x", .array([CBORValue](repeating: .null, count: 300)))])
    #expect(refusal { _ = try SessionData(wide.encoded) } == .sessionCBOR)
  }

  @Test(.requiresProximityVectors) func ofAnnexDOpenAndAreSealedAgain() throws {
    let answer = try Known.entry("session-keys-nfc-handover", of: "annex-d.json")
    let keys = SessionKeys(reader: try answer.bytes("SKReader"), device: try answer.bytes("SKDevice"))
    let establishment = try SessionEstablishment(Known.annexD("session-establishment"))
    let data = try #require(try SessionData(Known.annexD("session-data")).data)
    #expect(try SessionData(Known.annexD("session-termination")) == SessionData(data: nil, status: .termination))
    for (sender, data, plaintext) in [
      (.reader, establishment.data, try Known.annexD("device-request-v1.0")),
      (.device, data, try Known.annexD("device-response")),
    ] as [(SessionCipher.Sender, [UInt8], [UInt8])] {
      var opening = SessionCipher(sender, keys)
      #expect(try opening.open(data) == plaintext)
      var sealing = SessionCipher(sender, keys)
      #expect(try sealing.seal(plaintext) == data)
      #expect(sealing.counter == 2 && opening.counter == 2)
    }
    #expect(
      SessionEstablishment.encoded(readerKeyBytes: establishment.readerKey.bytes, data: establishment.data)
        == (try Known.annexD("session-establishment")))
  }

  @Test(.requiresProximityVectors) func ofAnotherImplementationEncryptTheSame() throws {
    let entry = try Known.entry("gds-device-encrypt", of: "session.json")
    let keys = SessionKeys(reader: [UInt8](repeating: 0, count: 32), device: try entry.bytes("SKDevice"))
    var cipher = SessionCipher(.device, keys)
    #expect(try cipher.seal(entry.bytes("plaintext")) == entry.bytes("data"))
  }
}

@Suite("Session encryption")
struct SessionCipherTests {
  private static let keys = SessionKeys(
    reader: [UInt8](repeating: 1, count: 32), device: [UInt8](repeating: 1, count: 32))

  @Test func refusesReplayReorderAndReflection() throws {
    var sealing = SessionCipher(.reader, Self.keys)
    let messages = [try sealing.seal([1]), try sealing.seal([2]), try sealing.seal([3])]
    var opening = SessionCipher(.reader, Self.keys)
    #expect(refusal { _ = try opening.open(messages[1]) } == .sessionAuthentication)
    #expect(try opening.open(messages[0]) == [1])
    #expect(refusal { _ = try opening.open(messages[0]) } == .sessionAuthentication)
    #expect(refusal { _ = try opening.open(messages[2]) } == .sessionAuthentication)
    #expect(try opening.open(messages[1]) == [2])
    // Even with one key for both directions the sender's identifier tells them apart.
    var reflected = SessionCipher(.device, Self.keys)
    #expect(refusal { _ = try reflected.open(messages[0]) } == .sessionAuthentication)
  }

  @Test func refusesEveryTruncationAndChangedByte() throws {
    var sealing = SessionCipher(.reader, Self.keys)
    for damaged in Damage.sample(of: try sealing.seal([1, 2, 3, 4]), seed: 1) {
      var opening = SessionCipher(.reader, Self.keys)
      #expect(refusal { _ = try opening.open(damaged) } == .sessionAuthentication)
      #expect(opening.counter == 1)
    }
  }

  @Test func neverWrapsItsCounter() throws {
    var cipher = SessionCipher(.reader, Self.keys, counter: .max - 1)
    _ = try cipher.seal([1])
    #expect(refusal { _ = try cipher.seal([1]) } == .sessionCounter)
    #expect(refusal { _ = try cipher.open([UInt8](repeating: 0, count: 16)) } == .sessionCounter)
  }
}
