import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import TestSupport
import Testing

@testable import DemoServer

/// External pages: the list of those that joined, their worlds, and the faults for their calls.
@Suite("External pages") struct JoinedPageTests {
  private static func server() throws -> DemoServer {
    let scenarios = Programs.package.appendingPathComponent("scenarios").path
    return try DemoServer(
      DemoServer.Configuration(world: scenarios + "/worlds/any-site.yaml", folder: scenarios))
  }

  private struct Joined: Decodable {
    var website: String
    var world: String
    var page: String?
  }

  private struct List: Decodable {
    struct Page: Decodable {
      struct Fault: Decodable {
        var id: String
        var label: String
      }

      var id: String
      var origin: String
      var place: String
      var joined: String
      var calls: Int
      var faults: [Fault]
      var world: String?
    }

    var pages: [Page]
  }

  private struct Problem: Decodable {
    var code: String
    var message: String
  }

  private static let json: HTTPFields = [.contentType: "application/json"]

  private func post(
    _ client: TestClient, _ uri: String, _ body: String, from origin: String? = nil
  ) async throws -> TestClient.Response {
    var headers = Self.json
    headers[.origin] = origin
    return try await client.execute(uri: uri, method: .post, headers: headers, body: ByteBuffer(string: body))
  }

  private func join(
    _ client: TestClient, _ body: String = "{}", world: String = "default",
    from origin: String = "http://localhost:3000"
  ) async throws -> Joined {
    let response = try await post(client, "/api/worlds/\(world)/pages", body, from: origin)
    #expect(response.status == .ok, "\(String(buffer: response.body))")
    return try JSONDecoder().decode(Joined.self, from: Data(buffer: response.body))
  }

  private func pages(_ client: TestClient) async throws -> [List.Page] {
    let response = try await client.execute(uri: "/api/pages", method: .get)
    return try JSONDecoder().decode(List.self, from: Data(buffer: response.body)).pages
  }

  @Test func eachPageHasOneWorldAndTheServerNoOther() async throws {
    let sessions = Sessions()
    try await Self.server().test(sessions) { client in
      let first = try await join(client)
      #expect(try await join(client).world == first.world, "a reload keeps the world")
      #expect(try await join(client, world: "any-site").world == first.world, "the default world has a name of its own")
      let other = try await join(client, from: "http://localhost:4000")
      #expect(other.world != first.world)
      let listed = try await pages(client)
      #expect(listed.map(\.origin) == ["http://localhost:4000", "http://localhost:3000"], "the last that joined first")
      #expect(listed.map(\.world) == [other.world, first.world])
      #expect(listed.allSatisfy { $0.place == "any-site" && $0.calls == 0 && $0.faults.isEmpty })
      #expect(sessions.known(Catalogue.defaultWorld) == nil)
      // A page whose world has ended gets another one.
      let ending = try sessions.find(first.world).world
      ending.stop()
      await ending.ended()
      let again = try await join(client)
      #expect(again.page == first.page && again.world != first.world)
    }
  }

  @Test func aTestSharesItsWorldsWithNoOtherPages() async throws {
    try await Self.server().test { client in
      let (first, second) = (#"{"test":"first"}"#, #"{"test":"second"}"#)
      let worlds = [try await join(client), try await join(client, first), try await join(client, second)]
      #expect(Set(worlds.map(\.world)).count == 3)
      #expect(try await join(client, first).world == worlds[1].world, "a reload keeps the world")
      let page = try #require(worlds[1].page)
      let broken = try await post(client, "/api/pages/\(page)/faults", #"{"faults":["issuer.expired"]}"#)
      #expect(broken.status == .noContent)
      let faulty = try await pages(client).filter { !$0.faults.isEmpty }
      #expect(faulty.map(\.id) == [page])
    }
  }

  @Test func aResetPageGetsANewWorldWithoutFaults() async throws {
    try await Self.server().test { client in
      let joined = try await join(client)
      let page = try #require(joined.page)
      _ = try await post(client, "/api/pages/\(page)/faults", #"{"faults":["issuer.expired"]}"#)
      let path = "/api/worlds/\(joined.world)/reset"
      let stranger = try await post(client, path, "{}", from: "http://localhost:4000")
      #expect(stranger.status == .conflict)
      #expect(try await post(client, path, "{}", from: "http://localhost:3000").status == .noContent)
      let again = try await join(client)
      #expect(again.world != joined.world)
      #expect(try await pages(client).map(\.faults.count) == [0])
    }
  }

  /// A test in progress does not end for another one, and no other page waits for tests.
  @Test func tooManyTestsAreRefusedUntilOneIsOver() async throws {
    let sessions = Sessions()
    try await Self.server().test(sessions) { client in
      func join(_ number: Int) async throws -> TestClient.Response {
        try await post(
          client, "/api/worlds/default/pages", #"{"test":"\#(number)","context":"page-of-\#(number)"}"#,
          from: "http://localhost:3000")
      }
      let all = ExternalPages.maximumOfTests
      var worlds: [String] = []
      for number in 0..<all {
        let response = try await join(number)
        worlds.append(try JSONDecoder().decode(Joined.self, from: Data(buffer: response.body)).world)
      }
      let refused = try await join(all)
      #expect(refused.status == .tooManyRequests)
      let problem = try JSONDecoder().decode(Problem.self, from: Data(buffer: refused.body))
      #expect(problem.code == "http.full" && problem.message.contains("\(all) pages of tests"), "\(problem)")
      _ = try await self.join(client)
      let ending = try sessions.find(worlds[3]).world
      let left = try await post(
        client, "/api/worlds/\(worlds[3])/pages/page-of-3/leave", "{}", from: "http://localhost:3000")
      #expect(left.status == .noContent)
      #expect(try await join(all).status == .ok)
      await ending.ended()
      #expect(sessions.unused(worlds[4]) != nil)
      #expect(try await join(all + 1).status == .tooManyRequests)
    }
  }

  /// A browser that is killed does not say that its pages are left.
  @Test func aTestThatIsQuietForLongEndsForAnother() async throws {
    try await Self.server().test(Sessions(testIdleTime: .zero)) { client in
      for number in 0...ExternalPages.maximumOfTests {
        let body = #"{"test":"\#(number)","context":"page-of-\#(number)"}"#
        let response = try await post(client, "/api/worlds/default/pages", body, from: "http://localhost:3000")
        #expect(response.status == .ok)
      }
      #expect(try await pages(client).count == ExternalPages.maximumOfTests)
    }
  }

  @Test func worldsAndScenariosAreJoinedByTheirNames() async throws {
    try await Self.server().test { client in
      _ = try await join(client, world: "spaceport")
      _ = try await join(client, #"{"scenario":"headline"}"#)
      #expect(try await pages(client).map(\.place) == ["headline", "spaceport"])
      let unknown = try await post(client, "/api/worlds/nowhere/pages", "{}", from: "http://localhost:3000")
      #expect(unknown.status == .notFound)
      let scenario = try await post(
        client, "/api/worlds/default/pages", #"{"scenario":"nowhere"}"#, from: "http://localhost:3000")
      #expect(scenario.status == .badRequest)
    }
  }

  @Test func aChosenFaultOutlastsAReloadAndANamedOneReplacesIt() async throws {
    try await Self.server().test { client in
      func faults() async throws -> [String] { try await pages(client).flatMap(\.faults).map(\.id) }
      let page = try #require(try await join(client).page)
      let chosen = try await post(client, "/api/pages/\(page)/faults", #"{"faults":["wallet.value-changed"]}"#)
      #expect(chosen.status == .noContent)
      _ = try await join(client)
      #expect(try await faults() == ["wallet.value-changed"])
      let tag = #"{"faults":["issuer.expired","network.response-altered"]}"#
      _ = try await join(client, tag)
      #expect(try await faults() == ["issuer.expired", "network.response-altered"])
      let repaired = try await post(client, "/api/pages/\(page)/faults", #"{"faults":[]}"#)
      #expect(repaired.status == .noContent)
      _ = try await join(client, tag)
      #expect(try await faults().isEmpty, "the script element names what it named before")
      _ = try await join(client, #"{"faults":["issuer.expired"]}"#)
      #expect(try await faults() == ["issuer.expired"])
    }
  }

  @Test(arguments: [
    ("website.request-too-deep", "simulated website"), ("unsigned", "simulated website"),
    ("isuer.expired", "did you mean 'issuer.expired'?"), ("nothing at all", "unknown fault"),
  ])
  func faultsOfSimulatedWebsitesAndUnknownOnesAreRefused(_ name: String, _ reason: String) async throws {
    try await Self.server().test { client in
      let page = try #require(try await join(client).page)
      let body = #"{"faults":["\#(name)"]}"#
      for (uri, origin) in [
        ("/api/pages/\(page)/faults", nil), ("/api/worlds/default/pages", "http://localhost:3000"),
      ] {
        let response = try await post(client, uri, body, from: origin)
        #expect(response.status == .badRequest, "\(uri)")
        let problem = try JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
        #expect(problem.code == "http.member" && problem.message.contains(reason), "\(problem)")
      }
    }
  }

  @Test func otherPagesNeitherListNorBreakPages() async throws {
    try await Self.server().test { client in
      let page = try #require(try await join(client).page)
      let headers: HTTPFields = [.origin: "http://localhost:3000"]
      for uri in ["/api/pages", "/api/pages/events"] {
        #expect(try await client.execute(uri: uri, method: .get, headers: headers).status == .forbidden, "\(uri)")
      }
      let response = try await post(
        client, "/api/pages/\(page)/faults", #"{"faults":[]}"#, from: "http://localhost:3000")
      #expect(response.status == .forbidden)
      #expect(try await post(client, "/api/pages/page-0/faults", #"{"faults":[]}"#).status == .notFound)
    }
  }

  @Test func aFaultActsOnTheNextCallUntilItIsRepaired() async throws {
    let options = try await AnswerTests.options.value
    let sessions = Sessions()
    try await Self.server().test(sessions) { client in
      let joined = try await join(client, from: "http://localhost:3000")
      let session = try sessions.find(joined.world)
      let page = try #require(joined.page)
      func conclusion(after number: Int) async throws -> String {
        let external = ExternalPage(joined.website, on: session.device, in: session.world)
        async let answer = external.getCredential(
          options, call: number, after: ExternalPage.Gesture(isOpened: true, isTapped: true))
        await session.wait { !($0.view.selector(on: session.device)?.offered.isEmpty ?? true) }
        try await session.world.perform(text: "person: { picks: Wallet }")
        try await session.world.perform(text: "person: { authorizes-with: face-id }")
        #expect(try await answer?.kind == .credential)
        return session.world.conclusion.map { "\($0.title) \($0.text)" } ?? ""
      }
      #expect(try await conclusion(after: 1).hasPrefix("Your page got an answer. "))
      _ = try await post(client, "/api/pages/\(page)/faults", #"{"faults":["wallet.value-changed"]}"#)
      let broken = try await conclusion(after: 2)
      #expect(broken.contains("your server should refuse") && broken.contains("A value is changed"), "\(broken)")
      _ = try await post(client, "/api/pages/\(page)/faults", #"{"faults":["issuer.expired"]}"#)
      let expired = try await conclusion(after: 3)
      #expect(expired.contains("The document has expired") && !expired.contains("A value is changed"), "\(expired)")
      _ = try await post(client, "/api/pages/\(page)/faults", #"{"faults":[]}"#)
      #expect(try await conclusion(after: 4).hasPrefix("Your page got an answer. "))
      let recording = session.world.recording.yaml
      #expect(recording.contains("fault: wallet.value-changed") && recording.contains("ends: issuer.expired"))
    }
  }

  @Test func aCallWithoutAGestureIsNotToldFromARefusal() async throws {
    let options = try await AnswerTests.options.value
    let sessions = Sessions()
    try await Self.server().test(sessions) { client in
      let joined = try await join(client)
      let session = try sessions.find(joined.world)
      let page = ExternalPage(joined.website, on: session.device, in: session.world)
      let answer = try await page.getCredential(options, call: 1, after: ExternalPage.Gesture(isOpened: true))
      #expect(answer?.kind == .exception)
      let conclusion = try #require(session.world.conclusion)
      #expect(conclusion.code == "browser.user-activation", "\(conclusion)")
      #expect(conclusion.text.contains("cannot tell this from a refusal"), "\(conclusion)")
    }
  }

  private struct Calls: Decodable {
    struct Call: Decodable {
      struct Element: Decodable {
        var identifier: String
        var isRetained: Bool
        var isReleased: Bool
      }

      struct Finding: Decodable {
        var party: String
        var code: String
      }

      struct Fault: Decodable { var fault: String }
      struct Conclusion: Decodable { var code: String? }

      var number: Int
      var origin: String
      var outcome: String
      var app: String?
      var elements: [Element]
      var offered: [String]
      var faults: [Fault]
      var findings: [Finding]
      var conclusion: Conclusion?
    }

    var calls: [Call]
  }

  @Test func aTestSeesWhatWasAskedAndReleasedAndWhoNoticedWhat() async throws {
    let options = try await AnswerTests.options.value
    let sessions = Sessions()
    try await Self.server().test(sessions) { client in
      let joined = try await join(client)
      let session = try sessions.find(joined.world)
      let page = ExternalPage(joined.website, on: session.device, in: session.world)
      func test(_ command: String, _ body: String = "{}", from origin: String = "http://localhost:3000") async throws
        -> TestClient.Response
      { try await post(client, "/api/worlds/\(joined.world)/test/\(command)", body, from: origin) }
      // Without a gesture, by a person who does not agree, and by one who does.
      _ = try await page.getCredential(options, call: 1, after: ExternalPage.Gesture(isOpened: true))
      try await page.setVirtualWallet(
        #"{"action":"respond","presentment:app":"Wallet","presentment:decision":"decline"}"#)
      let gesture = ExternalPage.Gesture(isOpened: true, isTapped: true)
      _ = try await page.getCredential(options, call: 2, after: gesture)
      try await page.setVirtualWallet(#"{"action":"respond","presentment:app":"Wallet"}"#)
      #expect(try await test("setFaults", #"{"faults":["issuer.expired"]}"#).status == .ok)
      _ = try await page.getCredential(options, call: 3, after: gesture)
      #expect(try await test("setFaults", #"{"faults":[]}"#).status == .ok)
      #expect(try await test("perform", #"{"step":{"person":{"switches-off":"Wallet"}}}"#).status == .ok)
      _ = try await page.getCredential(options, call: 4, after: gesture)

      let answer = try await test("getCalls")
      let calls = try JSONDecoder().decode(Calls.self, from: Data(buffer: answer.body)).calls
      #expect(calls.map(\.number) == [1, 2, 3, 4] && calls.allSatisfy { $0.origin == "http://localhost:3000" })
      #expect(calls.map(\.outcome) == ["exception", "exception", "credential", "exception"])
      #expect(calls[0].findings.contains { $0.code == "browser.user-activation" && $0.party.hasPrefix("browser:") })
      #expect(calls[0].elements.isEmpty && calls[0].app == nil)
      let asked = calls[1].elements
      #expect(!asked.isEmpty && asked.allSatisfy { !$0.isReleased })
      #expect(calls[2].app == "Wallet" && calls[2].elements.map(\.identifier) == asked.map(\.identifier))
      #expect(calls[2].elements.allSatisfy { $0.isReleased })
      #expect(calls.map { $0.faults.map(\.fault) } == [[], [], ["issuer.expired"], []])
      #expect(calls.map(\.offered) == [[], ["Wallet"], ["Wallet"], []])
      #expect(calls.allSatisfy { $0.conclusion != nil })

      struct Traces: Decodable {
        struct Trace: Decodable { var page: String }
        var traces: [Trace]
      }
      let traces = try JSONDecoder().decode(Traces.self, from: Data(buffer: try await test("getTrace").body))
      #expect(traces.traces.map { $0.page.hasPrefix("<!doctype html>") } == [true])
      struct Archived: Decodable {
        struct Archive: Decodable {
          struct Log: Decodable {
            struct Entry: Decodable {
              struct Response: Decodable { var status: Int }
              var response: Response
            }

            var version: String
            var entries: [Entry]
          }

          var log: Log
        }

        var archive: Archive
      }
      let archived = try JSONDecoder().decode(Archived.self, from: Data(buffer: try await test("getArchive").body))
      #expect(archived.archive.log.version == "1.2")
      #expect(archived.archive.log.entries.map(\.response.status) == [400, 400, 200, 400])

      for (command, body, status) in [
        ("getEverything", "{}", HTTPResponse.Status.notFound), ("setFaults", "{}", .badRequest),
        ("setFaults", #"{"faults":["isuer.expired"]}"#, .badRequest), ("setFaults", #"{"faults":[1]}"#, .badRequest),
        ("perform", "{}", .badRequest), ("perform", #"{"step":"person: { dances: Wallet }"}"#, .badRequest),
        ("getCalls", "{", .badRequest),
      ] {
        #expect(try await test(command, body).status == status, "\(command) \(body)")
      }
      #expect(try await test("getCalls", from: "http://localhost:4000").status == .conflict)
    }
  }
}
