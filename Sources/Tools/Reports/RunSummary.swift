import ScenarioRunner

/// The counts of a run.
public struct RunSummary: Sendable, Equatable {
  private var counts: [CaseResult.Verdict: Int] = [:]
  /// Files that cannot be used.
  public var unreadable = 0

  /// A summary of nothing.
  public init() {}

  /// Counts a case.
  public mutating func add(_ verdict: CaseResult.Verdict) { counts[verdict, default: 0] += 1 }

  /// The number of cases with a verdict.
  public func count(_ verdict: CaseResult.Verdict) -> Int { counts[verdict, default: 0] }

  /// The number of cases.
  public var cases: Int { counts.values.reduce(0, +) }

  /// The number of cases that failed or are undecided, and of files that cannot be used.
  public var problems: Int { count(.failed) + count(.undecided) + unreadable }

  /// The result of a run that ended by itself.
  public var verdict: RunReport.Verdict {
    count(.undecided) + unreadable > 0 ? .undecided : count(.failed) > 0 ? .failed : .passed
  }

  /// The counts in one line; those of passed and failed cases always, the others if there are any.
  public var text: String {
    func part(_ verdict: CaseResult.Verdict) -> (Int, String) { (count(verdict), verdict.words) }
    let others = [part(.undecided), (unreadable, "unreadable"), part(.skipped), part(.failedAsExpected)]
    return ([part(.passed), part(.failed)] + others.filter { $0.0 > 0 }).map { "\($0.0) \($0.1)" }
      .joined(separator: ", ")
  }
}
