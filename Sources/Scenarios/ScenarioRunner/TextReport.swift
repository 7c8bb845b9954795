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

  /// The cross-check of some cases as one line.
  public static func crossCheck(of results: [CaseResult]) -> String {
    results.compactMap(\.crossCheckTally).reduce(CrossCheckTally(), +).description
  }

  /// The failure, or nil for a case that passed.
  public static func detail(for result: CaseResult) -> String? {
    switch result.outcome {
    case .passed: nil
    case .failed(let failure): failure.rendered(for: result)
    case .undecided(let message):
      "   \(message)\n   again: \(result.command)"
    }
  }
}
