import Messaging

/// The findings of a sweep.
package struct SweepResult: Sendable {
  /// The consequence of an alteration.
  package enum Finding: Sendable {
    /// A party noticed it.
    case noticed(SweepSignal)
    /// No party noticed it, but an expectation of the case fails with this message: the person sees something else.
    case seen(String)
    /// The run ends as without it, for a listed reason.
    case unnoticed(SweepReason)
    /// The run ends as without it, and no listed reason covers it.
    case unexplained
    /// The run cannot be decided, with the cause.
    case undecided(String)
    /// The run breaks this rule.
    case violation(String)
    /// The fault changes nothing.
    case notApplicable

    /// True for a finding that shows a defect.
    package var isDefect: Bool {
      switch self {
      case .unexplained, .undecided, .violation: true
      case .noticed, .seen, .unnoticed, .notApplicable: false
      }
    }
  }

  /// An alteration and its consequence.
  package struct Outcome: Sendable {
    /// The alteration.
    package let alteration: Alteration
    /// The consequence.
    package let finding: Finding
  }

  /// The swept case.
  package let subject: SweepSubject
  /// A bit of one byte of this many was flipped.
  package let stride: Int
  /// The outcomes, in the order of the messages.
  package let outcomes: [Outcome]

  /// True if every unnoticed alteration has a listed reason, and no run broke a rule or was undecided.
  package var isClean: Bool { !outcomes.contains { $0.finding.isDefect } }

  /// The message of an alteration.
  package func message(of alteration: Alteration) -> Message { subject.messages[alteration.number - 1] }

  /// The place of a flipped byte in its message, as a path; nil for another change.
  package func place(of alteration: Alteration) -> String? {
    guard case .flipped(let byte, _) = alteration.change else { return nil }
    let path = BytePlace(of: byte, in: message(of: alteration).bytes).path
    return path.isEmpty ? nil : path
  }
}
