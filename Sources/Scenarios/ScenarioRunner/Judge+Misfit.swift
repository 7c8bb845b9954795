import LocatedYAML
import Messaging
import ScenarioLanguage

/// Faults that change nothing.
extension Judge {
  /// The failure of an injected fault that changed nothing since the last action and after the lines that were judged
  /// before: the scenario does not show its subject.
  func misfit(after judged: Int) -> ExpectationFailure? {
    for entry in entries.dropFirst(max(mark, judged)) {
      guard let fault = entry.event.fault, let reason = fault.reasonNotApplied else { continue }
      return ExpectationFailure(at: .step, "an injected fault changes nothing", code: fault.fault, note: reason)
    }
    return nil
  }
}
