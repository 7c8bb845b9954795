import Foundation
import InteractiveWorlds
import LocatedYAML
import ScenarioLanguage
import SimulationKernel
import TestSupport
import Testing

@testable import DemoServer
@testable import Ecosystem

/// The cases of the menu, opened as the stage opens them and played by hand.
@Suite("Cases that the menu offers", .serialized) struct OfferedCaseTests {
  private static let folder = Programs.package.appendingPathComponent("scenarios").path

  private static let offered =
    Catalogue(folder: folder, world: folder + "/worlds/spaceport.yaml").contents.groups.flatMap(\.scenarios)

  @Test("an offered case ends as its expectations say", arguments: offered.map(\.name))
  func endsAsExpected(_ name: String) async throws {
    let catalogue = Catalogue(folder: Self.folder, world: Self.folder + "/worlds/spaceport.yaml")
    let stage = StageRoutes(
      sessions: Sessions(), catalogue: catalogue, hosts: Hosts(port: 8080), workers: Workers(), sandbox: nil)
    let path = try #require(catalogue.scenario(name)?.path)
    for scenario in try #require(ScenarioReader.read(path, ProblemCollector())) where scenario.isPlayableByHand {
      let full = name + (scenario.caseName.map { "#\($0)" } ?? "")
      var play = HandPlay(try await stage.begin(StageRoutes.Beginning(scenario: full)).world)
      let problems = try await play.problems(of: scenario)
      #expect(problems.isEmpty, "\(full)")
    }
  }
}

/// A person who plays a case at the stage: the real page calls, the phone is in the person's hand.
private struct HandPlay {
  private let world: InteractiveWorld
  private var website = ""
  private var begun: [String: Begun] = [:]
  private var calls = 0
  private var pending: Task<ExternalPage.Answer?, any Error>?
  private var watchdog: Task<Void, any Error>?
  private var result = Result.none

  /// The time after which a call that waits for the person is taken back.
  private static let patience = Duration.seconds(120)

  private struct Begun: Decodable {
    var session: String
    var `protocol`: String
    var data: [String: String]
  }

  private enum Result: Equatable {
    case none
    case verified([String: [String]])
    case refused(code: String)
    case exception(name: String, message: String)
  }

  /// The result of the verdict for a page, read as the page of a site reads it.
  private static func result(_ verdict: [UInt8]) throws -> Result {
    let received = try #require(ReceivedVerdict(json: verdict))
    if let failure = received.failure { return .refused(code: failure) }
    return .verified(Dictionary(grouping: received.elements, by: \.identifier).mapValues { $0.map(\.value) })
  }

  private struct Exception: Decodable {
    var name: String
    var message: String
  }

  init(_ world: InteractiveWorld) { self.world = world }

  private var devices: DevicesInUse {
    DevicesInUse(world.scenario.world.devices, current: world.snapshot?.device ?? "")
  }
  private var device: String { devices.answering }
  private var page: ExternalPage { ExternalPage(website, on: devices.browsing, in: world) }

  /// Plays the steps and compares the expectations about the result and the exception.
  mutating func problems(of scenario: Scenario) async throws -> [String] {
    defer { world.stop() }
    var problems: [String] = []
    for step in scenario.steps.map(\.step) {
      switch step.content {
      case .action(.person(let action)): try await act(action)
      case .expectation(let expectation):
        if let problem = try await problem(with: expectation) { problems.append(problem) }
      case .action, .fault, .restartWorld: break
      }
    }
    return problems
  }

  private mutating func act(_ action: Action.ByPerson) async throws {
    switch action {
    case .visit(let website, let device):
      self.website = website
      result = .none
      #expect(device == nil || device == devices.browsing)
      try await world.perform(.person(action))
      begun[website] = try await page.ask(.beginPresentment, "[]").flatMap {
        try? JSONDecoder().decode(Begun.self, from: Data($0.bytes))
      }
    case .tap where world.snapshot?.view.authorization(on: device) == nil && pending == nil:
      try await call()
    default: try await world.perform(.person(action))
    }
  }

  /// The page calls the API in a tap, and waits for the person.
  private mutating func call() async throws {
    guard let begun = begun[website] else { return }
    calls += 1
    let options = try JSONSerialization.data(withJSONObject: [
      "digital": ["requests": [["protocol": begun.protocol, "data": begun.data]]], "mediation": "required",
    ])
    let text = String(decoding: options, as: UTF8.self)
    let (page, call, devices) = (page, calls, devices)
    let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
    pending = Task {
      defer { changed.finish() }
      return try await page.getCredential(text, call: call, after: .init(isOpened: true, isTapped: true))
    }
    watchdog = Task { [pending] in
      try await Task.sleep(for: Self.patience)
      pending?.cancel()
    }
    let watch = world.watch { state in
      let (view, device) = (state.view, devices.answering)
      let isAsked = view.selector(on: device) != nil || view.prompt(on: device) != nil
      changed.yield(isAsked || view.code(on: devices.browsing)?.uri != nil)
    }
    defer { world.unwatch(watch) }
    for await isAsked in changes where isAsked { return }
  }

  /// Lets the page handle the outcome of its call as its script does.
  private mutating func settle() async throws {
    guard let call = pending else { return }
    defer { watchdog?.cancel() }
    pending = nil
    guard let answer = try await call.value else { return result = .none }
    guard answer.kind == .credential, let begun = begun[website] else {
      let exception = try JSONDecoder().decode(Exception.self, from: Data(answer.bytes))
      return result = .exception(name: exception.name, message: exception.message)
    }
    var body = try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any] ?? [:]
    body["call"] = nil
    body["session"] = begun.session
    let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
    guard let answer = try await page.ask(.submitResponse, text) else { return result = .none }
    result = try Self.result(answer.bytes)
  }

  /// Returns true if a name of a finding is the expected one: the name of a check alone fits each of its reasons.
  private static func isName(_ name: String, expected: String?) -> Bool {
    expected.map { name == $0 || name.hasPrefix("\($0)/") } ?? true
  }

  private mutating func problem(with expectation: ScenarioLanguage.Expectation) async throws -> String? {
    switch expectation {
    case .website(let expected):
      try await settle()
      switch result {
      case .verified(let elements):
        let isRight =
          expected.refused == nil && expected.fallsBack == nil
          && (expected.without ?? []).allSatisfy { elements[$0] == nil }
          && (expected.verified ?? []).allSatisfy { named in
            guard let values = elements[named.name] else { return false }
            return named.value == "present" || values.allSatisfy { $0 == named.value }
          }
        return isRight ? nil : "verified: \(elements.keys.sorted())"
      case .refused(let code):
        let isRight =
          expected.verified == nil && expected.fallsBack == nil && Self.isName(code, expected: expected.refused)
        return isRight ? nil : "refused: \(code)"
      case .exception(let name, _):
        let isRight = expected.verified == nil && expected.refused == nil && expected.fallsBack ?? name == name
        return isRight ? nil : "falls back: \(name)"
      case .none: return "no result"
      }
    case .exception(let expected):
      try await settle()
      guard case .exception(let name, let message) = result else { return "no exception" }
      let mentions = (expected.mentions ?? []).allSatisfy { message.contains($0) }
      return (expected.name ?? name) == name && mentions ? nil : "exception: \(name): \(message)"
    case .decision, .prompt, .notification, .code, .selector, .consent, .inApp, .messages, .tally, .invariants:
      return nil
    }
  }
}
