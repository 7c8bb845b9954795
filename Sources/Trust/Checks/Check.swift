/// A code of a check or a refusal: stable, lower-case words joined by dots.
public protocol CheckCode: RawRepresentable, CaseIterable, Sendable, Hashable where RawValue == String {
  /// What it means when this check fails, for a person to read.
  var sentence: String { get }

  /// What it means when this check holds, for a person to read.
  var sentenceWhenPassed: String { get }

  /// Whether a finding of this check is a departure from the standard, which a strict policy refuses.
  var isAboutTheStandard: Bool { get }
}

extension CheckCode {
  /// Codes that only ever refuse have nothing more to say about holding.
  public var sentenceWhenPassed: String { "as required" }

  /// Nearly every check is about the standard.
  public var isAboutTheStandard: Bool { true }
}

/// One named check of a verification and how it ended.
public struct CheckResult: Sendable, Equatable {
  /// How a check ended.
  public enum Outcome: String, Sendable {
    /// As the standard requires.
    case passed
    /// A departure that is seen in the wild: accepted, with this finding.
    case deviates
    /// Not as required.
    case failed
    /// An earlier failure left nothing to check.
    case notReached = "not reached"
  }

  /// Something to look at: a field with what was expected and what was found. Never holds element values or keys.
  public struct Evidence: Sendable, Equatable {
    /// Which field or bytes.
    public let field: String
    /// What should have been there, where that can be said.
    public let expected: String?
    /// What was there.
    public let found: String?

    /// Evidence from its parts.
    public init(_ field: String, expected: String? = nil, found: String? = nil) {
      self.field = field
      self.expected = expected
      self.found = found
    }
  }

  /// The check's code.
  public let code: String
  /// What the check is about when there are several of its kind: a document type, a reader.
  public let subject: String?
  /// How it ended.
  public let outcome: Outcome
  /// What was found, for a person to read.
  public let sentence: String
  /// What to look at.
  public let evidence: [Evidence]

  /// A result from its parts.
  public init(
    _ code: some CheckCode, subject: String? = nil, _ outcome: Outcome, sentence: String? = nil,
    evidence: [Evidence] = []
  ) {
    self.code = code.rawValue
    self.subject = subject
    self.outcome = outcome
    self.sentence =
      sentence
      ?? {
        switch outcome {
        case .failed: code.sentence
        case .passed: code.sentenceWhenPassed
        case .deviates, .notReached: outcome.rawValue
        }
      }()
    self.evidence = evidence
  }
}

/// Collects the results of one run of a verification in the order in which its checks are declared, so that a report
/// always names every check.
package struct Checklist<Code: CheckCode> {
  private let subject: String?
  private let policy: VerificationPolicy
  private var planned: [Code]
  /// The checks that something is known of, in the order in which it came to be known. So few are found sooner by looking
  /// at each than by hashing the text of a code.
  private var codes: [Code] = []
  /// What is known of each of them.
  private var findings: [Finding] = []

  /// What is known of one check.
  private struct Finding {
    /// Whether it held; nothing was found fault with then.
    var hasHeld = false
    /// What was found fault with.
    var faults: [CheckResult] = []
    /// Departures with a code of their own.
    var departures: [CheckResult] = []

    var isReached: Bool { hasHeld || !faults.isEmpty }

    var hasFailed: Bool { faults.contains { $0.outcome == .failed } || departures.contains { $0.outcome == .failed } }
  }

  package init(_ planned: [Code], subject: String? = nil, policy: VerificationPolicy = .standard) {
    self.planned = planned
    self.subject = subject
    self.policy = policy
  }

  /// Records that a check held, unless a finding of it was recorded before.
  package mutating func pass(_ code: Code) {
    let position = position(of: code)
    if findings[position].faults.isEmpty { findings[position].hasHeld = true }
  }

  package mutating func fail(_ code: Code, _ sentence: String? = nil, _ evidence: [CheckResult.Evidence] = []) {
    record(CheckResult(code, subject: subject, .failed, sentence: sentence, evidence: evidence), code)
  }

  /// Records a departure that is seen in the wild: accepted with this finding, unless the policy is strict.
  package mutating func deviate(_ code: Code, _ sentence: String, _ evidence: [CheckResult.Evidence] = []) {
    record(departure(code, sentence, evidence), code)
  }

  /// Records a departure that has a code of its own. The check that it belongs to may hold all the same.
  package mutating func deviate(
    _ departure: some CheckCode, under code: Code, _ sentence: String? = nil, _ evidence: [CheckResult.Evidence] = []
  ) {
    let result = self.departure(departure, sentence ?? departure.sentence, evidence)
    findings[position(of: code)].departures.append(result)
  }

  private func departure(
    _ code: some CheckCode, _ sentence: String, _ evidence: [CheckResult.Evidence]
  ) -> CheckResult {
    let isRefused = policy == .strict && code.isAboutTheStandard
    return CheckResult(
      code, subject: subject, isRefused ? .failed : .deviates, sentence: sentence,
      evidence: evidence + (isRefused ? [CheckResult.Evidence("policy", found: policy.rawValue)] : []))
  }

  /// Puts a check in the place of another one: what failed is known more exactly.
  package mutating func replace(_ code: Code, with other: Code) {
    if let position = planned.firstIndex(of: code) { planned[position] = other }
  }

  /// Leaves out a check that does not apply.
  package mutating func omit(_ code: Code) { planned.removeAll { $0 == code } }

  /// Nothing is both held and found fault with: a finding takes the place of a check that held before.
  private mutating func record(_ result: CheckResult, _ code: Code) {
    let position = position(of: code)
    findings[position].hasHeld = false
    findings[position].faults.append(result)
  }

  /// Where a check stands among those that something is known of. One that is new there has not been reached.
  private mutating func position(of code: Code) -> Int {
    if let position = codes.firstIndex(of: code) { return position }
    codes.append(code)
    findings.append(Finding())
    return codes.count - 1
  }

  private func finding(of code: Code) -> Finding? { codes.firstIndex(of: code).map { findings[$0] } }

  /// Passes or fails a check.
  @discardableResult
  package mutating func require(
    _ condition: Bool, _ code: Code, _ sentence: @autoclosure () -> String? = nil,
    _ evidence: @autoclosure () -> [CheckResult.Evidence] = []
  ) -> Bool {
    if condition { pass(code) } else { fail(code, sentence(), evidence()) }
    return condition
  }

  /// Every planned check with what was found; those without a finding were not reached.
  package var results: [CheckResult] {
    var results: [CheckResult] = []
    results.reserveCapacity(planned.count)
    for code in planned {
      let finding = finding(of: code) ?? Finding()
      if finding.faults.isEmpty {
        results.append(CheckResult(code, subject: subject, finding.hasHeld ? .passed : .notReached))
      }
      results += finding.faults + finding.departures
    }
    return results
  }

  /// Whether nothing failed.
  package var holds: Bool {
    !findings.indices.contains { findings[$0].hasFailed && planned.contains(codes[$0]) }
  }

  /// Ends the list of something that must not be believed unless every check was made: where nothing failed, a check that
  /// was neither made nor left out fails now.
  package mutating func end() {
    guard holds else { return }
    for code in planned where finding(of: code)?.isReached != true {
      fail(code, "this was not looked at: \(code.sentence)")
    }
  }
}
