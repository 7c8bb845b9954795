import DigitalCredentials
import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import LocatedYAML
import TestSupport
import Testing

@testable import DemoServer

/// The permissions of pages to start, change, read and frame worlds.
@Suite("Requests of other pages") struct CallerTests {
  private static func configuration() -> DemoServer.Configuration {
    let scenarios = Programs.package.appendingPathComponent("scenarios").path
    return DemoServer.Configuration(world: scenarios + "/worlds/spaceport.yaml", folder: scenarios + "/worlds")
  }

  private static let json: HTTPFields = [.contentType: "application/json"]

  private static func fetched(from site: String, _ more: HTTPFields = [:]) throws -> HTTPFields {
    var fields = more
    fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site
    return fields
  }

  /// The number of pages that were opened in a world.
  private static func visits(in session: Session) -> Int {
    session.world.recording.yaml.components(separatedBy: "visits:").count - 1
  }

  @Test func fetchingAnAddressStartsNoWorldAndOpensNoPage() async throws {
    let sessions = Sessions()
    try await DemoServer(Self.configuration()).testListening(sessions) { client, port in
      let site = "spaceship-rentals.localhost:\(port)"
      func ask(
        _ path: String, _ host: String, _ method: HTTPRequest.Method = .get
      ) async throws -> (HTTPResponse.Status, String) {
        let response = try await client.execute(uri: path, method: method, authority: host)
        return (response.status, String(buffer: response.body))
      }
      let stage = "demo.localhost:\(port)"
      for path in ["/", "/phone", "/phone?world=default", "/api/catalogue"] {
        #expect(try await ask(path, stage).0 == .ok, "\(path)")
      }
      for path in ["", "/events", "/recording", "/messages/1"] {
        #expect(try await ask("/api/worlds/default\(path)", stage).0 == .notFound, "\(path)")
      }
      let page = try await ask("/", site)
      #expect(page.0 == .ok && page.1.contains(#"content="default""#))
      #expect(sessions.known("default") == nil)
      // The page's script opens it.
      let visit = try await ask("/visits", site, .post)
      let session = try #require(sessions.known("default"))
      #expect(visit.0 == .created && visit.1.contains(session.identifier))
      #expect(Self.visits(in: session) == 1)
      for method in [HTTPRequest.Method.get, .head] { #expect(try await ask("/", site, method).0 == .ok) }
      #expect(try await ask("/?world=unknown", site).0 == .notFound)
      #expect(Self.visits(in: session) == 1)
    }
  }

  @Test func requestsThatPagesOfOtherOriginsCauseAreRefused() async throws {
    let sessions = Sessions()
    try await DemoServer(Self.configuration()).testListening(sessions) { client, port in
      let stage = "demo.localhost:\(port)"
      func ask(
        _ path: String, _ headers: HTTPFields, _ method: HTTPRequest.Method = .get, host: String? = nil
      ) async throws -> HTTPResponse.Status {
        try await client.execute(
          uri: path, method: method, authority: host ?? stage, headers: headers, body: ByteBuffer(string: "{}")
        ).status
      }
      for (origin, status) in [
        ("https://stranger.example", HTTPResponse.Status.forbidden), ("null", .forbidden),
        ("http://localhost:9", .forbidden), ("http://\(stage)", .ok),
      ] {
        var headers = Self.json
        headers[.origin] = origin
        let answer = try await ask("/api/worlds/default", headers, .post)
        #expect(answer == status, "\(origin)")
        #expect((sessions.known("default") != nil) == (status == .ok))
      }
      for path in ["/pages", "/calls", "/calls/a/abort"] {
        var headers = Self.json
        headers[.origin] = "https://stranger.example"
        #expect(try await ask("/api/worlds/default\(path)", headers, .post) == .forbidden, "\(path)")
      }
      for path in ["/api/worlds/default", "/api/worlds/default/messages/1", "/api/worlds/default/recording"] {
        for (site, status) in [
          ("cross-site", HTTPResponse.Status.forbidden), ("same-site", .forbidden), ("same-origin", .ok), ("none", .ok),
        ] {
          #expect(try await ask(path, try Self.fetched(from: site)) == status, "\(path) \(site)")
        }
      }
      #expect(try await ask("/api/worlds/default/events", try Self.fetched(from: "cross-site")) == .forbidden)
      let site = "spaceship-rentals.localhost:\(port)"
      for origin in ["https://stranger.example", "http://\(stage)", "null"] {
        for path in ["/visits", "/presentments", "/presentments/response", "/fallback"] {
          #expect(try await ask(path, [.origin: origin], .post, host: site) == .forbidden, "\(path) \(origin)")
        }
      }
      #expect(Self.visits(in: try #require(sessions.known("default"))) == 0)
    }
  }

  @Test func aPageReadsTheMessagesOfItsOwnWorldOnly() async throws {
    let sessions = Sessions()
    try await DemoServer(Self.configuration()).test(sessions) { client in
      let page: HTTPFields = [.contentType: "application/json", .origin: "http://localhost:9999"]
      let joined = try await client.execute(
        uri: "/api/worlds/default/pages", method: .post, headers: page, body: ByteBuffer(string: "{}"))
      let own = try #require(try JSONDecoder().decode([String: String].self, from: Data(buffer: joined.body))["world"])
      let begun = try await client.execute(
        uri: "/api/worlds/default", method: .post, headers: try Self.fetched(from: "same-origin"))
      #expect(begun.status == .ok)
      for (world, status) in [(own, HTTPResponse.Status.ok), ("default", .forbidden)] {
        let response = try await client.execute(uri: "/api/worlds/\(world)/messages/1", method: .get, headers: page)
        #expect(response.status == status)
      }
    }
  }

  @Test(arguments: [[], ["https://slides.example"]]) func pagesSayWhoMayFrameThem(_ embedding: [String]) async throws {
    var configuration = Self.configuration()
    configuration.embeddingOrigins = embedding
    configuration.allowedOrigins = ["https://shop.example"]
    try await DemoServer(configuration).testListening { client, port in
      func frames(_ path: String, _ host: String) async throws -> [Substring] {
        let response = try await client.execute(uri: path, method: .get, authority: "\(host):\(port)")
        let policy = try #require(response.headers[.contentSecurityPolicy])
        return try #require(policy.firstMatch(of: /frame-ancestors ([^;]+)/)?.1).split(separator: " ")
      }
      let slides = embedding.map { Substring($0) }
      #expect(try await frames("/", "demo.localhost") == (embedding.isEmpty ? ["'none'"] : slides))
      let site = try await frames("/", "spaceship-rentals.localhost")
      #expect(
        Set(site) == Set(["demo.localhost", "localhost", "127.0.0.1"].map { "http://\($0):\(port)" } + slides))
      let phone = try await frames("/phone", "demo.localhost")
      #expect(phone.contains("http://*.localhost:*") && phone.contains("https://shop.example"))
      #expect(phone.contains("https://slides.example") == !embedding.isEmpty)
      #expect(!phone.contains("*") && !phone.contains("https:") && !phone.contains("http:"))
    }
  }

  @Test func onlyAWholeHostIsOfThisMachine() {
    for origin in [
      "http://localhost", "https://localhost:9000", "http://shop.localhost:80", "http://127.0.0.1:1", "http://[::1]",
      "http://[::1]:8080",
    ] {
      #expect(Hosts.isLocal(origin), "\(origin)")
    }
    for origin in [
      "null", "", "localhost", "http://", "ftp://localhost", "http://[::1].evil.example", "http://[::1]evil.example",
      "http://[::1", "http://[::1]:x", "http://[::2]", "http://localhost.evil.example",
      "http://localhost:80.evil.example",
      "http://localhost:9@evil.example", "http://evillocalhost", "http://127.0.0.1.evil.example", "http://127.0.0.2",
      "http://localhost/evil",
    ] {
      #expect(!Hosts.isLocal(origin), "\(origin)")
    }
  }

  /// Identifiers that a scenario accepts for a website.
  private static let names = [
    "shop", "Shop", "my_shop", "a.b", "demo", "localhost", "xn--bcher-kva", "-", "shop-", "site--shop", "Bücher & mehr",
    String(repeating: "long", count: 30), String(repeating: "long", count: 30) + "er",
  ]

  @Test func everyNameOfAWebsiteHasAHostOfItsOwn() throws {
    let hosts = Hosts(port: 8080)
    for name in Self.names {
      let origin = try Origin(serialized: hosts.origin(of: name))
      #expect(origin.serialized == hosts.origin(of: name))
      let host = try #require(origin.host)
      #expect(host.split(separator: ".")[0].utf8.count <= 63)
      #expect(try hosts.owner(of: "\(host):8080") == .website(Hosts.label(of: name)), "\(name)")
    }
    #expect(Set(Self.names.map(Hosts.label)).count == Self.names.count)
    #expect(Hosts.label(of: "shop") == "shop")
  }

  @Test func everyWebsiteIsServed() async throws {
    let sessions = Sessions()
    try await DemoServer(Self.configuration()).testListening(sessions) { client, port in
      let asks = try YAMLValue(parsing: "org.iso.18013.5.1.mDL: { org.iso.18013.5.1: { given_name: show } }")
      let sites = Self.names.enumerated().map { position, name in
        YAMLValue.Entry(
          name,
          .mapping([
            YAMLValue.Entry("origin", .text("https://site-\(position).example")),
            YAMLValue.Entry("brand", .one("name", .text("Site \(position)"))), YAMLValue.Entry("asks", asks),
          ]))
      }
      let configuration = Self.configuration()
      let stage = StageRoutes(
        sessions: sessions, catalogue: Catalogue(folder: configuration.folder, world: configuration.world),
        hosts: Hosts(port: port), workers: .forRequests(), sandbox: nil)
      let session = try await stage.begin(
        StageRoutes.Beginning(), changes: [.one("websites", .mapping(sites))])
      for (position, name) in Self.names.enumerated() {
        let label = Hosts.label(of: name)
        for (path, method) in [("/", HTTPRequest.Method.get), ("/visits", .post), ("/presentments", .post)] {
          let response = try await client.execute(
            uri: "\(path)?world=\(session.identifier)", method: method, authority: "\(label).localhost:\(port)",
            headers: [.origin: "http://\(label).localhost:\(port)"])
          #expect([.ok, .created].contains(response.status), "\(path) of \(name)")
          let text = String(buffer: response.body)
          #expect(method == .post || text.contains("Site \(position)"), "\(name)")
        }
      }
    }
  }
}
