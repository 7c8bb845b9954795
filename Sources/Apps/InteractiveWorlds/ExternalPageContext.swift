import DigitalCredentials
import JSON
import LocatedYAML
import Messaging
import MobileDocument
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import Vocabulary

/// The place in a world of a page that is not part of the world.
struct ExternalPageContext {
  /// The world with the page in it.
  let scenario: Scenario
  /// The website of the page.
  let website: String
  /// The device whose browser opens the page.
  let device: String

  /// Puts a page into a world.
  /// - Throws: ``InteractiveWorldError`` with ``InteractiveWorldError/Code/world`` or ``InteractiveWorldError/Code/origin``.
  init(_ question: WalletQuery) throws(InteractiveWorldError) {
    let origin: Origin
    do {
      origin = try Origin(serialized: question.origin)
    } catch {
      throw InteractiveWorldError(.origin, "\(error)")
    }
    guard Scenario.clockRange.contains(question.moment) else {
      let (first, last) = (Scenario.clockRange.lowerBound, Scenario.clockRange.upperBound)
      throw InteractiveWorldError(.world, "the time of a world is between \(first) and \(last)")
    }
    let world = try Self.read(question.world, changes: []).world
    let change = ExternalPageChange(origin, into: world)
    website = change.website
    let changed = try Self.read(question.world, changes: [change.change]).beginning(at: question.moment)
    scenario = question.sandbox.map(changed.parsing) ?? changed
    let devices = scenario.world.devices.map(\.identifier)
    let details = ["it has: \(devices.joined(separator: ", "))"]
    if let named = question.device, !devices.contains(named) {
      throw InteractiveWorldError(.world, "the world has no device \(named)", details: details)
    }
    guard let device = question.device ?? (devices.count == 1 ? devices.first : nil) else {
      throw InteractiveWorldError(.world, "the world does not have exactly one device; name one", details: details)
    }
    self.device = device
  }

  private static func read(_ path: String, changes: [YAMLValue]) throws(InteractiveWorldError) -> Scenario {
    let problems = ProblemCollector()
    guard let scenario = ScenarioReader.readInteractive(path, changes: changes, problems)?.first else {
      throw InteractiveWorldError(
        .world, "the world cannot be read", details: problems.rendered().split(separator: "\n").map(String.init))
    }
    return scenario
  }

  /// Lets the page call, and the person pick an app and agree.
  ///
  /// - Parameters:
  ///   - options: The argument of `navigator.credentials.get`, as JSON in UTF-8.
  ///   - call: The page's number for the call, not used before.
  ///   - name: The app that the person picks; the first that is offered when nil.
  /// - Returns: The app that the person picked.
  func answer(
    to options: [UInt8], call: Int, app name: String?, _ run: inout ScenarioRun
  ) throws(InteractiveWorldError) -> String {
    try take(.person(.tap("the page")), &run)
    let body = #"{"call":\#(call),"options":"# + String(decoding: options, as: UTF8.self) + "}"
    let message = PageMessage(.getCredential, body: body)
    try take(Step(.action(.page(.send(message), website: website, device: nil))), &run)
    guard let selector = run.world.view().selector(on: device) else {
      throw InteractiveWorldError(run.world.journal, on: device)
    }
    let app = try app(name, in: selector)
    try take(.person(.touch(.pick(app: app))), &run)
    guard let agreement = run.world.view().authorization(on: device)?.agreeing.first else {
      throw InteractiveWorldError(run.world.journal, on: device)
    }
    try take(.person(.tap(agreement)), &run)
    return app
  }

  /// Does a step in the world.
  func take(_ step: Step, _ run: inout ScenarioRun) throws(InteractiveWorldError) {
    do throws(ScenarioRun.Stop) {
      try run.take(step)
    } catch {
      switch error {
      case .failed: throw InteractiveWorldError(run.world.journal, on: device)
      case .undecided(let message): throw InteractiveWorldError(.noAnswer, message)
      }
    }
  }

  /// The app that the person picks.
  func app(_ name: String?, in selector: SelectorScreen) throws(InteractiveWorldError) -> String {
    let offered = selector.offered.map(\.app)
    guard let name else {
      guard let first = offered.first else { throw InteractiveWorldError(.appNotOffered, "the selector offers no app") }
      return first
    }
    if offered.contains(name) { return name }
    let hidden = selector.hidden.first { $0.app == name }
    throw InteractiveWorldError(
      .appNotOffered, "the selector does not offer \(name)",
      details: hidden.map { ["\($0.message) [\($0.code)]", "it would appear: \($0.remedy)"] }
        ?? ["it offers: \(offered.joined(separator: ", "))"])
  }

  /// The protocol and data that the page got, or nil.
  func credential(in journal: Journal) -> PageCredential? {
    let page = Party(.page, "\(website)@\(device)")
    for entry in journal.entries.reversed() {
      guard let message = entry.event.message, message.recipient == page, message.kind == .credential,
        let answer = try? JSONCoding.decode(PageCredential.self, from: message.bytes)
      else { continue }
      return answer
    }
    return nil
  }
}

/// The credential of a page, without the page's number of the call.
struct PageCredential: Sendable {
  var `protocol`: String
  /// An object: base64url of `EncryptedResponse` under `response`, or the members of a response in OpenID4VP.
  var data: JSONValue
}

extension PageCredential: JSONObject {
  static let json = JSONForm<Self>(Self.init, Member("protocol", \.protocol), Member("data", \.data))
}
