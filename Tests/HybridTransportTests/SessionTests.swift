import Foundation
import HybridTransport
import TestSupport
import Testing

@Suite("A session of both machines")
struct SessionTests {
  @Test func endsWithTheResponseThatThePhoneSent() throws {
    var session = try Session()
    session.run()
    #expect(session.outcomes == [.response(protocol: "org-iso-mdoc", data: #"{"response":"AA"}"#)])
    #expect(session.phoneOutcomes == [.answered])
    #expect(session.delivered == [Session.request])
    #expect(session.desktop.state == .finished)
    #expect(session.phone.state == .finished)
    #expect(session.desktopFailures.isEmpty && session.phoneFailures.isEmpty)
    #expect(
      session.desktopChecks.map(\.check) == [
        "hybrid.bluetooth", "hybrid.advert", "hybrid.tunnel", "hybrid.handshake", "hybrid.features", "hybrid.frame",
        "hybrid.response",
      ])
    #expect(
      session.phoneChecks.map(\.check) == [
        "hybrid.qr-code", "hybrid.tunnel", "hybrid.handshake", "hybrid.client-platform", "hybrid.request",
        "hybrid.frame",
      ])
  }

  /// `Tests/External/Interoperability/hybrid.py` made the session: another implementation of QR code, keys, advert,
  /// handshake and frames. Both machines here share theirs, so only a session from elsewhere shows that they are right.
  @Test func isThatOfAnotherImplementationByteForByte() throws {
    let file = try #require(Bundle.module.url(forResource: "hybrid", withExtension: "json", subdirectory: "Vectors"))
    let json = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file))
    let known = Vector(json, at: "Vectors/hybrid.json")
    var session = Session(
      ClientPlatformMachine(
        secrets: .init(
          identityKey: try known.privateKey("identityPrivate"), qrSecret: try known.bytes("secret"),
          ephemeralKey: try known.privateKey("ephemeralPrivate"))),
      AuthenticatorMachine(
        secrets: .init(
          nonce: Array(try known.bytes("eidPlaintext")[1..<11]),
          ephemeralKey: try known.privateKey("phoneEphemeralPrivate"))))
    session.run()
    #expect(Session.time.secondsSince1970 == Int64(try known.number("time")))
    #expect(session.desktopEffects.contains(.showQRCode(uri: try known.text("qr"))))
    let advertised = session.phoneEffects.compactMap { if case .advertise(let data) = $0 { data } else { nil } }
    #expect(try advertised.map { try AdvertisingData.serviceData(in: $0) } == [try known.bytes("advert")])
    let keys = HybridKeys(secret: try known.bytes("secret"))
    #expect(keys.tunnelID == (try known.bytes("tunnelID")))
    #expect(keys.preSharedKey(advert: try known.bytes("eidPlaintext")) == (try known.bytes("psk")))
    let frames = (known["frames"]?.array ?? []).compactMap { $0.text.flatMap(Hex.decode) }
    #expect(session.relayed == (try [known.bytes("message1"), known.bytes("message2")] + frames))
    #expect(frames.count == 4 && session.phoneOutcomes == [.answered])
  }

  @Test func showsARelayLengthsOnTheGridOnly() throws {
    var session = try Session()
    session.run()
    #expect(session.relayed.prefix(2).map(\.count) == [81, 81])
    #expect(session.relayed.dropFirst(2).allSatisfy { $0.count % 32 == 16 })
  }
}
