import InteractiveWorlds
import JSON
import Messaging
import ScenarioLanguage
import ScenarioRunner
import Telling
import TraceViews
import Vocabulary

/// The JSON of a play: a whole run of a case, with the screens after each step.
package struct PlayJSON {
  struct Device {
    var name: String
    var kind: String
    var title: String
    /// The language of its screens.
    var language: Language
    /// The apps on it that request documents.
    var requestingApps: [String]
    /// True if it shows something in the run, or the person uses it.
    var isUsed = true
  }

  /// The failure of a step.
  struct Failure {
    var headline: String
    var code: String?
    var text: String
  }

  struct Step {
    var text: String
    var words: String
    var because: String?
    /// The device that the person uses; nil in a world with one device, and where it makes no difference.
    var device: String?
    var kind: String
    var isReached: Bool
    /// The numbers of its first and of its last line; without lines the last is one less than the first.
    var lines: [Int]
    var screen: Int
    var failure: Failure?
  }

  /// The result of the case, and the words for it on the stage.
  struct Outcome {
    /// The meaning of the title.
    enum Tone: String, JSONWritable {
      case good, bad, calm
    }

    var result: TracePage.Result
    var title: String
    var tone: Tone
  }

  var scenario: String
  var title: String
  var because: String?
  /// The story in a sentence, for a scene that is shown first.
  var sentence: String?
  var seed: UInt64
  var path: String
  var faults: [String]
  var device: String
  var devices: [Device]
  var terminals: [ListedTerminal]
  var websites: [StageWebsite]
  var appIcons: [String: String]
  var actors: [TimelineActor]
  /// The parties whose columns are there before any takes part.
  var core: [String]
  var steps: [Step]
  var entries: [TimelineEntry]
  var screens: [StageScreen]
  var outcome: Outcome
  var conclusion: Conclusion?

  /// - Parameters:
  ///   - name: The catalogue's name of the file.
  ///   - faults: The names of the faults that were added to the case.
  ///   - isAltered: True if the case has changes that no command repeats.
  package init(_ play: Playback, name: String, faults: [String], isAltered: Bool = false) {
    let result = play.result
    conclusion = play.conclusion
    let (run, world, journal) = (result.scenario, result.scenario.world, result.journal.entries)
    scenario = name + (run.caseName.map { "#\($0)" } ?? "")
    sentence = ShownScene.sentence(of: scenario)
    (title, because, seed, path) = (run.name, run.because, result.seed, run.path)
    self.faults = faults
    device = play.deviceUsedFirst
    devices = Device.all(of: world).map { [device] shown in
      var shown = shown
      shown.isUsed = shown.name == device || play.uses(shown.name)
      return shown
    }
    terminals = ListedTerminal.all(of: world, used: play.usedTerminals)
    websites = StageWebsite.all(of: world)
    appIcons = world.appIcons
    actors = Actors.columns(of: journal, in: world)
    let columns = Set(actors.map(\.id))
    core = WorldParties(of: world, on: DevicesInUse(world.devices, current: device)).core.map(\.description)
      .filter(columns.contains)
    steps = play.steps.map { Step($0, in: result) }
    entries = TimelineEntry.all(of: journal, names: world.names)
    for step in play.steps where step.lines.first.map({ journal[$0].event.isStep }) == true {
      entries[step.lines.lowerBound].phrase = step.wordsWithinASentence
    }
    screens = play.moments.map { StageScreen($0, in: world) }
    if screens.isEmpty { screens = [StageScreen(beginning: run, device: device)] }
    outcome = Outcome(TracePage.Result(result, isAltered: isAltered), faults: faults, conclusion)
  }
}

extension PlayJSON.Device {
  /// The devices of a world.
  static func all(of world: WorldDescription) -> [PlayJSON.Device] {
    let names = world.names
    return world.devices.map { device in
      let title = names.device(device.identifier)
      // An older scenario has an iPad only by its name.
      let isTablet = device.kind == .iPhone && title.hasSuffix("iPad")
      return PlayJSON.Device(
        name: device.identifier, kind: (isTablet ? .iPad : device.kind).rawValue, title: title,
        language: device.language, requestingApps: world.requestingApps(on: device.identifier).map(\.name))
    }
  }
}

extension Playback.PlayedStep {
  /// The step as in a file, without its reason.
  var text: String {
    var plain = step
    plain.because = nil
    return plain.text
  }
}

extension PlayJSON.Step {
  init(_ played: Playback.PlayedStep, in result: CaseResult) {
    text = played.text
    words = played.words
    because = played.step.because
    device = result.scenario.world.devices.count > 1 ? played.device : nil
    kind = played.kind.rawValue
    // Lines are numbered from 1.
    lines = [played.lines.lowerBound + 1, played.lines.upperBound]
    (isReached, screen) = (played.isReached, played.moment)
    failure = played.stop.map { PlayJSON.Failure($0, in: result) }
  }
}

extension PlayJSON {
  /// The judgement of an expectation in a live world.
  package struct Judgement: JSONWritable {
    var failure: ExpectationFailure?
    /// True if the last presentment of the world has ended.
    var hasEnded: Bool

    package init(failure: ExpectationFailure?, hasEnded: Bool) {
      (self.failure, self.hasEnded) = (failure, hasEnded)
    }

    package func write(to json: inout JSONWriter) {
      let failure = failure.map { Failure(headline: $0.headline, code: $0.code, text: $0.message) }
      json.object { json in
        json.member(orNull: "failure", failure)
        json.member("hasEnded", hasEnded)
      }
    }
  }
}

extension ExpectationFailure {
  /// The failure with its evidence, without the lines of the file.
  fileprivate var message: String {
    ([[headline, caretNote].compactMap(\.self).joined(separator: ": ")] + evidence).joined(separator: "\n")
  }
}

extension PlayJSON.Failure {
  init(_ stop: ScenarioRun.Stop, in result: CaseResult) {
    switch stop {
    case .failed(let failure): self.init(failure, in: result)
    case .undecided(let message): self.init(headline: message, code: nil, text: message)
    }
  }

  init(_ failure: ExpectationFailure, in result: CaseResult) {
    self.init(
      headline: failure.headline, code: failure.code,
      text: PlayJSON.withoutCommand(failure.rendered(for: result), of: result))
  }
}

extension TracePage.Result {
  /// - Parameter isAltered: True if the case has changes that no command repeats.
  package init(_ result: CaseResult, isAltered: Bool) {
    self.init(result)
    guard isAltered else { return }
    command = nil
    text = text.map { PlayJSON.withoutCommand($0, of: result) }
  }
}

extension PlayJSON {
  /// A report without the line with the command.
  static func withoutCommand(_ text: String, of result: CaseResult) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains(result.command) }
      .joined(separator: "\n")
  }
}

extension PlayJSON.Outcome {
  /// The words for a result. The expectations of a case are those of its honest run: with added faults they say nothing
  /// about the case, and the question is who noticed.
  ///
  /// - Parameter faults: The names of the added faults.
  init(_ result: TracePage.Result, faults: [String], _ conclusion: Conclusion?) {
    self.result = result
    // The conclusion says what was noticed; without it, the first difference from the honest run is worth reading.
    if !faults.isEmpty, conclusion?.isNoticed == true { (self.result.headline, self.result.code) = (nil, nil) }
    let isAsExpected = [.passed, .failedAsExpected].contains(result.verdict)
    if faults.isEmpty {
      (title, tone) = ("Case \(result.verdict?.words ?? "")", isAsExpected ? .good : .bad)
    } else if conclusion?.isNoticed == true {
      (title, tone) = (faults.count == 1 ? "The fault was noticed" : "The faults were noticed", .good)
    } else {
      (title, tone) = ("The run ended \(isAsExpected ? "as" : "otherwise than") without the fault", .calm)
    }
  }
}

extension Playback {
  /// The terminals to which the person holds a device in the run.
  var usedTerminals: Set<String> {
    Set(moments.flatMap(\.terminals).filter { $0.phase != .waiting }.map(\.identifier))
  }

  /// True if a device shows something after a step, or the person uses it in one.
  func uses(_ device: String) -> Bool {
    let isDark = moments.allSatisfy { moment in
      guard let shown = result.scenario.world.devices.first(where: { $0.identifier == device }) else { return true }
      return DeviceScreen(moment.view, moment.focus, of: shown, in: result.scenario.world).isEmpty
    }
    guard isDark, let first = steps.first?.lines.lowerBound else { return !isDark }
    return result.journal.entries.dropFirst(first).contains { entry in
      guard let message = entry.event.message, message.sender.role == .person else { return false }
      return (message.recipient.deviceOfPage ?? String(message.recipient.name.prefix { $0 != "/" })) == device
    }
  }

  /// The device of the first page or app that the person opens, otherwise the world's first.
  var deviceUsedFirst: String {
    for (step, moment) in zip(steps, steps.map(\.moment)) where step.isReached {
      if case .action(.person) = step.step.content, moments.indices.contains(moment) {
        return moments[moment].focus.device
      }
    }
    return moments.first?.focus.device ?? result.scenario.world.devices.first?.identifier ?? ""
  }
}

extension PlayJSON: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("actors", actors)
    json.member("appIcons", appIcons)
    json.member(orNull: "because", because)
    json.member(orNull: "conclusion", conclusion)
    json.member("core", core)
    json.member("device", device)
    json.member("devices", devices)
    json.member("entries", entries)
    json.member("faults", faults)
    json.member("outcome") { json in
      json.object { json in
        json.member(orNull: "code", outcome.result.code)
        json.member(orNull: "command", outcome.result.command)
        json.member(orNull: "headline", outcome.result.headline)
        json.member(orNull: "text", outcome.result.text)
        json.member("title", outcome.title)
        json.member("tone", outcome.tone)
        json.member("verdict", outcome.result.verdict?.words ?? "")
      }
    }
    json.member("path", path)
    json.member("scenario", scenario)
    json.member("screens", screens)
    json.member("seed", seed)
    json.member("sentence", sentence)
    json.member("steps", steps)
    json.member("terminals", terminals)
    json.member("title", title)
    json.member("websites", websites)
  }
}

extension PlayJSON.Device: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("isUsed", isUsed)
    json.member("kind", kind)
    if language != .english { json.member("language", language.rawValue) }
    json.member("name", name)
    json.member("requestingApps", requestingApps)
    json.member("title", title)
    json.member("words", WordTable(of: language))
  }
}

extension PlayJSON.Failure: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member(orNull: "code", code)
    json.member("headline", headline)
    json.member("text", text)
  }
}

extension PlayJSON.Step: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member(orNull: "because", because)
    json.member("device", device)
    json.member(orNull: "failure", failure)
    json.member("isReached", isReached)
    json.member("kind", kind)
    json.member("lines", lines)
    json.member("screen", screen)
    json.member("text", text)
    json.member("words", words)
  }
}
