import Messaging
import Primitives
import ScenarioLanguage
import ScenarioRunner
import Telling
import Vocabulary

/// A whole run of a case, with the person's screens after each step. The result is the result of ``ScenarioRun``: it only
/// depends on the case and the seed.
public struct Playback: Sendable {
  /// The world between two steps.
  public struct Moment: Sendable, Equatable {
    /// The person's screens.
    public let view: PersonView
    /// The page and the device used last.
    public let focus: Focus
    /// The world's time.
    public let now: DateTime
    /// The world's terminals.
    public let terminals: [TerminalView]
    /// The settings of the devices.
    public let settings: [String: DeviceSettings]

    init(_ run: ScenarioRun, of scenario: Scenario) {
      terminals = TerminalView.all(in: scenario.world, after: run.world.journal.entries)
      view = run.world.view()
      focus = run.world.focus
      now = run.world.now
      let devices = scenario.world.devices.map(\.identifier)
      settings = Dictionary(devices.map { ($0, run.world.settings(of: $0)) }) { first, _ in first }
    }
  }

  /// A step of a run.
  public struct PlayedStep: Sendable {
    /// The step.
    public let step: Step
    /// The step in words.
    public let words: String
    /// The device that the person uses; nil for a step of others, and for one that is the same on any device. For a step
    /// after the end of the run, the one that it names, or that was used last.
    public let device: String?
    /// False if the run ended before it.
    public fileprivate(set) var isReached = false
    /// The positions of its lines in the journal.
    public fileprivate(set) var lines: Range<Int>
    /// The position of the screens after it in ``Playback/moments``.
    public fileprivate(set) var moment: Int
    /// The reason why the run stops at it; nil for a step that went well.
    public fileprivate(set) var stop: ScenarioRun.Stop?
  }

  /// The result, as a run has it.
  public let result: CaseResult
  /// The moments after the set-up and after the steps, each once if nothing changes on the screens. Empty if the world
  /// could not be made.
  public let moments: [Moment]
  /// The steps.
  public let steps: [PlayedStep]
  /// The end of the last presentment in words: who noticed what. Nil if none has ended.
  public let conclusion: Conclusion?

  /// Runs a case to its end.
  ///
  /// - Parameters:
  ///   - seed: The seed to run with instead of the scenario's own.
  ///   - changes: What is broken in the world without a line in the journal, in words.
  ///   - honest: Returns the journal of the same case without the faults that were added to it; nil without added faults.
  public init(
    _ scenario: Scenario, seed: UInt64? = nil, changes: [String] = [],
    honest: @escaping () -> [JournalEntry]? = { nil }
  ) {
    var record = Record(names: scenario.world.names)
    result = ScenarioRun.run(scenario, seed: seed, observer: { run, moment in record.add(run, moment, of: scenario) })
    moments = record.moments
    let lines = result.journal.entries.count
    let left = scenario.steps.dropFirst(record.steps.count).map { located in
      PlayedStep(
        step: located.step, words: located.step.words(in: record.moments.last?.focus, record.names),
        device: located.step.device(else: record.moments.last?.focus.device), lines: lines..<lines,
        moment: max(0, record.moments.count - 1))
    }
    steps = record.steps + left
    conclusion = Conclusion(
      of: result.journal.entries, changes: changes, names: record.names, lastLine: result.lastLine, honest: honest)
  }

  /// The parts of a run that were observed so far.
  private struct Record {
    let names: WorldNames
    var moments: [Moment] = []
    var steps: [PlayedStep] = []
    var lines = 0

    mutating func add(_ run: ScenarioRun, _ observed: ScenarioRun.ObservedMoment, of scenario: Scenario) {
      let focus = moments.last?.focus
      let moment = Moment(run, of: scenario)
      if moments.last != moment { moments.append(moment) }
      let entries = run.world.journal.entries
      let end = entries.count
      defer { lines = end }
      guard case .step(let number, let stop) = observed else { return }
      if steps.indices.contains(number) {
        steps[number].stop = stop
      } else {
        let step = scenario.steps[number].step
        steps.append(
          PlayedStep(
            step: step, words: step.words(in: focus, names),
            device: step.device(else: entries[lines...].deviceUsed ?? moment.focus.device), isReached: true,
            lines: lines..<end, moment: moments.count - 1, stop: stop))
      }
    }
  }
}

extension Playback.PlayedStep {
  /// The kind of a step.
  package enum Kind: String, Sendable {
    case action, fault, expectation
  }

  /// The kind of the step.
  package var kind: Kind {
    switch step.content {
    case .action, .restartWorld: .action
    case .fault: .fault
    case .expectation: .expectation
    }
  }

  /// The words within a sentence.
  package var wordsWithinASentence: String { StepWords.withinASentence(words) }
}

/// The words of steps.
package enum StepWords {
  /// The words of a step within a sentence. A name keeps its capital.
  package static func withinASentence(_ words: String) -> String {
    let isName = !["The ", "A ", "An "].contains { words.hasPrefix($0) }
    return isName ? words : words.prefix(1).lowercased() + words.dropFirst()
  }
}

extension Step {
  /// The device that a person uses with the step, which names it or is done on another; nil if there is none, or any does.
  fileprivate func device(else used: String?) -> String? {
    guard case .action(.person(let action)) = content, action.isOfItsDevice else { return nil }
    return action.namedDevice ?? used
  }
}

extension Collection where Element == JournalEntry {
  /// The device that got the person's first message; nil without one, and for one to a terminal.
  package var deviceUsed: String? {
    lazy.compactMap(\.event.message).first { $0.sender.role == .person }?.recipient.device
  }
}

extension DemoConfiguration {
  /// Plays the case with the faults that were added to it.
  /// - Throws: ``InteractiveWorldError`` if the case cannot be read.
  public func play() throws(InteractiveWorldError) -> Playback {
    Playback(try playedScenario(), seed: seed, changes: changesInWords) {
      guard !faults.isEmpty, let scenario = try? withoutFaults.playedScenario() else { return nil }
      return ScenarioRun.run(scenario, seed: seed).journal.entries
    }
  }
}
