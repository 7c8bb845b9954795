import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import LocatedYAML
import TestSupport
import TestTraits
import Testing

@testable import DemoServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls of real pages over real connections.
@Suite("Calls of pages") struct CallTests {
  private static func server(world: String) throws -> DemoServer {
    let worlds = Programs.package.appendingPathComponent("scenarios/worlds").path
    return try DemoServer(DemoServer.Configuration(world: "\(worlds)/\(world).yaml", folder: worlds))
  }

  private struct Begun: Decodable {
    var `protocol`: String
    var data: [String: String]
  }

  /// Calls the API from a website's page with the request of its server.
  private func call(
    of website: String, in session: Session, port: Int, device: String? = nil, named name: String = "a call"
  ) async throws -> URLRequest {
    try await session.world.perform(.person(.visit(website: website, device: device ?? session.device)))
    let page = ExternalPage(website, on: device ?? session.device, in: session.world)
    let answer = try #require(try await page.ask(.beginPresentment, "[]"))
    let begun = try JSONDecoder().decode(Begun.self, from: Data(answer.bytes))
    var body: [String: Any] = [
      "gesture": true, "options": ["digital": ["requests": [["protocol": begun.protocol, "data": begun.data]]]],
    ]
    body["device"] = device
    let address = try #require(URL(string: "http://127.0.0.1:\(port)/api/worlds/default/calls"))
    var request = URLRequest(url: address, timeoutInterval: TestClient.patience)
    request.httpMethod = "POST"
    request.httpBody = try JSONSerialization.data(withJSONObject: body)
    for (field, value) in [
      ("Content-Type", "application/json"), ("Origin", "http://\(website).localhost:\(port)"),
      ("X-Presentment-Call", name),
    ] {
      request.setValue(value, forHTTPHeaderField: field)
    }
    return request
  }

  /// The world for requests that name none.
  private func session(_ sessions: Sessions, port: Int) async throws -> Session {
    let address = try #require(URL(string: "http://127.0.0.1:\(port)/api/worlds/default"))
    var request = URLRequest(url: address, timeoutInterval: TestClient.patience)
    request.httpMethod = "POST"
    _ = try await URLSession.shared.data(for: request)
    return try sessions.find("default")
  }

  @Test(.backstop) func thePhoneStopsAskingWhenThePageHasGone() async throws {
    let sessions = Sessions()
    try await Self.server(world: "spaceport").testListening(sessions) { _, port in
      let session = try await session(sessions, port: port)
      let device = session.device
      let request = try await call(of: "spaceship-rentals", in: session, port: port)
      let waiting = Task { try await URLSession.shared.data(for: request) }
      await session.wait { $0.view.selector(on: device) != nil }
      waiting.cancel()
      await session.wait { $0.view.selector(on: device) == nil }
      let journal = session.world.journal.trace()
      #expect(String(decoding: journal, as: UTF8.self).contains("the page has gone"))
      // The canceled call does not block the next one.
      let again = try await call(of: "spaceship-rentals", in: session, port: port, named: "another call")
      async let answer = URLSession.shared.data(for: again)
      await session.wait { $0.view.selector(on: device) != nil }
      try await session.world.perform(text: "person: { picks: Wallet }")
      try await session.world.perform(text: "person: { authorizes-with: face-id }")
      #expect(String(decoding: try await answer.0, as: UTF8.self).contains(#""credential":{"#))
    }
  }

  @Test(.backstop) func aPageAbortsItsCall() async throws {
    let sessions = Sessions()
    try await Self.server(world: "spaceport").testListening(sessions) { _, port in
      let session = try await session(sessions, port: port)
      let device = session.device
      let request = try await call(of: "spaceship-rentals", in: session, port: port, named: "mine")
      async let answer = URLSession.shared.data(for: request)
      await session.wait { $0.view.selector(on: device) != nil }
      var abort = request
      abort.url = URL(string: "http://127.0.0.1:\(port)/api/worlds/default/calls/mine/abort")
      abort.httpBody = Data(#"{"message":"the person chose another way"}"#.utf8)
      let done = try await URLSession.shared.data(for: abort)
      #expect((done.1 as? HTTPURLResponse)?.statusCode == 204)
      let text = String(decoding: try await answer.0, as: UTF8.self)
      #expect(text.contains("AbortError") && text.contains("the person chose another way"))
      #expect(session.world.snapshot?.view.selector(on: device) == nil)
    }
  }

  @Test(.backstop) func twoPendingCallsHaveDifferentNames() async throws {
    let sessions = Sessions()
    try await Self.server(world: "spaceport").testListening(sessions) { _, port in
      let session = try await session(sessions, port: port)
      let device = session.device
      let request = try await call(of: "spaceship-rentals", in: session, port: port, named: "mine")
      async let answer = URLSession.shared.data(for: request)
      await session.wait { $0.view.selector(on: device) != nil }
      let second = try await URLSession.shared.data(for: request)
      #expect((second.1 as? HTTPURLResponse)?.statusCode == 409)
      #expect(String(decoding: second.0, as: UTF8.self).contains("http.call-pending"))
      // The first call is still pending, and can be aborted by its name.
      var abort = request
      abort.url = URL(string: "http://127.0.0.1:\(port)/api/worlds/default/calls/mine/abort")
      abort.httpBody = Data("{}".utf8)
      #expect((try await URLSession.shared.data(for: abort).1 as? HTTPURLResponse)?.statusCode == 204)
      #expect(String(decoding: try await answer.0, as: UTF8.self).contains("AbortError"))
      // The name of a call is free again after the call has ended.
      let third = try await call(of: "spaceship-rentals", in: session, port: port, named: "mine")
      async let another = URLSession.shared.data(for: third)
      await session.wait { $0.view.selector(on: device) != nil }
      try await session.world.perform(text: "person: { cancels: selector }")
      #expect(String(decoding: try await another.0, as: UTF8.self).contains("NotAllowedError"))
    }
  }

  /// A world for requests that name none, in which the person also has a tablet.
  private func sessionWithTablet(_ sessions: Sessions, port: Int) async throws -> Session {
    let tablet = """
      devices:
        kellys-tablet:
          apps:
            Wallet:
              trusts-readers: [apple-business-connect]
              documents:
                - type: org.iso.18013.5.1.mDL
                  issuer: spaceport-dmv
                  elements: { family_name: Rover, given_name: Kelly, issuing_country: US, portrait: sample }
      """
    let folder = Programs.package.appendingPathComponent("scenarios/worlds").path
    let catalogue = Catalogue(folder: folder, world: folder + "/spaceport.yaml")
    let stage = StageRoutes(
      sessions: sessions, catalogue: catalogue, hosts: Hosts(port: port), workers: .forRequests(), sandbox: nil)
    let session = try await stage.begin(StageRoutes.Beginning(), changes: [try YAMLValue(parsing: tablet)])
    sessions.name(session, "default")
    return session
  }

  @Test(.backstop) func theNamedDeviceReceivesTheCall() async throws {
    let sessions = Sessions()
    try await Self.server(world: "spaceport").testListening(sessions) { _, port in
      let session = try await sessionWithTablet(sessions, port: port)
      for device in ["kellys-tablet", "kellys-iphone"] {
        let request = try await call(of: "spaceship-rentals", in: session, port: port, device: device, named: device)
        async let answer = URLSession.shared.data(for: request)
        await session.wait { $0.view.selector(on: device) != nil }
        #expect(session.world.snapshot?.device == device)
        try await session.world.perform(text: "person: { cancels: selector }")
        #expect(String(decoding: try await answer.0, as: UTF8.self).contains("NotAllowedError"))
      }
    }
  }

  @Test(.backstop) func eachPageAbortsItsOwnCallOnItsDevice() async throws {
    let sessions = Sessions()
    try await Self.server(world: "spaceport").testListening(sessions) { _, port in
      let session = try await sessionWithTablet(sessions, port: port)
      let (tablet, phone) = ("kellys-tablet", "kellys-iphone")
      let onTablet = try await call(of: "spaceship-rentals", in: session, port: port, device: tablet, named: tablet)
      let tabletAnswer = Task { try await URLSession.shared.data(for: onTablet) }
      await session.wait { $0.view.selector(on: tablet) != nil }
      let onPhone = try await call(of: "spaceship-rentals", in: session, port: port, device: phone, named: phone)
      let phoneAnswer = Task { try await URLSession.shared.data(for: onPhone) }
      await session.wait { $0.view.selector(on: phone) != nil }
      // The tablet's page aborts its call; the phone's call ends with its connection.
      var abort = onTablet
      abort.url = URL(string: "http://127.0.0.1:\(port)/api/worlds/default/calls/\(tablet)/abort")
      abort.httpBody = Data(#"{"message":"the tablet is put away"}"#.utf8)
      #expect((try await URLSession.shared.data(for: abort).1 as? HTTPURLResponse)?.statusCode == 204)
      #expect(String(decoding: try await tabletAnswer.value.0, as: UTF8.self).contains("the tablet is put away"))
      #expect(session.world.snapshot?.view.selector(on: tablet) == nil)
      #expect(session.world.snapshot?.view.selector(on: phone) != nil)
      try await session.world.perform(.person(.visit(website: "spaceship-rentals", device: tablet)))
      phoneAnswer.cancel()
      await session.wait { $0.view.selector(on: phone) == nil }
    }
  }

  @Test(.backstop) func aPageThatWasLeftIsOpenedAgainForItsCall() async throws {
    let sessions = Sessions()
    try await Self.server(world: "spaceport").testListening(sessions) { _, port in
      let session = try await sessionWithTablet(sessions, port: port)
      for left in ["kellys-iphone", "kellys-tablet"] {
        let device = "kellys-iphone"
        let request = try await call(of: "spaceship-rentals", in: session, port: port, device: device, named: left)
        // Directly, as the stage does, without the interface for pages.
        try await session.world.perform(.person(.visit(website: "spaceship-rentals", device: left)))
        async let answer = URLSession.shared.data(for: request)
        await session.wait { $0.view.selector(on: device) != nil }
        try await session.world.perform(text: "person: { cancels: selector }")
        #expect(String(decoding: try await answer.0, as: UTF8.self).contains("NotAllowedError"))
      }
    }
  }

  @Test func anUnknownDeviceIsRefused() async throws {
    let sessions = Sessions()
    try await Self.server(world: "spaceport").testListening(sessions) { _, port in
      let session = try await session(sessions, port: port)
      var request = try await call(of: "spaceship-rentals", in: session, port: port)
      for device in [#""nobodys-phone""#, "7"] {
        request.httpBody = Data(#"{"options":{},"device":\#(device)}"#.utf8)
        let (data, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 400)
        #expect(String(decoding: data, as: UTF8.self).contains("http.member"))
      }
    }
  }
}
