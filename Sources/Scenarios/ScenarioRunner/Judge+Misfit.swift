import LocatedYAML
import ScenarioLanguage
import SimulationKernel

/// Faults that do not fit what they should change.
extension Judge {
  /// What was put in and changed nothing, since the last action and after the lines that were judged before: the scenario
  /// does not show what it is for.
  func misfit(after judged: Int) -> ExpectationFailure? {
    for entry in entries.dropFirst(max(mark, judged)) {
      guard case .decision(let made) = entry.event, made.kind == .fault, made.outcome == "failed" else { continue }
      return ExpectationFailure(
        at: .step, "a fault that was put in changes nothing", code: made.code, note: made.message)
    }
    return nil
  }
}
