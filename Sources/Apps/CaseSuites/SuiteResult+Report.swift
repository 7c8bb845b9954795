import Primitives
import Reports
import ScenarioLanguage
import ScenarioRunner

extension SuiteResult {
  /// The result as a report of a run, in every format that `run` writes.
  ///
  /// - Parameters:
  ///   - path: the file of the target.
  ///   - seed: the seed of the suite's keys.
  ///   - command: the command without the choice of cases.
  ///   - isStrict: true if mistakes that no clause forbids are failures.
  ///   - time: the time that the run took.
  public func report(
    path: String, seed: UInt64, command: String, isStrict: Bool, time: Duration
  ) -> RunReport {
    let cases = outcomes.enumerated().map { index, outcome in
      outcome.report(
        number: index + 1, path: path, seed: seed, command: "\(command) --filter \(outcome.suiteCase.id)",
        isStrict: isStrict, subject: subject)
    }
    return RunReport(
      settings: ["version": ProgramVersion.text, "seed": "\(seed)", "target": target],
      entries: RunEntries(count: planned), cases: cases, stopped: cases.count < planned ? .interrupted : nil,
      time: ReportedTime(wallClock: time))
  }
}

extension CaseOutcome {
  fileprivate func report(
    number: Int, path: String, seed: UInt64, command: String, isStrict: Bool, subject: String
  ) -> CaseReport {
    let reported: CaseResult.Verdict =
      switch verdict {
      case _ where known != nil: .failedAsExpected
      case .unclear: .undecided
      case .notTested: .skipped
      default: counts(isStrict: isStrict) ? .failed : .passed
      }
    let hasFailure = reported == .failed || reported == .undecided || reported == .failedAsExpected
    let place = ReportedPlace(path: path)
    let message = "\(verdict.rawValue): \(suiteCase.title)"
    let lines = [message, detail] + (reason.map { ["the \(subject)'s reason: \($0)"] } ?? []) + ["again: \(command)"]
    return CaseReport(
      number: number, place: place, name: "\(suiteCase.id): \(suiteCase.title)",
      tags: [suiteCase.group.rawValue, suiteCase.weight.rawValue], seed: seed, verdict: reported,
      reason: known ?? (reported == .skipped ? detail : nil),
      failure: hasFailure
        ? CaseReport.Failure(
          message: message, code: suiteCase.check, place: place, detail: lines.joined(separator: "\n")) : nil,
      command: command, time: ReportedTime(wallClock: time))
  }
}
