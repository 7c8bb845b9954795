import Checks
import LocatedYAML
import MobileDocument
import ScenarioLanguage

extension ExpectationFailure {
  /// Creates the failure of a step during which the cross-check found a disagreement, or returns nil.
  init?(_ ledger: CrossCheckLedger, because: String?) {
    guard let first = ledger.disagreements.first else { return nil }
    let evidence = first.evidence.flatMap(\.named).map { "   \($0.name)  \($0.value)" }
    let more = ledger.tally.disagreements - 1
    self.init(
      at: .step, first.message, code: first.name, note: "verified during this step", because: because,
      evidence: evidence + (more > 0 ? ["\(more) more disagreement\(more == 1 ? "" : "s")"] : []))
  }
}
