import Checks
import Invariants
import LocatedYAML
import Messaging
import MobileDocument
import Primitives
import ScenarioLanguage

/// The result of one case of a scenario.
public struct CaseResult: Sendable {
  /// The outcome.
  public enum Outcome: Sendable {
    /// All expectations held.
    case passed
    /// An expectation did not hold.
    case failed(ExpectationFailure)
    /// The world could not be run to a point where an expectation could be judged.
    case undecided(String)
    /// The case was not run, for the reason in its file.
    case skipped(because: String)
    /// The case failed, which its file expects for a reason.
    case failedAsExpected(ExpectationFailure, because: String)
  }

  /// An outcome without what belongs to it. Raw values are the words of JSON reports.
  public enum Verdict: String, Sendable, CaseIterable {
    /// All expectations held.
    case passed
    /// An expectation did not hold.
    case failed
    /// The expectations could not be judged.
    case undecided
    /// The case was not run.
    case skipped
    /// The case failed, as its file expects.
    case failedAsExpected = "failed-as-expected"

    /// True for a verdict that makes a run unsuccessful.
    public var isBad: Bool { self == .failed || self == .undecided }
    /// The verdict in words.
    public var words: String { self == .failedAsExpected ? "failed as expected" : rawValue }
  }

  /// The case.
  public let scenario: Scenario
  /// The seed that it ran with.
  public let seed: UInt64
  /// The outcome.
  public internal(set) var outcome: Outcome
  /// Everything that happened.
  public internal(set) var journal: Journal
  /// The number of the last line of the journal before the world ended: lines after it are about what still waited.
  public internal(set) var lastLine = 0
  /// The time that the run took on this machine. It is not part of the journal: the same case takes another time in
  /// each run.
  public internal(set) var duration = Duration.zero
  /// The time of the world from the start to the end of the last step.
  public internal(set) var virtualDuration = Duration.zero
  /// The numbers of a run under many seeds, of which this is one result; nil for a run with one seed.
  public internal(set) var seedTally: SeedTally?
  /// The arguments of `run` that decide about every case, which the command that runs it again has too.
  var commonArguments: [String] = []
  /// The results of the cross-check, or nil for a run without it.
  public internal(set) var crossCheckTally: CrossCheckTally?
  /// The numbers of the steps, from 0, that were done and of the expectations that held.
  public internal(set) var heldSteps: Set<Int> = []

  /// The result with an empty journal.
  public var withoutJournal: CaseResult {
    var result = self
    result.journal = Journal()
    return result
  }

  /// The result of a case that passed, with a failure that was found in its journal afterwards. Other results stay as they
  /// are.
  public func failing(_ headline: String, code: String, evidence: [String]) -> CaseResult {
    guard isPassed else { return self }
    var result = self
    result.outcome = .failed(ExpectationFailure(headline, code: code, evidence: evidence))
    return result
  }

  /// The command that runs this case again.
  public var command: String {
    let chosen = scenario.caseName.map { " --case=\(Self.quoted($0))" } ?? ""
    let sandbox = scenario.sandbox.map { " --sandbox \($0.rawValue)" } ?? ""
    let crossCheck = crossCheckTally == nil ? "" : " --cross-check"
    let common = commonArguments.map { " \(Self.quoted($0))" }.joined()
    return "presentment run \(Self.quoted(scenario.path)) --seed \(seed)\(chosen)\(sandbox)\(crossCheck)\(common)"
  }

  /// The text, quoted for a shell if necessary.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x80 || $0.isLetter || $0.isDigit || "/._-+:,".utf8.contains($0) }
    return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  /// True if everything was as expected.
  public var isPassed: Bool { outcome.verdict == .passed }

  /// True if an expectation did not hold that had to.
  public var isFailed: Bool { outcome.verdict == .failed }

  /// True if the run ended before its expectations could be judged.
  public var isUndecided: Bool { outcome.verdict == .undecided }

  /// True if the case failed or is undecided.
  public var isBad: Bool { outcome.verdict.isBad }
}

extension CaseResult.Outcome {
  /// The verdict.
  public var verdict: CaseResult.Verdict {
    switch self {
    case .passed: .passed
    case .failed: .failed
    case .undecided: .undecided
    case .skipped: .skipped
    case .failedAsExpected: .failedAsExpected
    }
  }

  /// The failure of an expectation, expected or not; nil without one.
  public var failure: ExpectationFailure? {
    switch self {
    case .failed(let failure), .failedAsExpected(let failure, _): failure
    case .passed, .undecided, .skipped: nil
    }
  }

  /// The reason in the file to skip the case or to expect that it fails; nil without one.
  public var reason: String? {
    switch self {
    case .skipped(let reason), .failedAsExpected(_, let reason): reason
    case .passed, .failed, .undecided: nil
    }
  }

  /// The reason for the verdict in one sentence; nil if the case passed.
  public var headline: String? {
    if case .undecided(let message) = self { message } else { reason ?? failure?.headline }
  }

  /// The code of the check or rule that failed, if there is one.
  public var code: String? { failure?.code }
}

/// An expectation that did not hold.
public struct ExpectationFailure: Sendable {
  /// The place in the step that does not hold.
  public let path: StepPath
  /// The position of that place in a file; nil for a step that is not from a file.
  public internal(set) var position: SourcePosition?
  /// The failure in one message.
  public let headline: String
  /// Code of the check or rule of the failure.
  public let code: String?
  /// The note next to the caret.
  public let caretNote: String?
  /// The reason for the expectation.
  public internal(set) var because: String?
  /// Lines of evidence.
  public internal(set) var evidence: [String]
  /// The failures of the expectations directly after this one, which were judged together with it.
  public internal(set) var others: [ExpectationFailure] = []
  /// The number of the step in its case, from 0; nil for a failure of the case as a whole.
  public internal(set) var stepNumber: Int?
  /// The expectation that would hold instead.
  public internal(set) var correction: Correction

  package init(
    at path: StepPath = .step, _ headline: String, code: String? = nil, note: String? = nil, because: String? = nil,
    evidence: [String] = [], correction: Correction = .impossible(because: "this is not the value of an expectation")
  ) {
    self.path = path
    self.headline = headline
    self.code = code
    caretNote = note
    self.because = because
    self.evidence = evidence
    self.correction = correction
  }

  /// The failure of an expectation with the expectation that would hold instead.
  func corrected(by correction: Correction) -> ExpectationFailure {
    var failure = self
    failure.correction = correction
    return failure
  }

  /// The failure without a correction, for itself and for the failures judged together with it.
  func notCorrected(because reason: String) -> ExpectationFailure {
    var failure = corrected(by: .impossible(because: reason))
    failure.others = others.map { $0.notCorrected(because: reason) }
    return failure
  }

  /// The failure of a step of a case.
  func ofStep(_ number: Int) -> ExpectationFailure {
    var failure = self
    failure.stepNumber = number
    return failure
  }

  /// The failure with a reason for the expectation, unless it has one.
  func because(_ reason: String?) -> ExpectationFailure {
    var failure = self
    failure.because = because ?? reason
    return failure
  }

  /// The failure with the position of its place in a step of a file.
  func located(in step: LocatedStep) -> ExpectationFailure {
    var failure = self
    failure.position = step.position(of: path)
    for use in step.uses { failure.evidence.append("the flow is used at \(use)") }
    return failure
  }

  /// The failure with the scenario's line and a caret, the reason, the evidence, and the command to repeat it.
  public func rendered(for result: CaseResult) -> String {
    let again = (result.seedTally.map { [$0.text] } ?? []) + ["again: \(result.command)"]
    var parts = [excerpt(for: result, with: others.isEmpty ? again : [])]
    for (number, other) in others.enumerated() {
      parts.append(other.excerpt(for: result, with: number == others.count - 1 ? again : []))
    }
    return parts.joined(separator: "\n\n")
  }

  private func excerpt(for result: CaseResult, with notes: [String]) -> String {
    SourceExcerpt.render(
      position: position ?? result.scenario.position, headline: headline, code: code, caretNote: caretNote,
      because: because, notes: evidence + notes)
  }
}

extension ExpectationFailure {
  /// Creates the failure of a case in which an invariant does not hold.
  /// - Parameter others: The number of further violations.
  init(_ violation: InvariantViolation, besides others: Int, note: String = "judged over the whole run") {
    self.init(
      violation.message, code: violation.name, note: note,
      evidence: violation.evidence + (others > 0 ? ["\(others) more violation\(others == 1 ? "" : "s")"] : []),
      correction: .impossible(because: Correction.invariantFails))
  }

  /// Creates the failure of a step during which the cross-check found a disagreement, or returns nil.
  init?(_ ledger: CrossCheckLedger, because: String?) {
    guard let first = ledger.disagreements.first else { return nil }
    let evidence = first.evidence.flatMap(\.named).map { "   \($0.name)  \($0.value)" }
    let more = ledger.tally.disagreements - 1
    self.init(
      first.message, code: first.name, note: "verified during this step", because: because,
      evidence: evidence + (more > 0 ? ["\(more) more disagreement\(more == 1 ? "" : "s")"] : []),
      correction: .impossible(because: "the cross-check disagrees"))
  }
}
