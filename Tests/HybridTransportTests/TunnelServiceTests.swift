import HybridTransport
import Testing

@Suite("Tunnel service")
struct TunnelServiceTests {
  private typealias Service = TunnelServiceMachine<String>

  private static let tunnelID = [UInt8](1...16)
  private static let routingID: [UInt8] = [1, 2, 3]

  private static func service() -> Service { Service(limits: .init(seconds: 120, messages: 2, messageBytes: 100)) }

  private static func phone(_ tunnelID: [UInt8] = tunnelID) -> TunnelHTTP.Request {
    TunnelHTTP.Request(TunnelAddress(host: "a", end: .new(tunnelID: tunnelID)))
  }

  private static func desktop(_ routingID: [UInt8] = routingID) -> TunnelHTTP.Request {
    TunnelHTTP.Request(TunnelAddress(host: "a", end: .connect(routingID: routingID, tunnelID: tunnelID)))
  }

  /// A service with a connected tunnel.
  private static func connected() -> Service {
    var service = service()
    _ = service.receive(.requested("phone", phone(), routingID: routingID))
    _ = service.receive(.requested("desktop", desktop(), routingID: [9, 9, 9]))
    return service
  }

  @Test func opensATunnelForAPhoneAndConnectsItOnce() {
    var service = Self.service()
    #expect(
      service.receive(.requested("phone", Self.phone(), routingID: Self.routingID))
        == [.open("phone", routingID: Self.routingID), .setTimer(tunnel: 1, seconds: 120)])
    #expect(
      service.receive(.requested("desktop", Self.desktop(), routingID: [9, 9, 9]))
        == [.open("desktop", routingID: nil)])
    #expect(
      service.receive(.requested("other", Self.desktop(), routingID: [9, 9, 9]))
        == [.refuse("other", TunnelHTTP.Refusal(.notFound))])
  }

  @Test func refusesASecondPhoneOfTheSameCodeWhileTheFirstWaits() {
    var service = Self.service()
    _ = service.receive(.requested("phone", Self.phone(), routingID: Self.routingID))
    #expect(
      service.receive(.requested("second", Self.phone(), routingID: [4, 5, 6]))
        == [.refuse("second", TunnelHTTP.Refusal(.conflict))])
    // The first one is still reachable.
    #expect(
      service.receive(.requested("desktop", Self.desktop(), routingID: [9, 9, 9]))
        == [.open("desktop", routingID: nil)])
  }

  @Test func refusesAnotherRoutingIdentifierAndUnknownPaths() {
    var service = Self.service()
    _ = service.receive(.requested("phone", Self.phone(), routingID: Self.routingID))
    #expect(
      service.receive(.requested("desktop", Self.desktop([3, 2, 1]), routingID: [9, 9, 9]))
        == [.refuse("desktop", TunnelHTTP.Refusal(.notFound))])
    let effects = service.receive(.requested("x", TunnelHTTP.Request(path: "/"), routingID: []))
    guard case .refuse("x", let refusal)? = effects.first else { return #expect(Bool(false)) }
    #expect(refusal.status == .notFound)
  }

  @Test func relaysInBothDirections() {
    var service = Self.connected()
    #expect(service.receive(.received("desktop", [1])) == [.relay([1], to: "phone")])
    #expect(service.receive(.received("phone", [2])) == [.relay([2], to: "desktop")])
    #expect(service.receive(.received("other", [3])).isEmpty)
  }

  @Test func closesBothEndsAtALimit() {
    var large = Self.connected()
    let closed = large.receive(.received("phone", [UInt8](repeating: 0, count: 101)))
    #expect(closed.map(Self.closedEnd) == ["phone", "desktop"])
    #expect(large.receive(.received("desktop", [1])).isEmpty)
    var many = Self.connected()
    _ = many.receive(.received("phone", [1]))
    _ = many.receive(.received("phone", [2]))
    #expect(many.receive(.received("phone", [3])).map(Self.closedEnd) == ["phone", "desktop"])
    var early = Self.service()
    _ = early.receive(.requested("phone", Self.phone(), routingID: Self.routingID))
    #expect(early.receive(.received("phone", [1])).map(Self.closedEnd) == ["phone"])
  }

  @Test func closesBothEndsAfterTheTime() {
    var service = Self.connected()
    #expect(service.receive(.timedOut(tunnel: 1)).map(Self.closedEnd) == ["phone", "desktop"])
    #expect(service.receive(.timedOut(tunnel: 1)).isEmpty)
  }

  @Test func closesTheOtherEndWhenOneCloses() {
    var service = Self.connected()
    #expect(service.receive(.closed("desktop")).map(Self.closedEnd) == ["phone"])
    #expect(service.receive(.closed("phone")).isEmpty)
  }

  private static func closedEnd(_ effect: Service.Effect) -> String? {
    if case .close(let end, _) = effect { end } else { nil }
  }
}
