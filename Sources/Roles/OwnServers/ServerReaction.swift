import Checks
import JSON
import Primitives

/// The reaction of a server to an answer.
package enum ServerReaction: Sendable {
  case accepted
  case refused
  /// The answer looks like both, or like neither.
  case unclear(String)
  /// A status from 500 on, a lost connection, or no answer in time.
  case broken(String)

  /// Creates the reaction to an answer, or to its absence.
  package init(_ answer: HTTPAnswer, _ target: VerifierTarget) {
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

  /// Creates the reaction to an answer, or to its absence.
  package init(_ failure: HTTPFailure) { self = .broken(failure.sentence) }
}

/// The conclusion of a verifier server outside the world, which says whether it accepts and not why.
public enum OwnServerCheck: String, CheckFamily {
  case accepted = "own-server.accepted"

  /// The declaration of the check.
  public var definition: CheckDefinition {
    CheckDefinition(rawValue, "the server accepts the answer", "the server refuses the answer", clause: "own rule")
  }
}
