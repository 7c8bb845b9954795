import ScenarioLanguage

/// The expectation that would hold in place of one that failed.
public enum Correction: Sendable {
  /// An expectation of the same kind with the same keys.
  case expectation(Expectation)
  /// No such expectation, for a reason.
  case impossible(because: String)

  /// The reason for a run in which an invariant does not hold.
  static let invariantFails = "an invariant does not hold in this case"
  /// The reason for a step with `fails`.
  static let stepMustFail = "an update keeps 'fails'"
  /// The reason for a fault that does not act.
  static let faultDoesNotAct = "a fault does not act"
}
