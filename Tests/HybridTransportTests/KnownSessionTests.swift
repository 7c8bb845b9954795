import HybridTransport
import Primitives
import TestSupport
import TestTraits
import Testing

@Suite("Known sessions", .requiresHybridVectors)
struct KnownSessionTests {
  @Test func ofARealPhoneOpensMessageByMessage() throws {
    let known = try Known.file("session-iphone.json")
    let payload = try QRPayload(uri: known.text("qr"))
    let identityKey = try known.privateKey("identityPrivate")
    #expect(payload.identityKey.x963Representation == identityKey.publicKey.x963Representation)
    let keys = HybridKeys(secret: payload.secret)
    let advert = try Advert(opening: known.bytes("advert"), with: keys.advertKey)
    #expect(advert.plaintext == (try known.bytes("eidPlaintext")))
    let address = TunnelAddress(
      host: try #require(advert.service.host), end: .connect(routingID: advert.routingID, tunnelID: keys.tunnelID))
    #expect(try TunnelAddress(url: known.text("url")) == address)
    let preSharedKey = keys.preSharedKey(advert: advert.plaintext)
    #expect(preSharedKey == (try known.object("derived").bytes("psk")))
    let initiator = NoiseInitiator(
      identityKey: identityKey, ephemeralKey: try known.privateKey("ephemeralPrivate"), preSharedKey: preSharedKey)
    #expect(initiator.message == (try known.bytes("message1")))
    let noise = try initiator.keys(from: known.bytes("message2"))
    let derived = try known.object("derived")
    #expect(noise.handshakeHash == (try derived.bytes("handshakeHash")))
    #expect(noise.writing == (try derived.bytes("desktopWriteKey")))
    #expect(noise.reading == (try derived.bytes("desktopReadKey")))
    var writing = FrameCipher(key: noise.writing)
    var reading = FrameCipher(key: noise.reading)
    let frames = try known.list("frames")
    #expect(frames.count == 3)
    for frame in frames {
      let plaintext = try frame.bytes("plaintext")
      if try frame.text("dir") == "phone->desktop" {
        #expect(try FramePadding.unpad(reading.open(frame.bytes("ciphertext"))) == plaintext)
      } else {
        #expect(try writing.seal(FramePadding.pad(plaintext)) == frame.bytes("ciphertext"))
      }
    }
    let offer = try PostHandshake(cbor: frames[0].bytes("plaintext"))
    #expect(offer.features == [.ctap, .digitalCredentials])
    #expect(try Frame(plaintext: frames[1].bytes("plaintext")).kind == .ctap)
    #expect(try Frame(plaintext: frames[2].bytes("plaintext")).kind == .ctap)
  }

  /// Both machines with the secrets of the known session.
  private static func session() throws -> (session: Session, known: Vector) {
    let known = try Known.file("session-dcp.json")
    let desktop = try known.object("desktop")
    let phone = try known.object("phone")
    var session = Session(
      ClientPlatformMachine(
        secrets: .init(
          identityKey: try desktop.privateKey("identityPrivate"), qrSecret: try desktop.bytes("secret"),
          ephemeralKey: try desktop.privateKey("ephemeralPrivate"))),
      AuthenticatorMachine(
        secrets: .init(nonce: try phone.bytes("nonce"), ephemeralKey: try phone.privateKey("ephemeralPrivate")),
        service: TunnelServiceNumber(rawValue: UInt16(try phone.number("domain")))))
    let frames = try known.list("frames")
    session.routingID = try phone.bytes("routingId")
    session.request = try CredentialRequestMessage(json: Array(frames[1].bytes("plaintext").dropFirst()))
    session.answer = try CredentialResponseMessage(json: Array(frames[2].bytes("plaintext").dropFirst()))
    #expect(Session.time.secondsSince1970 == Int64(try desktop.number("timestamp")))
    return (session, known)
  }

  @Test func ofADigitalCredentialIsReproducedByteForByte() throws {
    var (session, known) = try Self.session()
    session.run()
    #expect(session.desktopEffects.contains(.showQRCode(uri: try known.object("qr").text("url"))))
    #expect(session.phoneEffects.contains(.advertise(try known.bytes("legacyAdvertisingData"))))
    #expect(AdvertisingData.serviceUUID == (try known.text("bleServiceUUID")))
    let messages =
      try [known.bytes("message1"), known.bytes("message2")]
      + known.list("frames").map { try $0.bytes("ciphertext") }
    #expect(session.relayed == messages)
    let answer = try #require(session.answer)
    guard case .credential(let name, let data) = answer else { return #expect(Bool(false)) }
    #expect(session.outcomes == [.response(protocol: name, data: data)])
    #expect(session.phoneOutcomes == [.answered])
  }

  @Test func showsTheRelayNamesAndLengthsOnly() throws {
    var (session, known) = try Self.session()
    session.run()
    let view = try known.object("relayView")
    let urls = session.phoneEffects.compactMap { if case .openTunnel(let address) = $0 { address.url } else { nil } }
    #expect(urls == [try view.text("phoneUrl")])
    let own = session.desktopEffects.compactMap { if case .connect(let address) = $0 { address.url } else { nil } }
    #expect(own == [try view.text("desktopUrl")])
    #expect(session.relayed.map(\.count) == (view["lengths"]?.array ?? []).compactMap { $0.number.map { Int($0) } })
  }

  /// A phone that advertises, as in the known session.
  private static func advertisingPhone() throws -> (phone: AuthenticatorMachine, known: Vector) {
    var (session, known) = try session()
    _ = session.phone.receive(.scanned(try known.object("qr").text("url")))
    _ = session.phone.receive(.tunnelOpened(routingID: session.routingID))
    _ = session.phone.receive(.timedOut(.advertDelay))
    #expect(session.phone.state == .advertising)
    return (session.phone, known)
  }

  private static func failures(_ effects: [AuthenticatorMachine.Effect]) -> [String] {
    effects.flatMap { effect -> [String] in
      guard case .record(let results) = effect else { return [] }
      return results.filter { $0.status == .failed }.map(\.name)
    }
  }

  private static func attack(_ identifier: String, of known: Vector) throws -> Vector {
    try #require(known.list("attacks").first { $0["id"]?.text == identifier })
  }

  @Test(arguments: ["AT-1", "AT-2"]) func refuseAHandshakeWithoutTheAdvertOrTheQRCode(identifier: String) throws {
    var (phone, known) = try Self.advertisingPhone()
    let effects = phone.receive(.received(try Self.attack(identifier, of: known).bytes("message1")))
    #expect(Self.failures(effects) == ["hybrid.handshake/unverified"])
    #expect(effects.contains(.closeTunnel) && effects.contains(.finish(.failed)))
  }

  @Test func refuseAMessageThatComesTwice() throws {
    var (phone, known) = try Self.advertisingPhone()
    _ = phone.receive(.received(try known.bytes("message1")))
    let message = try Self.attack("AT-3", of: known).bytes("ciphertext")
    #expect(Self.failures(phone.receive(.received(message))).isEmpty)
    #expect(phone.state == .consent)
    let effects = phone.receive(.received(message))
    #expect(Self.failures(effects) == ["hybrid.frame/authentication"])
    #expect(effects.contains(.withdraw) && effects.contains(.closeTunnel))
  }

  @Test func refuseAMessageThatIsReflected() throws {
    var (phone, known) = try Self.advertisingPhone()
    _ = phone.receive(.received(try known.bytes("message1")))
    let effects = phone.receive(.received(try Self.attack("AT-4", of: known).bytes("ciphertext")))
    #expect(Self.failures(effects) == ["hybrid.client-platform"])
  }

  @Test func refuseTheFirstMessageWithoutTheIdentityKey() throws {
    var (phone, known) = try Self.advertisingPhone()
    let attack = try Self.attack("AT-5", of: known)
    let effects = phone.receive(.received(try attack.bytes("message1")))
    #expect(effects.contains(.send(try attack.bytes("message2"))))
    #expect(phone.state == .established)
    let ending = phone.receive(.received(try attack.bytes("firstFrame")))
    #expect(Self.failures(ending) == ["hybrid.client-platform"])
    #expect(ending.contains(.finish(.failed)))
  }
}
