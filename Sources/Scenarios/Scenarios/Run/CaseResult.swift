import Checks
import MobileDocument
import SimulationKernel

/// How one case of a scenario ended.
public struct CaseResult: Sendable {
  /// How it ended.
  public enum Outcome: Sendable {
    /// Everything was as expected.
    case passed
    /// An expectation did not hold.
    case failed(ExpectationFailure)
    /// The world could not be run to where an expectation could be judged.
    case undecided(String)
  }

  /// The case.
  public let scenario: Scenario
  /// The seed that it ran with.
  public let seed: UInt64
  /// How it ended.
  public let outcome: Outcome
  /// Everything that happened.
  public let journal: Journal
  /// What came of the second opinions that were asked for; nil when none was.
  public internal(set) var secondOpinions: SecondOpinionLedger.Tally?

  /// The result with an empty journal.
  var withoutJournal: CaseResult {
    CaseResult(
      scenario: scenario, seed: seed, outcome: outcome, journal: Journal(), secondOpinions: secondOpinions)
  }

  /// The command that runs this case again.
  public var command: String {
    let filter = scenario.caseName == nil ? "" : " --filter=\(Self.quoted(scenario.name))"
    let sandbox = scenario.sandbox.map { " --sandbox \($0.rawValue)" } ?? ""
    let secondOpinion = secondOpinions == nil ? "" : " --second-opinion"
    return "presentment run \(Self.quoted(scenario.path)) --seed \(seed)\(filter)\(sandbox)\(secondOpinion)"
  }

  /// The text as one word of a shell.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x80 || UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9")
        || UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z")
        || UInt8(ascii: "a") <= byte && byte <= UInt8(ascii: "z")
        || "/._-+:,".utf8.contains(byte)
    }
    return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  /// Whether everything was as expected.
  public var isPassed: Bool { if case .passed = outcome { true } else { false } }
}

/// An expectation that did not hold.
public struct ExpectationFailure: Error, Sendable {
  /// The word in the scenario that does not hold.
  public let position: SourcePosition
  /// What is not as expected.
  public let headline: String
  /// Code of the check or rule behind it.
  public let code: String?
  /// Said beside the caret.
  public let caretNote: String?
  /// Why the expectation is right.
  public let because: String?
  /// What to look at.
  public let evidence: [String]

  init(
    at position: SourcePosition, _ headline: String, code: String? = nil, note: String? = nil, because: String? = nil,
    evidence: [String] = []
  ) {
    self.position = position
    self.headline = headline
    self.code = code
    caretNote = note
    self.because = because
    self.evidence = evidence
  }

  func because(_ reason: String?) -> ExpectationFailure {
    ExpectationFailure(
      at: position, headline, code: code, note: caretNote, because: because ?? reason, evidence: evidence)
  }

  /// The failure with the scenario's line and a caret, the reason, the evidence, and how to see it again.
  public func rendered(for result: CaseResult) -> String {
    SourceExcerpt.render(
      position: position, headline: headline, code: code, caretNote: caretNote, because: because,
      notes: evidence + ["again: \(result.command)"])
  }
}
