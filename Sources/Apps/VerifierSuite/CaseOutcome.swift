import JSON
import Primitives

/// The outcome of a case.
public struct CaseOutcome: Sendable {
  /// The case.
  public let suiteCase: SuiteCase
  /// The verdict.
  public let verdict: Verdict
  /// The conduct of the server, in words.
  public let detail: String
  /// The server's own reason, if the target says where it is.
  public var reason: String?
  /// The reason in the file of known mistakes; nil for news.
  public var known: String?
  /// The longest time of an answer of the server.
  public var time = Duration.zero
  /// An exchange file with an answer that has the same mistake, and the key that opens it; nil without one.
  public var exchange: [UInt8]?

  /// The verdict of a case.
  public enum Verdict: String, Sendable {
    /// The server did what it must.
    case right
    /// The server accepted what it must refuse.
    case wronglyAccepted = "wrongly-accepted"
    /// The server refused what it must accept.
    case wronglyRefused = "wrongly-refused"
    /// The server refused, and showed values that it had refused.
    case showsRefused = "shows-refused"
    /// The server failed instead of refusing: a status from 500 on, a lost connection, no answer in time.
    case notRefusedCleanly = "not-refused-cleanly"
    /// The request of the server breaks a rule.
    case wrongRequest = "wrong-request"
    /// A fact about the server: it accepts what some do.
    case accepts
    /// A fact about the server: it refuses what some accept.
    case refuses
    /// The answer looks neither like acceptance nor like refusal, or the server did not live on.
    case unclear
    /// It was not tried, for the reason in the detail.
    case notTested = "not-tested"
  }

  /// How much the verdict matters: a server that fails instead of refusing is untidy, whatever it was sent.
  public var weight: SuiteCase.Weight { verdict == .notRefusedCleanly ? .should : suiteCase.weight }

  /// True for a verdict that is a mistake of the server.
  public var isWrong: Bool {
    switch verdict {
    case .wronglyAccepted, .wronglyRefused, .showsRefused, .notRefusedCleanly, .wrongRequest: true
    case .right, .accepts, .refuses, .unclear, .notTested: false
    }
  }

  /// Returns whether the outcome fails the run.
  public func counts(isStrict: Bool) -> Bool {
    isWrong && known == nil && (weight == .must || (isStrict && weight == .should))
  }

  /// True if the case was decided.
  public var isDecided: Bool { verdict != .unclear && verdict != .notTested }
}

/// The reaction of a server to an answer.
enum ServerReaction: Sendable {
  case accepted
  case refused
  /// The answer looks like both, or like neither.
  case unclear(String)
  /// A status from 500 on, a lost connection, or no answer in time.
  case broken(String)

  init(_ answer: HTTPAnswer, _ target: VerifierTarget) {
    let isAccepted = target.accepted.matches(answer)
    let isRefused = target.refused.map { $0.matches(answer) } ?? (!isAccepted && (200...499).contains(answer.status))
    switch (isAccepted, isRefused) {
    case (true, false): self = .accepted
    case (false, true): self = .refused
    case (true, true): self = .unclear("the answer looks accepting and refusing: \(answer.excerpt)")
    case (false, false):
      self =
        answer.status >= 500
        ? .broken(answer.excerpt) : .unclear("the answer looks neither accepting nor refusing: \(answer.excerpt)")
    }
  }

  init(_ failure: HTTPFailure) { self = .broken(failure.sentence) }
}

extension HTTPFailure {
  /// The message with its evidence.
  var sentence: String { [message, evidence].compactMap(\.self).joined(separator: ": ") }
}
