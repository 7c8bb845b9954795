import Ecosystem
import Scenarios
import Simulation

/// Tells a case as a story: who asks, what the person sees, what each party concludes. A function of the journal.
public enum StoryReport {
  /// The story of a case.
  public static func text(of result: CaseResult) -> String {
    result.scenario.name
  }
}
