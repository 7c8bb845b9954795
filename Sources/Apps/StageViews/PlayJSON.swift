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
  private let play: Playback
  private let name: String
  private let faults: [String]
  private let isAltered: Bool

  /// - Parameters:
  ///   - name: The catalogue's name of the file.
  ///   - faults: The names of the faults that were added to the case.
  ///   - isAltered: True if the case has changes that no command repeats.
  package init(_ play: Playback, name: String, faults: [String], isAltered: Bool = false) {
    self.play = play
    self.name = name
    self.faults = faults
    self.isAltered = isAltered
  }

  /// The catalogue's name of the case.
  private var scenario: String { name + (play.result.scenario.caseName.map { "#\($0)" } ?? "") }

  /// The story in a sentence, for a scene that is shown first.
  var sentence: String? { ShownScene.sentence(of: scenario) }

  private var entries: [TimelineEntry] {
    let journal = play.result.journal.entries
    var entries = TimelineEntry.all(of: journal, names: play.result.scenario.world.names)
    for step in play.steps where step.lines.first.map({ journal[$0].event.isStep }) == true {
      entries[step.lines.lowerBound].phrase = step.wordsWithinASentence
    }
    return entries
  }
}

extension PlayJSON: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    let (result, device) = (play.result, play.deviceUsedFirst)
    let (run, world) = (result.scenario, result.scenario.world)
    let actors = Actors.columns(of: result.journal.entries, in: world)
    let columns = Set(actors.map(\.id))
    // The parties whose columns are there before any takes part.
    let core = WorldParties(of: world, on: DevicesInUse(world.devices, current: device)).core.map(\.description)
    let screens = play.moments.map { StageScreen($0, in: world) }
    let terminals = play.usedTerminals
    json.member("actors", actors)
    json.member("appIcons", world.appIcons)
    json.member(orNull: "because", run.because)
    json.member(orNull: "conclusion", play.conclusion)
    json.member("core", core.filter(columns.contains))
    json.member("device", device)
    json.member("devices", StageDevice.all(of: world) { $0 == device || play.uses($0) })
    json.member("entries", entries)
    json.member("faults", faults)
    json.member("outcome", Outcome(TracePage.Result(result, isAltered: isAltered), faults: faults, play.conclusion))
    json.member("path", run.path)
    json.member("scenario", scenario)
    json.member("screens", screens.isEmpty ? [StageScreen(beginning: run, device: device)] : screens)
    json.member("seed", result.seed)
    json.member("sentence", sentence)
    json.member("steps", play.steps.map { Step(played: $0, result: result) })
    json.member("terminals", ListedTerminal.all(of: world) { terminals.contains($0) })
    json.member("title", run.name)
    json.member("websites", StageWebsite.all(of: world))
  }
}

/// A device of a world, for the stage.
struct StageDevice: JSONObjectWritable {
  private let device: WorldDescription.Device
  private let title: String
  /// The names of the apps on it that request documents.
  private let requestingApps: [String]
  /// True if it shows something in the run, or the person uses it.
  private let isUsed: Bool

  /// The devices of a world.
  /// - Parameter isUsed: Returns whether the run uses a device.
  static func all(of world: WorldDescription, isUsed: (String) -> Bool = { _ in true }) -> [StageDevice] {
    let names = world.names
    return world.devices.map { device in
      let name = device.identifier
      return StageDevice(
        device: device, title: names.device(name), requestingApps: world.requestingApps(on: name).map(\.name),
        isUsed: isUsed(name))
    }
  }

  func writeMembers(to json: inout JSONWriter) {
    // An older scenario has an iPad only by its name.
    let isTablet = device.kind == .iPhone && title.hasSuffix("iPad")
    json.member("isUsed", isUsed)
    json.member("kind", (isTablet ? .iPad : device.kind).rawValue)
    if device.language != .english { json.member("language", device.language.rawValue) }
    json.member("name", device.identifier)
    json.member("requestingApps", requestingApps)
    json.member("title", title)
    json.member("words", WordTable(of: device.language))
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

extension PlayJSON {
  /// A step of a play.
  struct Step: JSONObjectWritable {
    let played: Playback.PlayedStep
    let result: CaseResult

    func writeMembers(to json: inout JSONWriter) {
      json.member(orNull: "because", played.step.because)
      // In a world with one device it makes no difference.
      json.member("device", result.scenario.world.devices.count > 1 ? played.device : nil)
      json.member(orNull: "failure", played.stop.map { Failure($0, in: result) })
      json.member("isReached", played.isReached)
      json.member("kind", played.kind.rawValue)
      // The numbers, from 1, of its first and of its last line; without lines the last is one less than the first.
      json.member("lines", [played.lines.lowerBound + 1, played.lines.upperBound])
      json.member("screen", played.moment)
      json.member("text", played.text)
      json.member("words", played.words)
    }
  }

  /// The failure of a step.
  struct Failure: JSONObjectWritable {
    var headline: String
    var code: String?
    var text: String

    func writeMembers(to json: inout JSONWriter) {
      json.member(orNull: "code", code)
      json.member("headline", headline)
      json.member("text", text)
    }
  }

  /// The result of the case, and the words for it on the stage.
  struct Outcome: JSONObjectWritable {
    var result: TracePage.Result
    var title: String
    /// The meaning of the title.
    var tone: Conclusion.Tone

    func writeMembers(to json: inout JSONWriter) {
      json.member(orNull: "code", result.code)
      json.member(orNull: "command", result.command)
      json.member(orNull: "headline", result.headline)
      json.member(orNull: "text", result.text)
      json.member("title", title)
      json.member("tone", tone)
      json.member("verdict", result.verdict?.words ?? "")
    }
  }
}

extension PlayJSON {
  /// The judgement of an expectation in a live world.
  package struct Judgement: JSONWritable {
    var failure: ExpectationFailure?
    /// True if the last presentment of the world has ended.
    var hasEnded: Bool

    package init(failure: ExpectationFailure?, hasEnded: Bool) { (self.failure, self.hasEnded) = (failure, hasEnded) }

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
  var usedTerminals: Set<String> { Set(moments.flatMap(\.terminals).filter { $0.phase != .waiting }.map(\.identifier)) }

  /// True if a device shows something after a step, or the person uses it in one.
  func uses(_ device: String) -> Bool {
    let isDark = moments.allSatisfy { moment in
      guard let shown = result.scenario.world.devices.first(where: { $0.identifier == device }) else { return true }
      return DeviceScreen(view: moment.view, focus: moment.focus, device: shown, world: result.scenario.world).isEmpty
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
