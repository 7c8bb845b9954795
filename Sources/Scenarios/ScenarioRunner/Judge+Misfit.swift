import LocatedYAML
import ScenarioLanguage
import SimulationKernel

/// Faults without an effect.
extension Judge {
  /// The failure for a fault that changed nothing, since the last action and after the lines that were judged before:
  /// the scenario does not show its subject.
  func misfit(after judged: Int) -> ExpectationFailure? {
    for entry in entries.dropFirst(max(mark, judged)) {
      guard case .decision(let made) = entry.event, made.kind == .fault, made.outcome == "failed" else { continue }
      return ExpectationFailure(
        at: .step, "an injected fault changes nothing", code: made.code, note: made.message)
    }
    return nil
  }
}
