import Primitives

/// The outcome of a case.
public struct CaseOutcome: Sendable {
  /// The case.
  public let suiteCase: SuiteCase
  /// The verdict.
  public let verdict: Verdict
  /// The conduct of the program, in words.
  public let detail: String
  /// The program's own reason, if it gives one.
  public var reason: String?
  /// The reason in the file of known mistakes; nil for news.
  public var known: String?
  /// The longest time of an answer of the program.
  public var time = Duration.zero
  /// An exchange file that explains the mistake, with the key that opens its answer; nil without one.
  public var exchange: [UInt8]?

  /// Creates an outcome.
  package init(suiteCase: SuiteCase, verdict: Verdict, detail: String) {
    self.suiteCase = suiteCase
    self.verdict = verdict
    self.detail = detail
  }

  /// The verdict of a case.
  public enum Verdict: String, Sendable {
    /// The program did what it must.
    case right
    /// The program accepted what it must refuse.
    case wronglyAccepted = "wrongly-accepted"
    /// The program refused what it must accept.
    case wronglyRefused = "wrongly-refused"
    /// A wallet's answer is another one than the request and the person's agreement allow.
    case wrongAnswer = "wrong-answer"
    /// A server refused, and showed values that it had refused.
    case showsRefused = "shows-refused"
    /// A server accepted, and shows other values than were sent.
    case showsOther = "shows-other-values"
    /// The program failed instead of refusing: it broke off, or gave no answer in time.
    case notRefusedCleanly = "not-refused-cleanly"
    /// The request of a server breaks a rule.
    case wrongRequest = "wrong-request"
    /// A fact about the program: it accepts what some do.
    case accepts
    /// A fact about the program: it refuses what some accept.
    case refuses
    /// The answer looks neither like acceptance nor like refusal, or the program did not live on.
    case unclear
    /// It was not tried, for the reason in the detail.
    case notTested = "not-tested"

    /// Whether it is a mistake of the program, and its title in reports.
    var definition: (isMistake: Bool, title: String) {
      switch self {
      case .right: (false, "RIGHT")
      case .wronglyAccepted: (true, "WRONGLY ACCEPTED")
      case .wronglyRefused: (true, "WRONGLY REFUSED")
      case .wrongAnswer: (true, "WRONG ANSWER")
      case .showsRefused: (true, "REFUSED AND SHOWN")
      case .showsOther: (true, "SHOWS OTHER VALUES")
      case .notRefusedCleanly: (true, "NOT REFUSED CLEANLY")
      case .wrongRequest: (true, "WRONG REQUEST")
      case .accepts, .refuses: (false, "FACTS")
      case .unclear: (false, "UNDECIDED")
      case .notTested: (false, "NOT TESTED")
      }
    }

    /// A number of mistakes in words.
    func words(_ count: Int) -> String {
      let words =
        switch self {
        case .wrongAnswer: count == 1 ? "wrong answer" : "wrong answers"
        case .wrongRequest: count == 1 ? "wrong request" : "wrong requests"
        case .showsRefused: "shown after refusal"
        case .showsOther: "shown with other values"
        default: definition.title.lowercased()
        }
      return "\(count) \(words)"
    }
  }

  /// How much the verdict matters: a program that fails instead of refusing is untidy, whatever it was sent.
  public var weight: SuiteCase.Weight { verdict == .notRefusedCleanly ? .should : suiteCase.weight }

  /// True for a verdict that is a mistake of the program.
  public var isWrong: Bool { verdict.definition.isMistake }

  /// Returns whether the outcome fails the run.
  public func counts(isStrict: Bool) -> Bool {
    isWrong && known == nil && (weight == .must || (isStrict && weight == .should))
  }

  /// True if the case was decided.
  public var isDecided: Bool { verdict != .unclear && verdict != .notTested }

  /// The outcome with another verdict.
  package func replacing(_ verdict: Verdict, _ detail: String) -> CaseOutcome {
    var outcome = CaseOutcome(suiteCase: suiteCase, verdict: verdict, detail: detail)
    (outcome.reason, outcome.time, outcome.exchange) = (reason, time, exchange)
    return outcome
  }

  /// The outcome as one that means nothing, unless something was accepted, which no later refusal explains.
  package func undecided(_ detail: String) -> CaseOutcome {
    verdict == .wronglyAccepted || verdict == .wrongAnswer ? self : replacing(.unclear, detail)
  }
}

extension SuiteCase {
  /// An outcome of the case.
  package func outcome(_ verdict: CaseOutcome.Verdict, _ detail: String) -> CaseOutcome {
    CaseOutcome(suiteCase: self, verdict: verdict, detail: detail)
  }
}
