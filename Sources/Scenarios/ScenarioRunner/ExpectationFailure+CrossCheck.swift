import Checks
import LocatedYAML
import MobileDocument
import ScenarioLanguage

extension ExpectationFailure {
  /// The failure of whatever was done when another implementation decides otherwise about something that was checked in
  /// it; nil when none does.
  init?(_ ledger: CrossCheckLedger, because: String?) {
    guard let first = ledger.disagreements.first else { return nil }
    let evidence = first.evidence.flatMap { evidence in
      [
        evidence.expected.map { "   expected \(evidence.field)  \($0)" },
        evidence.found.map { "   \(evidence.expected == nil ? "" : "found ")\(evidence.field)  \($0)" },
      ].compactMap(\.self)
    }
    let more = ledger.tally.disagreements - 1
    self.init(
      at: .step, first.message, code: first.name, note: "checked meanwhile", because: because,
      evidence: evidence + (more > 0 ? ["\(more) more of the kind"] : []))
  }
}
