import ScenarioRunner

/// The counts of a run.
public struct RunSummary: Sendable, Equatable {
  /// Cases that went as expected.
  public var passed = 0
  /// Cases with an expectation that did not hold.
  public var failed = 0
  /// Cases that could not be judged.
  public var undecided = 0
  /// Files that cannot be used.
  public var unreadable = 0
  /// Cases that were not run, for the reason in their file.
  public var skipped = 0
  /// Cases that failed, which their file expects.
  public var failedAsExpected = 0

  /// A summary of nothing.
  public init() {}

  /// The summary of a report.
  public init(_ report: RunReport) {
    passed = report.count(.passed)
    failed = report.count(.failed)
    undecided = report.count(.undecided)
    unreadable = report.unreadable.count
    skipped = report.count(.skipped)
    failedAsExpected = report.count(.failedAsExpected)
  }

  /// The number of cases.
  public var cases: Int { passed + failed + undecided + skipped + failedAsExpected }

  /// Counts a case.
  public mutating func add(_ outcome: CaseResult.Outcome) {
    switch outcome {
    case .passed: passed += 1
    case .failed: failed += 1
    case .undecided: undecided += 1
    case .skipped: skipped += 1
    case .failedAsExpected: failedAsExpected += 1
    }
  }

  /// The counts in one line; those of passed and failed cases always, the others if there are any.
  public var text: String {
    var parts = ["\(passed) passed", "\(failed) failed"]
    let others = [
      (undecided, "undecided"), (unreadable, "unreadable"), (skipped, "skipped"),
      (failedAsExpected, "failed as expected"),
    ]
    parts += others.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.joined(separator: ", ")
  }
}
