import Checks
import LocatedYAML
import MobileDocument
import ScenarioLanguage

/// Results of cases as lines of text.
public enum TextReport {
  /// A line for a case.
  public static func line(for result: CaseResult) -> String {
    let word =
      switch result.outcome {
      case .passed: "passed"
      case .failed: "FAILED"
      case .undecided: "UNDECIDED"
      }
    return "\(word)  \(SourceText.visible(result.scenario.path))  \(SourceText.visible(result.scenario.name))"
  }

  /// How much a second opinion was asked about in some cases.
  public static func crossChecks(of results: [CaseResult]) -> String {
    let tally = results.compactMap(\.crossCheckTally).reduce(CrossCheckTally(), +)
    return "a second opinion on \(tally.signatures) signatures and \(tally.chains) certificate chains"
      + (tally.unjudged > 0 ? ", none on \(tally.unjudged)" : "")
      + (tally.disagreements > 0 ? ", another one on \(tally.disagreements)" : "")
  }

  /// The failure; nil for a case that passed.
  public static func detail(for result: CaseResult) -> String? {
    switch result.outcome {
    case .passed: nil
    case .failed(let failure): failure.rendered(for: result)
    case .undecided(let sentence):
      "   \(sentence)\n   again: \(result.command)"
    }
  }
}
