import Checks
import Messaging
import Primitives
import ScenarioLanguage

extension Judge {
  /// Judges the decisions of a party since the last action.
  func judge(_ expected: DecisionExpectation) -> ExpectationFailure? {
    let all = decisions(of: expected)
    let found = all.filter { $0.event.code.isName(expected: expected.code) }
    if let count = expected.count {
      return wrongCount(
        countedEntries(of: expected), expected: count, at: StepPath("decision", "count"),
        "the \(expected.role) decided this", since: "since the last action")
    }
    guard !found.isEmpty else {
      return ExpectationFailure(
        at: StepPath("decision", "code"), "no \(expected.role) decided this since the last action",
        evidence: all.filter { $0.event.outcome != CheckResult.Status.passed.rawValue }.suffix(6).map(line))
    }
    if let outcome = expected.outcome, !found.contains(where: { $0.event.outcome == outcome }) {
      return ExpectationFailure(
        at: StepPath("decision", "outcome"),
        "the outcome differs: \(found.map { $0.event.outcome ?? "none" }.joined(separator: ", "))",
        code: expected.code)
    }
    return expected.explained.flatMap {
      judge($0, at: StepPath("decision", "explained"), of: found.compactMap(\.event.check))
    }
  }

  /// All decisions of a party since the last action.
  func decisions(of expected: DecisionExpectation) -> [JournalEntry] {
    recent.filter { entry in
      entry.party.role.rawValue == expected.role && entry.event.code != nil
        && expected.device.map(entry.party.isPart(of:)) ?? true
    }
  }

  /// The decisions that an expectation with a number counts.
  func countedEntries(of expected: DecisionExpectation) -> [JournalEntry] {
    decisions(of: expected).filter { entry in
      entry.event.code.isName(expected: expected.code)
        && expected.outcome.map { entry.event.outcome == $0 } ?? true
        && expected.explained.map { entry.event.check?.explanations.contains($0) ?? false } ?? true
    }
  }

  /// Another number of decisions, or another explanation.
  func corrected(_ expected: DecisionExpectation) throws(Uncorrectable) -> DecisionExpectation {
    var corrected = expected
    if let count = expected.count {
      corrected.count = try Self.corrected(count, to: countedEntries(of: expected).count)
      return corrected
    }
    let found = decisions(of: expected).filter { $0.event.code.isName(expected: expected.code) }
    guard !found.isEmpty else { throw Uncorrectable("the decision did not happen") }
    if let outcome = expected.outcome, !found.contains(where: { $0.event.outcome == outcome }) {
      let outcomes = found.map { $0.event.outcome ?? "none" }.uniqued()
      throw .otherKind("the outcome is \(outcomes.joined(separator: ", "))")
    }
    corrected.explained = try Self.corrected(
      expected.explained, toOneOf: found.compactMap(\.event.check).flatMap(\.explanations))
    return corrected
  }
}
