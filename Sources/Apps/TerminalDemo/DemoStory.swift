import InteractiveWorlds
import Messaging
import ScenarioLanguage
import ScenarioRunner
import Telling
import Vocabulary

/// The scenario of a demonstration as it is told: its steps, the position in them, and their outcomes after the
/// person took over.
public struct DemoStory: Sendable {
  /// The outcome of a step after the person took over.
  enum Result: Sendable, Equatable {
    /// The person did it.
    case done
    /// The person did something else.
    case instead
    /// The expectation was judged: its failure as a sentence, or nil if it holds.
    case judged(String?)
  }

  /// The part of the scenario after the person took over.
  struct Live: Sendable {
    /// The number of steps before.
    let from: Int
    /// The index of the next step.
    var next: Int
    var results: [Int: Result] = [:]
  }

  /// The title of the scenario and of its case.
  let title: String
  let because: String?
  let steps: [Playback.PlayedStep]
  /// The outcome of the case in words.
  let outcome: String
  let isGood: Bool
  /// The number of steps that were done.
  var position = 0
  /// True while it plays by itself.
  var isPlaying = false
  /// The part after the person took over; nil for a play.
  var live: Live?

  init(_ play: Playback) {
    let (scenario, outcome) = (play.result.scenario, play.result.outcome)
    title = scenario.name
    because = scenario.because
    steps = play.steps
    let reason = outcome.headline.map { ": \($0)" } ?? ""
    self.outcome = "Case \(outcome.verdict.words)\(reason)" + (outcome.code.map { " [\($0)]" } ?? "")
    isGood = outcome.verdict == .passed || outcome.verdict == .failedAsExpected
  }

  /// A failure as a sentence, with its code.
  static func sentence(_ stop: ScenarioRun.Stop) -> String {
    Conclusion.sentence(stop.message) + (stop.failure?.code.map { " [\($0)]" } ?? "")
  }

  /// The number of faults at the beginning. A world that is taken over has them all.
  var leadingFaults: Int { steps.prefix { $0.kind == .fault }.count }

  /// The number of steps that were done, in the play or in the world.
  var done: Int { live?.next ?? position }

  /// The index of the next step that is not an expectation.
  var nextAction: Int? { steps.indices.first { $0 >= done && steps[$0].kind != .expectation } }
}

extension Playback.PlayedStep {
  /// The failure as a sentence.
  var failure: String? { stop.map(DemoStory.sentence) }
}

extension Action.ByPerson {
  /// True if a person does the same, whichever way the device is named.
  func isSame(as other: Action.ByPerson) -> Bool {
    switch (self, other) {
    case (.on(_, let action), _): action.isSame(as: other)
    case (_, .on(_, let action)): isSame(as: action)
    case (.visit(let one, _), .visit(let another, _)): one == another
    case (.open(let one, _), .open(let another, _)): one == another
    case (.scan(let one, _), .scan(let another, _)): one == another
    case (.scanText(let one, _), .scanText(let another, _)): one == another
    case (.cancelCode, .cancelCode): true
    default: self == other
    }
  }
}
