import HybridTransport
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

  @Test func showsARelayLengthsOnTheGridOnly() throws {
    var session = try Session()
    session.run()
    #expect(session.relayed.prefix(2).map(\.count) == [81, 81])
    #expect(session.relayed.dropFirst(2).allSatisfy { $0.count % 32 == 16 })
  }
}
