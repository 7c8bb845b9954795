import DigitalCredentials
import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON
import LocatedYAML
import ScenarioLanguage
import ScenarioRunner
import StageViews
import Vocabulary

/// The stage's interface: starts worlds, returns their state and performs steps.
struct StageRoutes: Sendable {
  let sessions: Sessions
  let catalogue: Catalogue
  let hosts: Hosts
  let workers: Workers
  let sandbox: WorldDescription.SandboxPlace?

  /// The maximum body size of a step or a new world in bytes: names and a short text.
  static let bodyLimit = 64 << 10

  /// The settings of a new world.
  struct Beginning: JSONObject {
    var world: String?
    var scenario: String?
    var seed: UInt64?
    /// A fault; several are in `faults`.
    var fault: String?
    var faults: [String]?
    /// The number of steps of the scenario that are done before the person takes over.
    var steps: Int?
    /// The language of every device; each device's own without one.
    var language: String?

    static let json = JSONForm<Self>(
      Self.init, Member(optional: "world", \.world), Member(optional: "scenario", \.scenario),
      Member(optional: "seed", \.seed), Member(optional: "fault", \.fault), Member(optional: "faults", \.faults),
      Member(optional: "steps", \.steps), Member(optional: "language", \.language))
  }

  /// The menu of the stage, or its part about one scenario. The first call for the whole menu reads many files.
  func choices(_ request: Request) async throws(HTTPProblem) -> Response {
    let name = request.query("about")
    return Reply.json(
      try await workers.run { [catalogue] in name.map(catalogue.contents(about:)) ?? catalogue.contents })
  }

  /// Starts a world with the stage's settings.
  func begin(_ request: Request) async throws(HTTPProblem) -> Response {
    try request.requireOwnPage()
    let body = try await request.json(Beginning.self, upTo: Self.bodyLimit)
    let session = try await begin(body)
    var world = session.json
    // The stage shows a scenario that is taken over before the first event comes.
    if body.scenario != nil, body.steps != nil {
      world.screen = session.world.snapshot.map { StageScreen($0, of: session.world) }
    }
    return Reply.json(world, status: .created)
  }

  /// Starts a world.
  ///
  /// - Parameters:
  ///   - changes: Changes to the world.
  ///   - origin: The origin of an external page, which the world gets a website for. Its time is the present.
  ///   - browser: The browser that this page wants.
  func begin(
    _ beginning: Beginning, changes: [YAMLValue] = [], forPageOf origin: String? = nil,
    in browser: ExternalPages.Browser? = nil
  ) async throws(HTTPProblem) -> Session {
    var setting = try setting(for: beginning)
    setting.changes = changes
    if let origin {
      let world = try await world(of: setting)
      // The server gives the world's own websites their origins.
      let isPlaced = world.websites.contains { $0.script == .own && hosts.origin(of: $0.identifier) == origin }
      if !isPlaced { setting.changes.append(try change(for: origin, in: world)) }
      if let browser { setting.changes.append(try change(to: browser, in: world)) }
      (setting.moment, setting.isServerOutside) = (.now, true)
    }
    return try await begin(setting, beginning)
  }

  /// The change to a world that adds the website of a page.
  private func change(for origin: String, in world: WorldDescription) throws(HTTPProblem) -> YAMLValue {
    do {
      return ExternalPageChange(try Origin(serialized: origin), into: world).change
    } catch {
      throw HTTPProblem(.forbidden, .origin, "\(error)")
    }
  }

  /// The change to a world that gives a device another browser.
  private func change(to browser: ExternalPages.Browser, in world: WorldDescription) throws(HTTPProblem) -> YAMLValue {
    let first = world.devices.first?.identifier ?? ""
    let device = browser.device ?? DevicesInUse(world.devices, current: first).browsing
    guard world.devices.contains(where: { $0.identifier == device }) else {
      throw HTTPProblem(.badRequest, .member, "the world has no device \(device.quoted)")
    }
    return .one("devices", .one(device, .one("browser", .text(browser.profile))))
  }

  private func begin(_ setting: DemoConfiguration, _ beginning: Beginning) async throws(HTTPProblem) -> Session {
    let world = try await workers.attempt { [self] () throws(InteractiveWorldError) in
      // A world that is taken over keeps its pages: their scripts are part of it.
      try setting.begin(changing: setting.steps == nil ? placing : { _ in [] })
    }
    return sessions.add(world, setting, worldName: beginning.world, scenarioName: beginning.scenario)
  }

  /// The description of the default world, which need not have been started.
  func defaultWorld() async throws(HTTPProblem) -> WorldDescription {
    try await world(of: try setting(for: Beginning()))
  }

  private func world(of setting: DemoConfiguration) async throws(HTTPProblem) -> WorldDescription {
    try await workers.attempt { () throws(InteractiveWorldError) in try setting.scenario().world }
  }

  /// Finds the named settings in the catalogue.
  private func setting(for beginning: Beginning) throws(HTTPProblem) -> DemoConfiguration {
    var setting = DemoConfiguration(path: "", seed: beginning.seed)
    setting.sandbox = sandbox
    setting.language = try PlayRoutes.language(beginning.language)
    if let name = beginning.scenario {
      guard let scenario = catalogue.scenario(name) else {
        throw HTTPProblem(.badRequest, .member, "unknown scenario '\(name.quoted)'")
      }
      (setting.path, setting.caseName) = (scenario.path, scenario.caseName)
    } else {
      let name = beginning.world ?? Catalogue.defaultWorld
      guard let world = catalogue.world(name) else {
        throw HTTPProblem(.badRequest, .member, "unknown world '\(name.quoted)'")
      }
      setting.path = world.path
    }
    setting.faults = try DemoFault.named((beginning.fault.map { [$0] } ?? []) + (beginning.faults ?? []))
    if let steps = beginning.steps {
      guard beginning.scenario != nil || steps == 0 else {
        throw HTTPProblem(.badRequest, .member, "steps: a world without a scenario has no steps")
      }
      setting.steps = steps
      // As in the play that is taken over.
      setting.sandbox = sandbox ?? ScenarioRun.placeWithoutProcesses
    }
    return setting
  }

  /// The change that gives every website of a world an origin of this server, so that a real browser shows its page.
  private func placing(_ world: WorldDescription) -> [YAMLValue] {
    let websites = world.websites.filter { $0.script == .own }.map { website in
      YAMLValue.Entry(
        website.identifier,
        .mapping(present: ["origin": .text(hosts.origin(of: website.identifier)), "script": .text("external")]))
    }
    return [.one("websites", .mapping(websites))]
  }

  /// Returns the world of a session.
  func show(_ session: Session) -> Response { Reply.json(session.json) }

  /// Performs a step.
  func step(_ request: Request, in session: Session) async throws(HTTPProblem) -> Response {
    try request.requireOwnPage()
    let text = String(decoding: try await request.content(upTo: Self.bodyLimit), as: UTF8.self)
    try await HTTPProblem.ifRefused(try await session.world.perform(text: text))
    return Reply.empty()
  }

  /// Judges an expectation of a scenario that was taken over, by the present state of the world.
  func judge(_ request: Request, in session: Session) async throws(HTTPProblem) -> Response {
    struct Body: JSONObject {
      var step: Int
      static let json = JSONForm<Self>(Self.init, Member("step", \.step))
    }
    try request.requireOwnPage()
    let body = try await request.json(Body.self, upTo: Self.bodyLimit)
    let failure = try await HTTPProblem.ifRefused(try await session.world.judge(step: body.step))
    return Reply.json(PlayJSON.Judgement(failure: failure, hasEnded: session.world.conclusion?.end != nil))
  }

  /// Returns a message.
  func message(_ number: Int, in session: Session) async throws(HTTPProblem) -> Response {
    let world = session.world
    let data = try await workers.message(number, "\(number)", in: world.journal, world.scenario.world.names)
    return Reply.bytes(data, type: "application/json")
  }

  /// Returns the steps so far, as a scenario.
  func recording(of session: Session) -> Response {
    var response = Reply.bytes(Data(session.world.recording.yaml.utf8), type: "application/yaml")
    response.headers[.contentDisposition] = "attachment; filename=\"recorded.yaml\""
    return response
  }
}
