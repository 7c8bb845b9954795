import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import LocatedYAML
import Reports
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import TestSupport
import Testing

@testable import DemoServer

/// Plays of scenarios, called without a socket.
@Suite("Plays over HTTP") struct PlayTests {
  private static let folder = Programs.package.appendingPathComponent("scenarios").path

  private struct Failure: Decodable {
    var headline: String
    var code: String?
    var text: String
  }

  private struct Played: Decodable {
    struct Step: Decodable {
      var text: String
      var words: String
      var because: String?
      var kind: String
      var isReached: Bool
      var lines: [Int]
      var screen: Int
      var failure: Failure?
    }

    struct Entry: Decodable {
      var line: Int
      var kind: String
      var phrase: String
      var number: Int?
    }

    struct Screen: Decodable {
      struct Device: Decodable {
        struct Page: Decodable {
          var verdict: String?
        }

        struct Selector: Decodable {}

        struct Fact: Decodable, Equatable {
          var label: String
          var name: String
          var words: String
        }

        var page: Page?
        var pageOf: String?
        var selector: Selector?
        var facts: [Fact]?
        var isInFlightMode: Bool?
      }

      struct Terminal: Decodable {
        struct Answer: Decodable {
          var label: String
          var text: String
        }

        struct Overheard: Decodable {
          var title: String
          var sealed: Int?
          var message: Int
        }

        var phase: String
        var facts: [Device.Fact]?
        var kept: [String]?
        var answers: [Answer]?
        var overheard: [Overheard]?
      }

      var now: String
      var devices: [String: Device]
      var terminals: [String: Terminal]
    }

    struct Outcome: Decodable {
      var verdict: String
      var title: String
      var tone: String
      var headline: String?
      var command: String?
      var text: String?
    }

    struct Named: Decodable {
      var name: String
      var title: String
      var kind: String?
      var isUsed: Bool?
      var language: String?
      var words: [String: String]?
    }

    struct Actor: Decodable {
      var id: String
      var title: String
      var note: String?
    }

    var scenario: String
    var seed: UInt64
    var faults: [String]
    var device: String
    var devices: [Named]
    var terminals: [Named]
    var websites: [Named]
    var actors: [Actor]
    var appIcons: [String: String]
    var steps: [Step]
    var entries: [Entry]
    var screens: [Screen]
    var outcome: Outcome
  }

  private static func play(_ client: TestClient, _ query: String) async throws -> Played {
    let response = try await client.execute(uri: "/api/play?\(query)", method: .get)
    #expect(response.status == .ok, "\(String(buffer: response.body))")
    return try JSONDecoder().decode(Played.self, from: Data(buffer: response.body))
  }

  @Test("A phone in flight mode is so in the screens of the steps in which it is") func flightMode() async throws {
    try await ServedStage.test { client in
      let play = try await Self.play(client, "scenario=session/flight-mode%23a%20website%20cannot%20be%20opened")
      let modes = play.steps.map { play.screens[$0.screen].devices["kellys-iphone"]?.isInFlightMode == true }
      let off = try #require(play.steps.firstIndex { $0.text.contains("turns-off") })
      #expect(play.screens.first?.devices["kellys-iphone"]?.isInFlightMode == nil)
      #expect(off > 2 && modes[..<off].allSatisfy(\.self) && !modes[off...].contains(true), "\(modes)")
    }
  }

  @Test func theHeadlineIsPlayed() async throws {
    try await ServedStage.test { client in
      let play = try await Self.play(client, "scenario=headline")
      #expect(play.scenario == "headline" && play.seed == 7 && play.faults.isEmpty)
      #expect(play.device == "kellys-iphone")
      #expect(play.devices.map(\.title) == ["Kelly\u{2019}s iPhone"])
      #expect(play.websites.first?.title == "Spaceship Rentals")
      #expect(play.actors.first { $0.id == "person:person" }?.title == "Kelly")
      #expect(play.actors.contains { $0.title == "Server of Spaceship Rentals" })
      #expect(
        play.steps.map(\.kind) == [
          "action", "action", "expectation", "action", "expectation", "action", "expectation",
        ])
      #expect(play.steps[1].text == #"{ person: { taps: "Verify Identity" } }"#)
      #expect(play.steps[1].words == "Kelly taps Verify Identity")
      #expect(play.outcome.verdict == "passed" && play.outcome.headline == nil)
      #expect(play.outcome.command?.hasSuffix("headline.yaml --seed 7") == true)
      #expect(
        play.actors.first { $0.id == "sandbox:kellys-iphone" }.map { $0.title == "Sandbox" && $0.note == nil } == true)

      // The lines of the steps follow one another up to the last.
      #expect(play.entries.map(\.line) == Array(1...play.entries.count))
      for (step, next) in zip(play.steps, play.steps.dropFirst()) { #expect(next.lines[0] == step.lines[1] + 1) }
      #expect(play.steps.last?.lines[1] == play.entries.count)
      let screens = play.steps.map { play.screens[$0.screen].devices["kellys-iphone"] }
      #expect(screens[0]?.pageOf == "spaceship-rentals" && screens[0]?.selector == nil)
      #expect(screens[1]?.selector != nil && screens[6]?.page?.verdict == "verified")
      #expect(play.screens[0].devices["kellys-iphone"]?.page == nil)
      let facts = try #require(screens[6]?.facts)
      #expect(facts.contains(.init(label: "Age over 21", name: "org.iso.18013.5.1 age_over_21", words: "Yes")))
      #expect(
        facts.contains(
          .init(
            label: "Driving Privileges", name: "org.iso.18013.5.1 driving_privileges",
            words: "Class B to 2029-03-01, Class A to 2029-03-01")))
      #expect(screens[5]?.facts?.isEmpty != true && screens[0]?.facts == nil)
    }
  }

  @Test func theTerminalsOfARunAreOnItsScreens() async throws {
    try await ServedStage.test { client in
      let name = "in-person/the-person-at-the-counter%23looks%20like%20the%20portrait"
      let play = try await Self.play(client, "scenario=\(name)")
      #expect(play.terminals.map(\.title) == ["Hangar Desk"] && play.terminals.first?.isUsed == true)
      let desk = play.steps.map { play.screens[$0.screen].terminals["hangar-desk"] }
      let asked = try #require(desk[3])
      #expect(asked.phase == "comparing" && asked.facts?.map(\.label) == ["Photo"])
      #expect(asked.answers?.map(\.label) == ["Yes", "No"])
      #expect(asked.answers?.first?.text == "{ clerk: { at: hangar-desk, sees: holder } }")
      #expect(desk.last??.phase == "verified" && desk.last??.kept == ["Document Number"])
      let request = try #require(asked.overheard?.first { $0.title == "the request" })
      let entry = try #require(play.entries.first { $0.number == request.message })
      #expect(request.sealed ?? 0 > 1_000 && entry.phrase.contains("sealed message"), "\(entry)")

      let online = try await Self.play(client, "scenario=in-person/message-authentication%23online")
      #expect(online.terminals.map(\.isUsed) == [false])
      #expect(try await Self.play(client, "scenario=headline").terminals.isEmpty)
    }
  }

  @Test func aPlayInAnotherLanguageHasItsWordsAndTheSameSteps() async throws {
    try await ServedStage.test { client in
      func body(_ query: String) async throws -> String {
        String(buffer: try await client.execute(uri: "/api/play?\(query)", method: .get).body)
      }
      let english = try await Self.play(client, "scenario=headline")
      let spanish = try await Self.play(client, "scenario=headline&language=es")
      #expect(spanish.steps.map(\.words) == english.steps.map(\.words))
      #expect(spanish.outcome.verdict == "passed")
      #expect(spanish.devices.map(\.language) == ["es"] && english.devices.map(\.language) == [nil])
      #expect(spanish.devices.first?.words?["Settings"] == "Ajustes" && english.devices.first?.words == nil)
      let text = try await body("scenario=headline&language=es")
      #expect(text.contains("Mayor de 21 años") && text.contains("Age over 21"))
      #expect(try await body("scenario=headline&language=en") == body("scenario=headline"))
      let unknown = try await client.execute(uri: "/api/play?scenario=headline&language=xx", method: .get)
      #expect(unknown.status == .badRequest && String(buffer: unknown.body).contains("zh-Hans"))
    }
  }

  @Test func aRequestingAppHasTheIconOfItsBrand() async throws {
    try await ServedStage.test { client in
      let play = try await Self.play(client, "scenario=in-app/accepted")
      #expect(play.appIcons == ["Rocket Rides": "rocket.svg"])
      #expect(play.actors.contains { $0.id.hasSuffix("/Rocket Rides") })
    }
  }

  @Test func membersWithoutAValueAreNull() async throws {
    try await ServedStage.test { client in
      let response = try await client.execute(uri: "/api/play?scenario=headline", method: .get)
      let play = try #require(
        try JSONSerialization.jsonObject(with: Data(buffer: response.body)) as? [String: Any])
      let outcome = try #require(play["outcome"] as? [String: Any])
      for name in ["headline", "code", "text"] { #expect(outcome[name] is NSNull, "\(name)") }
      for step in try #require(play["steps"] as? [[String: Any]]) { #expect(step["failure"] is NSNull) }
      let screen = try #require((play["screens"] as? [[String: Any]])?.first)
      let device = try #require((screen["devices"] as? [String: Any])?["kellys-iphone"] as? [String: Any])
      #expect(
        Set(device.keys) == [
          "app", "authorization", "code", "continue", "notice", "notification", "page", "pageOf", "prompt", "selector",
        ])
      #expect(device.values.allSatisfy { $0 is NSNull })
    }
  }

  @Test func devicesThatThePersonUsesAreUsedAndAnIPadIsOne() async throws {
    try await ServedStage.test { client in
      let scanning = try await Self.play(client, "scenario=cross-device/phishing-relays-the-code")
      #expect(scanning.devices.allSatisfy { $0.isUsed == true } && scanning.devices.count == 2)
      let several = try await Self.play(client, "scenario=session/two-devices")
      #expect(several.devices.first { $0.name == "kellys-ipad" }?.kind == "ipad")
      let one = try await Self.play(client, "scenario=consent/declined-in-wallet")
      #expect(one.devices.map(\.isUsed) == [true])
    }
  }

  @Test func theWireTellsStepsInTheWordsOfTheTrack() async throws {
    try await ServedStage.test { client in
      let play = try await Self.play(client, "scenario=headline")
      let steps = play.entries.filter { $0.kind == "step" }.map(\.phrase)
      #expect(steps.first == "Kelly opens Spaceship Rentals on Kelly\u{2019}s iPhone", "\(steps)")
      #expect(steps.last == "Kelly authorizes with Face ID" && steps.count == 4, "\(steps)")
    }
  }

  @Test func aSeedAndAFaultChangeThePlay() async throws {
    try await ServedStage.test { client in
      let play = try await Self.play(client, "scenario=headline&seed=12&fault=network.response-altered")
      #expect(play.seed == 12 && play.faults == ["network.response-altered"])
      #expect(play.steps.count == 8 && play.steps[0].kind == "fault")
      #expect(play.outcome.verdict == "failed" && play.outcome.command == nil)
      // The case is not judged: the question is who noticed.
      #expect(play.outcome.title == "The fault was noticed" && play.outcome.tone == "good")
      #expect(play.outcome.headline == nil && play.steps[7].failure?.headline.isEmpty == false)
      for text in [play.outcome.text, play.steps[7].failure?.text] {
        #expect(text?.isEmpty == false && text?.contains("presentment run") == false)
      }

      // A change to the world has no step.
      let unsigned = try await Self.play(client, "scenario=headline&fault=unsigned&fault=unsigned")
      #expect(unsigned.faults == ["unsigned"] && unsigned.steps.count == 7)
      #expect(unsigned.outcome.verdict == "failed" && !unsigned.steps[6].isReached)
    }
  }

  @Test func aCaseIsNamedAfterTheNumberSign() async throws {
    try await ServedStage.test { client in
      let first = try await Self.play(client, "scenario=revocation/revoked")
      #expect(first.scenario == "revocation/revoked#in a status list" && first.outcome.verdict == "passed")
      let named = try await Self.play(client, "scenario=revocation/revoked%23in%20a%20status%20list")
      #expect(named.scenario == first.scenario && named.entries.count == first.entries.count)
    }
  }

  @Test(arguments: ["language/not-run-or-failing"]) func casesThatDoNotPassSayWhy(_ name: String) async throws {
    let cases = try #require(ScenarioReader.read("\(Self.folder)/\(name).yaml", ProblemCollector()))
    try await ServedStage.test { client in
      var verdicts: Set<String> = []
      for scenario in cases {
        let query = scenario.caseName.flatMap {
          $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        }
        let play = try await Self.play(client, "scenario=\(name)" + (query.map { "%23\($0)" } ?? ""))
        verdicts.insert(play.outcome.verdict)
        guard scenario.skip != nil else { continue }
        #expect(play.outcome.headline == scenario.skip && play.entries.isEmpty && play.screens.count == 1)
        #expect(play.steps.allSatisfy { !$0.isReached && $0.screen == 0 })
      }
      #expect(verdicts.contains("skipped") && verdicts.contains("failed as expected"))
    }
  }

  @Test(arguments: [
    ("", 400, "http.member"), ("scenario=", 404, "http.not-found"), ("scenario=nothing", 404, "http.not-found"),
    ("scenario=../spaceport", 404, "http.not-found"), ("scenario=headline%23case", 400, "live.unreadable"),
    ("scenario=headline&seed=-1", 400, "http.member"), ("scenario=headline&seed=x", 400, "http.member"),
    ("scenario=headline&seed=18446744073709551616", 400, "http.member"),
    ("scenario=headline&fault=nothing", 400, "http.member"),
    ("scenario=headline" + String(repeating: "&fault=unsigned", count: 9), 400, "http.member"),
  ])
  func wrongQuestionsAreRefused(_ query: String, _ status: Int, _ code: String) async throws {
    try await ServedStage.test { client in
      for path in ["", "/message/1", "/page"] {
        let response = try await client.execute(uri: "/api/play\(path)?\(query)", method: .get)
        #expect(response.status.code == status, "\(path)")
        #expect(String(buffer: response.body).contains("\"\(code)\""), "\(path)")
      }
    }
  }

  @Test func onlyReadingIsAllowed() async throws {
    try await ServedStage.test { client in
      let response = try await client.execute(uri: "/api/play?scenario=headline", method: .post)
      #expect(response.status == .methodNotAllowed)
      for path in ["/more", "/message", "/message/1/2", "/message/x", "/message/0", "/message/-1", "/message/100000"] {
        let response = try await client.execute(uri: "/api/play\(path)?scenario=headline", method: .get)
        #expect(response.status == .notFound, "\(path)")
      }
    }
  }

  @Test func anUnchangedPlayIsNotSentAgain() async throws {
    try await ServedStage.test { client in
      func tag(_ query: String) async throws -> String {
        let response = try await client.execute(uri: "/api/play?\(query)", method: .get)
        #expect(response.headers[.cacheControl] == "no-cache")
        return try #require(response.headers[.eTag])
      }
      let known = try await tag("scenario=headline")
      #expect(try await tag("scenario=headline") == known)
      #expect(try await tag("scenario=headline&seed=8") != known)
      let again = try await client.execute(
        uri: "/api/play?scenario=headline", method: .get, headers: [.ifNoneMatch: "\"x\", W/\(known)"])
      #expect(again.status == .notModified && again.body.readableBytes == 0)
      let other = try await client.execute(
        uri: "/api/play?scenario=headline&seed=8", method: .get, headers: [.ifNoneMatch: known])
      #expect(other.status == .ok)
    }
  }

  @Test func messagesPageAndFileOfAPlayCanBeFetched() async throws {
    try await ServedStage.test { client in
      let play = try await Self.play(client, "scenario=headline")
      let number = try #require(play.entries.compactMap(\.number).last)
      let message = try await client.execute(uri: "/api/play/message/\(number)?scenario=headline", method: .get)
      let content = try #require(
        try JSONSerialization.jsonObject(with: Data(buffer: message.body)) as? [String: Any])
      for name in ["e", "l", "p", "readers", "s"] { #expect(content[name] != nil, "\(name)") }

      let page = try await client.execute(uri: "/api/play/page?scenario=headline", method: .get)
      #expect(page.headers[.contentDisposition] == "attachment; filename=\"headline.html\"")
      #expect(String(buffer: page.body).contains("<title>Rent a spaceship with an ID in Wallet"))
      for step in [Int.min, -1, 0, 1, Int.max] {
        let page = try await client.execute(uri: "/api/play/page?scenario=headline&step=\(step)", method: .get)
        #expect(page.status == .ok, "\(step)")
      }
      let file = try await client.execute(uri: "/api/play/scenario?scenario=attacks/phishing-site", method: .get)
      #expect(file.headers[.contentDisposition] == "attachment; filename=\"attacks_phishing-site.yaml\"")
      #expect(
        String(buffer: file.body)
          == (try String(contentsOfFile: Self.folder + "/attacks/phishing-site.yaml", encoding: .utf8)))
    }
  }

  @Test func theMapOfAlteredBytesIsAPageOfTheStage() async throws {
    try await ServedStage.test { client in
      func map(_ query: String) async throws -> TestClient.Response {
        try await client.execute(uri: "/api/play/sweep?\(query)", method: .get)
      }
      let answer = try await map("scenario=headline&seed=8&message=44&step=3")
      #expect(answer.status == .ok && answer.headers[.contentDisposition] == nil)
      #expect(answer.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; style-src") == true)
      let page = String(buffer: answer.body)
      #expect(page.contains("<svg class=\"map\"") && page.contains("<dt>seed</dt><dd>8</dd>"))
      #expect(page.contains("<dt>sandboxes</dt><dd>in-process</dd>"))
      #expect(page.contains("<a href=\"?scenario=headline&amp;seed=8\">All messages</a>"))
      // Every byte of a short message is altered.
      #expect(!page.contains("was flipped"))
      let refused = [
        "scenario=headline&message=0": 404, "scenario=headline&message=x": 400,
        "scenario=headline&fault=wallet.value-changed": 400, "scenario=unknown": 404,
      ]
      for (query, status) in refused { #expect(try await map(query).status.code == status, "\(query)") }
    }
  }

  private final class Count: Sendable { let value = Atomic(0) }

  @Test func aMapThatIsNotWantedAnyMoreIsNotFinished() throws {
    var setting = DemoConfiguration(path: Self.folder + "/headline.yaml")
    setting.sandbox = .inProcess
    let asked = Count()
    let view = SweepReport.View(run: "/", query: "", message: 44, allBytes: "")
    #expect(throws: HTTPProblem.self) {
      try SweepRoute.html(of: setting, message: 44, in: view) {
        asked.value.add(1, ordering: .relaxed).newValue < 3
      }
    }
    // It asks before each run, and once more at the end.
    #expect(asked.value.load(ordering: .relaxed) == 4)
  }

  @Test func thePlaysThatAreKeptAreBounded() throws {
    let scenario = try #require(ScenarioReader.read(Self.folder + "/headline.yaml", ProblemCollector())?.first)
    let play = Play(Playback(scenario.parsing(.inProcess)), name: "headline", faults: [])
    func key(_ seed: UInt64) -> Plays.Key { Plays.Key(scenario: "headline", seed: seed, faults: [], files: []) }

    let few = Plays(count: 3)
    for seed in 1...3 { few.keep(play, as: key(UInt64(seed))) }
    #expect(few.find(key(1)) != nil)
    few.keep(play, as: key(4))
    // The second has been unused for the longest time.
    #expect([1, 2, 3, 4].map { few.find(key($0)) != nil } == [true, false, true, true])
    few.keep(play, as: key(4))
    #expect(few.load.count == 3 && few.load.size == 3 * play.size)

    let small = Plays(size: 2 * play.size)
    for seed in 1...5 { small.keep(play, as: key(UInt64(seed))) }
    #expect(small.load.count == 2 && small.load.size == 2 * play.size)
    let tiny = Plays(size: play.size - 1)
    tiny.keep(play, as: key(1))
    #expect(tiny.load.count == 0 && tiny.load.size == 0)
  }

  @Test func aChangedFileIsPlayedAnew() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("worlds"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let world = folder.appendingPathComponent("worlds/spaceport.yaml").path
    try FileManager.default.copyItem(atPath: Self.folder + "/worlds/spaceport.yaml", toPath: world)
    let file = folder.appendingPathComponent("headline.yaml")
    let text = try String(contentsOfFile: Self.folder + "/headline.yaml", encoding: .utf8)
    try text.write(to: file, atomically: true, encoding: .utf8)
    let server = try DemoServer(DemoServer.Configuration(world: world, folder: folder.path))
    try await server.test { client in
      #expect(try await Self.play(client, "scenario=headline").outcome.verdict == "passed")
      try text.replacing("given_name: Kelly", with: "given_name: Robin").write(
        to: file, atomically: true, encoding: .utf8)
      // Two changes within a file system's resolution of time have one date.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: file.path)
      #expect(try await Self.play(client, "scenario=headline").outcome.verdict == "failed")
    }
  }

  private struct World: Decodable {
    var id: String
    var steps: Int?
    var faults: [String]
  }

  private static let json: HTTPFields = [.contentType: "application/json"]

  @Test func aPersonTakesOverAndIsJudged() async throws {
    try await ServedStage.test { client in
      func post(_ path: String, _ body: String) async throws -> TestClient.Response {
        try await client.execute(
          uri: "/api/worlds" + path, method: .post, headers: Self.json, body: ByteBuffer(string: body))
      }
      let born = try await post("", #"{"scenario":"headline","seed":9,"steps":2}"#)
      #expect(born.status == .created)
      let world = try JSONDecoder().decode(World.self, from: Data(buffer: born.body))
      #expect(world.steps == 2 && world.faults.isEmpty)
      func judge(_ step: String) async throws -> TestClient.Response {
        try await post("/\(world.id)/judge", #"{"step":\#(step)}"#)
      }
      struct Judgement: Decodable {
        var failure: Failure?
      }
      #expect(String(buffer: try await judge("2").body) == #"{"failure":null,"hasEnded":false}"#)
      let early = try JSONDecoder().decode(Judgement.self, from: Data(buffer: try await judge("6").body))
      #expect(early.failure?.headline.isEmpty == false && early.failure?.text.isEmpty == false)

      let play = try await Self.play(client, "scenario=headline&seed=9")
      for step in [3, 5] { #expect(try await post("/\(world.id)/steps", play.steps[step].text).status == .noContent) }
      #expect(String(buffer: try await judge("6").body) == #"{"failure":null,"hasEnded":true}"#)
      for step in ["0", "7", "-1", "\"2\"", "2.5", "99999999999999999999"] {
        #expect(try await judge(step).status == .badRequest, "\(step)")
      }
      let stranger = try await client.execute(
        uri: "/api/worlds/\(world.id)/judge", method: .post,
        headers: [.contentType: "application/json", .origin: "https://stranger.example"],
        body: ByteBuffer(string: #"{"step":2}"#))
      #expect(stranger.status == .forbidden)
    }
  }

  @Test func aWorldWithAFaultIsTakenOver() async throws {
    try await ServedStage.test { client in
      let response = try await client.execute(
        uri: "/api/worlds", method: .post, headers: Self.json,
        body: ByteBuffer(string: #"{"scenario":"headline","fault":"network.response-altered","steps":7}"#))
      let world = try JSONDecoder().decode(World.self, from: Data(buffer: response.body))
      #expect(world.faults == ["network.response-altered"])
      // The fault is the first step of the play.
      let judged = try await client.execute(
        uri: "/api/worlds/\(world.id)/judge", method: .post, headers: Self.json,
        body: ByteBuffer(string: #"{"step":7}"#))
      #expect(String(buffer: judged.body).contains("headline"))
    }
  }

  @Test(arguments: [
    #"{"scenario":"headline","steps":8}"#, #"{"scenario":"headline","steps":-1}"#, #"{"steps":1}"#,
    #"{"world":"spaceport","steps":1}"#, #"{"scenario":"headline","steps":"2"}"#,
    #"{"scenario":"headline","steps":2,"fault":"nothing"}"#,
  ])
  func wrongTakeoversAreRefused(_ body: String) async throws {
    try await ServedStage.test { client in
      let response = try await client.execute(
        uri: "/api/worlds", method: .post, headers: Self.json, body: ByteBuffer(string: body))
      #expect(response.status == .badRequest)
    }
  }

  @Test func aWorldWithoutAScenarioIsPlayedFreely() async throws {
    try await ServedStage.test { client in
      let response = try await client.execute(
        uri: "/api/worlds", method: .post, headers: Self.json,
        body: ByteBuffer(string: #"{"world":"spaceport","steps":0,"fault":"network.response-altered"}"#))
      #expect(response.status == .created)
      let world = try JSONDecoder().decode(World.self, from: Data(buffer: response.body))
      for step in ["visits: spaceship-rentals", "taps: Verify Identity", "picks: Wallet"] {
        let done = try await client.execute(
          uri: "/api/worlds/\(world.id)/steps", method: .post, headers: Self.json,
          body: ByteBuffer(string: "{ person: { \(step) } }"))
        #expect(done.status == .noContent, "\(step)")
      }
    }
  }
}
