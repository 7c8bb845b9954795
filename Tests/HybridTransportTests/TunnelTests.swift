import Crypto
import HybridTransport
import TestTraits
import Testing

@Suite("Tunnel services")
struct TunnelTests {
  private static let tunnelID = [UInt8](1...16)

  @Test func haveTwoAssignedNamesAndComputedOnes() {
    #expect(TunnelServiceNumber.google.host == "cable.ua5v.com")
    #expect(TunnelServiceNumber.apple.host == "cable.auth.com")
    #expect(TunnelServiceNumber(rawValue: 2).host == nil)
    #expect(TunnelServiceNumber(rawValue: 255).host == nil)
    #expect(TunnelServiceNumber(rawValue: 266).host == "cable.wufkweyy3uaxb.com")
  }

  @Test func readTheAddressesThatTheEndsWrite() throws {
    for end in [
      TunnelAddress.End.new(tunnelID: Self.tunnelID), .connect(routingID: [1, 2, 3], tunnelID: Self.tunnelID),
    ] {
      let address = TunnelAddress(host: "cable.auth.com", end: end)
      #expect(try TunnelAddress(url: address.url) == address)
      #expect(try TunnelHTTP.Request(address).end().get() == end)
    }
  }

  @Test(arguments: ["https://cable.auth.com/", "wss:///cable/new/", "wss://CABLE/x", "wss://a b/x"])
  func refuseOtherURLs(url: String) {
    #expect(refusal { _ = try TunnelAddress(url: url) } == .tunnelURL)
  }

  @Test func refuseLinkedTransactions() {
    #expect(refusal { _ = try TunnelAddress.end(ofPath: "/cable/contact/AAAA") } == .tunnelLinked)
  }

  @Test func refuseARequestWithAStatus() {
    var request = TunnelHTTP.Request(TunnelAddress(host: "a", end: .new(tunnelID: Self.tunnelID)))
    request.method = "POST"
    #expect(request.end() == .failure(TunnelHTTP.Refusal(.methodNotAllowed)))
    request.method = "GET"
    request.subprotocols = ["chat"]
    #expect(request.end() == .failure(TunnelHTTP.Refusal(.badRequest)))
    guard case .failure(let refusal) = TunnelHTTP.Request(path: "/").end() else { return #expect(Bool(false)) }
    #expect(refusal.status == .notFound)
    #expect(refusal.reason?.code == .tunnelPath)
  }

  @Test func assignARoutingIdentifierInAHeader() throws {
    #expect(TunnelHTTP.routingIDHeader([10, 11, 12]) == "0A0B0C")
    #expect(try TunnelHTTP.routingID(ofHeader: "0a0B0c") == [10, 11, 12])
    for value in ["", "0a0b", "0a0b0c0d", "0a0b0g"] {
      #expect(refusal { _ = try TunnelHTTP.routingID(ofHeader: value) } == .tunnelHeader)
    }
  }

  @Test(.requiresHybridVectors) func agreeWithTheKnownNames() throws {
    for entry in try Known.entries("domains", of: "tunnel.json") {
      let number = TunnelServiceNumber(rawValue: UInt16(try entry.number("domain")))
      #expect(number.host == entry["host"]?.text, "\(entry)")
    }
    let hosts = (256...65535).map { TunnelServiceNumber(rawValue: UInt16($0)).host ?? "" }
    let digest = Array(SHA256.hash(data: Array(hosts.joined(separator: "\n").utf8)))
    #expect(digest == (try Known.file("tunnel.json").object("allHashedDomains").bytes("sha256")))
  }

  @Test(.requiresHybridVectors) func agreeWithTheKnownURLs() throws {
    for entry in try Known.entries("urls", of: "tunnel.json") {
      let tunnelID = HybridKeys(secret: try entry.bytes("secret")).tunnelID
      let number = TunnelServiceNumber(rawValue: UInt16(try entry.number("domain")))
      let end: TunnelAddress.End =
        try entry.text("kind") == "new"
        ? .new(tunnelID: tunnelID) : .connect(routingID: try entry.bytes("routingId"), tunnelID: tunnelID)
      let address = TunnelAddress(host: try #require(number.host), end: end)
      #expect(try TunnelAddress(url: entry.text("url")) == address, "\(entry)")
      // A phone of Apple writes lower case.
      if try entry.text("source") != "IPHONE" { #expect(address.url == (try entry.text("url")), "\(entry)") }
    }
    #expect(TunnelHTTP.subprotocol == (try Known.file("tunnel.json").text("subprotocol")))
    let headers = try Known.file("tunnel.json").object("headers")
    #expect(TunnelHTTP.routingIDHeader == (try headers.text("routing")))
    #expect(TunnelHTTP.signalHeader == (try headers.text("signalConnection")))
    #expect(TunnelHTTP.clientPayloadHeader == (try headers.text("clientPayload")))
  }

  @Test(.requiresHybridVectors) func agreeWithTheKnownPaths() throws {
    let paths = try Known.file("tunnel.json").object("paths")
    for entry in try paths.list("valid") {
      let tunnelID = try entry.bytes("tunnelId")
      let end: TunnelAddress.End =
        try entry.text("kind") == "new"
        ? .new(tunnelID: tunnelID) : .connect(routingID: try entry.bytes("routingId"), tunnelID: tunnelID)
      #expect(try TunnelAddress.end(ofPath: entry.text("path")) == end, "\(entry)")
    }
    let invalid = paths["invalid"]?.array?.compactMap(\.text) ?? []
    #expect(invalid.count == 19)
    for path in invalid {
      #expect(refusal { _ = try TunnelAddress.end(ofPath: path) } == .tunnelPath, "\(path)")
    }
  }
}
