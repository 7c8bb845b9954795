import Simulation

/// Faults that do not fit what they should change.
extension Judge {
  /// What was put in since the last action and changed nothing: the scenario does not show what it is for.
  func misfit() -> ExpectationFailure? {
    for entry in entries.dropFirst(mark) {
      guard case .decision(let made) = entry.event, made.kind == .fault, made.outcome == "failed" else { continue }
      return ExpectationFailure(
        at: position, "a fault that was put in changes nothing", code: made.code, note: made.sentence)
    }
    return nil
  }
}
