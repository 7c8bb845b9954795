import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import TestSupport
import Testing

@testable import DemoServer

/// The stage's interface, called without a socket.
@Suite("The stage over HTTP") struct StageTests {
  private static func server() throws -> DemoServer {
    let scenarios = Programs.package.appendingPathComponent("scenarios").path
    return try DemoServer(
      DemoServer.Configuration(world: scenarios + "/worlds/spaceport.yaml", folder: scenarios + "/worlds"))
  }

  private static let json: HTTPFields = [.contentType: "application/json"]

  private struct World: Decodable {
    var id: String
    var websites: [[String: String]]
    var faults: [String]
  }

  private func begin(_ client: TestClient, _ body: String) async throws -> World {
    let response = try await client.execute(
      uri: "/api/worlds", method: .post, headers: Self.json, body: ByteBuffer(string: body))
    #expect(response.status == .created)
    return try JSONDecoder().decode(World.self, from: Data(buffer: response.body))
  }

  @Test func aWorldIsStartedUsedAndRecorded() async throws {
    try await Self.server().test { client in
      let world = try await begin(client, #"{"seed":3,"faults":["network.response-altered"]}"#)
      #expect(world.faults == ["network.response-altered"])
      let address = "/api/worlds/\(world.id)"
      let step = try await client.execute(
        uri: address + "/steps", method: .post, headers: Self.json,
        body: ByteBuffer(string: #"{"person":{"visits":"spaceship-rentals"}}"#))
      #expect(step.status == .noContent)
      let impossible = try await client.execute(
        uri: address + "/steps", method: .post, headers: Self.json,
        body: ByteBuffer(string: #"{"person":{"picks":"Wallet"}}"#))
      #expect(impossible.status == .conflict)
      let unreadable = try await client.execute(
        uri: address + "/steps", method: .post, headers: Self.json, body: ByteBuffer(string: "["))
      #expect(unreadable.status == .badRequest)
      let recording = try await client.execute(uri: address + "/recording", method: .get)
      #expect(String(buffer: recording.body).contains("visits"))
      let message = try await client.execute(uri: address + "/messages/1", method: .get)
      let content = try #require(
        try JSONSerialization.jsonObject(with: Data(message.body.readableBytesView)) as? [String: Any])
      let sources = try #require(content["s"] as? [[String: Any]])
      #expect((sources.first?["bytes"] as? String).flatMap { Data(base64Encoded: $0) }?.isEmpty == false)
      #expect((content["l"] as? [Any])?.isEmpty == false)
      #expect(String(buffer: message.body).contains("\"readers\""))
      let nothing = try await client.execute(uri: address + "/messages/100000", method: .get)
      #expect(nothing.status == .notFound)
    }
  }

  @Test(arguments: [
    ("Content-Type: image/jpeg\r\n\r\n\u{FF}\u{D8}\u{FF}abc", "Thank you"),
    ("Content-Type: image/jpeg\r\n\r\nabc", "not the picture that its type says"),
    ("Content-Type: text/plain\r\n\r\nabc", "not a picture"), ("\r\nabc", "not a picture"),
    ("Content-Type: image/png\r\n\r\n", "is empty"), ("Content-Type: image/png", "not a form"),
  ])
  func aFormIsThankedForWhenItHasAPicture(_ part: String, _ answer: String) async throws {
    try await Self.server().testListening { client, port in
      let form = "--x\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a\"\r\n\(part)\r\n--x--\r\n"
      let site = "spaceship-rentals.localhost:\(port)"
      let response = try await client.execute(
        uri: "/fallback", method: .post, authority: site,
        headers: [.contentType: "multipart/form-data; boundary=x", .origin: "http://\(site)"],
        body: ByteBuffer(bytes: form.unicodeScalars.map { UInt8($0.value) }))
      #expect(response.status == (answer == "Thank you" ? .ok : .badRequest))
      let said = String(buffer: response.body)
      #expect(said.contains(answer), "\(said)")
    }
  }

  @Test("A site's server gives its page the verdict without the checks")
  func verdictOverHTTP() async throws {
    try await Self.server().testListening { client, port in
      let world = try await begin(client, "{}")
      func post(_ path: String, _ body: String) async throws -> String {
        let response = try await client.execute(
          uri: "\(path)?world=\(world.id)", method: .post, authority: "spaceship-rentals.localhost:\(port)",
          headers: Self.json, body: ByteBuffer(string: body))
        return String(buffer: response.body)
      }
      #expect(try await post("/visits", "{}") == #"{"world":"\#(world.id)"}"#)
      let begun = try await post("/presentments", "{}")
      let session = try #require(begun.firstMatch(of: /"session":"([^"]+)"/)?.1)
      for (name, failure) in [
        ("other", #"{"check":"session.known","reason":null}"#),
        (String(session), #"{"check":"response.data","reason":"malformed"}"#),
        (String(session), #"{"check":"session.unused","reason":null}"#),
      ] {
        let verdict = try await post(
          "/presentments/response",
          #"{"session":"\#(name)","protocol":"org-iso-mdoc","data":{"response":"="}}"#)
        #expect(verdict.hasPrefix(#"{"verdict":"refused","failure":\#(failure),"message":"#), "\(verdict)")
        #expect(verdict.hasSuffix(#","documents":[]}"#) && !verdict.contains(#""checks""#))
      }
    }
  }

  @Test(arguments: ["../../etc/passwd", "worlds/spaceport", "spaceport.yaml", "", "/etc/hostname"])
  func onlyNamesOfTheCatalogueAreWorlds(_ name: String) async throws {
    try await Self.server().test { client in
      let response = try await client.execute(
        uri: "/api/worlds", method: .post, headers: Self.json,
        body: ByteBuffer(data: try JSONEncoder().encode(["world": name])))
      #expect(response.status == .badRequest)
    }
  }

  @Test func messagesQuoteOnlyTheBeginningOfLongInput() async throws {
    let long = String(repeating: "x", count: 4_000)
    try await Self.server().test { client in
      for body in [#"{"world":"\#(long)"}"#, #"{"scenario":"\#(long)"}"#, #"{"faults":["\#(long)"]}"#] {
        let response = try await client.execute(
          uri: "/api/worlds", method: .post, headers: Self.json, body: ByteBuffer(string: body))
        #expect(response.status == .badRequest)
        let repeated = String(buffer: response.body).count { $0 == "x" }
        #expect((HTTPLimits.quoted...HTTPLimits.quoted + 1).contains(repeated), "\(repeated)")
      }
    }
  }

  @Test func otherOriginsMayNotActInWorlds() async throws {
    try await Self.server().test { client in
      let world = try await begin(client, "{}")
      for origin in ["https://stranger.example", "http://spaceship-rentals.localhost:0", "null"] {
        let response = try await client.execute(
          uri: "/api/worlds/\(world.id)/steps", method: .post,
          headers: [.contentType: "application/json", .origin: origin],
          body: ByteBuffer(string: #"{"person":{"visits":"spaceship-rentals"}}"#))
        #expect(response.status == .forbidden, "\(origin)")
      }
      let call = try await client.execute(
        uri: "/api/worlds/\(world.id)/pages", method: .post,
        headers: [.contentType: "application/json", .origin: "https://stranger.example"], body: ByteBuffer(string: "{}")
      )
      #expect(call.status == .forbidden)
    }
  }

  @Test func aPageOfThisMachineGetsAWorldWithItsWebsite() async throws {
    try await Self.server().test { client in
      let headers: HTTPFields = [.contentType: "application/json", .origin: "http://localhost:9999"]
      func join() async throws -> [String: String] {
        let response = try await client.execute(
          uri: "/api/worlds/default/pages", method: .post, headers: headers, body: ByteBuffer(string: "{}"))
        #expect(response.status == .ok)
        #expect(response.headers[.accessControlAllowOrigin] == "http://localhost:9999")
        return try JSONDecoder().decode([String: String].self, from: Data(buffer: response.body))
      }
      let first = try await join()
      let second = try await join()
      #expect(first["website"] == "your-site" && first == second)
    }
  }

  @Test("Websites include one classic script, with each of its modules") func script() async throws {
    let folder = Programs.package.appendingPathComponent("Sources/Apps/DemoServer/Web/Script").path
    let modules = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != PageScript.name }
    try await Self.server().test { client in
      let response = try await client.execute(uri: "/presentment.js", method: .get)
      #expect(response.headers[.contentType] == "text/javascript; charset=utf-8")
      let lines = String(buffer: response.body).split(separator: "\n")
      #expect(lines.first?.hasPrefix("// Lets any local page call") == true)
      #expect(lines.filter { $0.hasPrefix("const module") }.count == modules.count)
      #expect(lines.contains { $0.hasPrefix("const PROFILES = {\"") })
      #expect(!lines.contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") || $0.contains("/* modules */") })
      #expect(try await client.execute(uri: "/\(modules[0])", method: .get).status == .notFound)
    }
  }

  @Test(arguments: [
    ("demo.localhost:80", Hosts.Owner.stage), ("127.0.0.1:80", .stage), ("LOCALHOST:80", .stage),
    ("192.0.2.7:80", .stage), ("[::1]:80", .stage),
    ("spaceship-rentals.localhost:80", .website("spaceship-rentals")),
  ])
  func hostsOfThisMachineAreKnown(_ host: String, _ owner: Hosts.Owner) throws {
    #expect(try Hosts(port: 80).owner(of: host) == owner)
  }

  @Test(arguments: [
    "evil.example", "localhost.evil.example", "a.b.localhost:80", "demo.localhost:81", "", "x.localhost.",
    "192.0.2.7.example:80",
    "[evil.example]",
  ])
  func otherHostsAreNot(_ host: String) {
    #expect(throws: HTTPProblem.self) { try Hosts(port: 80).owner(of: host) }
  }
}
