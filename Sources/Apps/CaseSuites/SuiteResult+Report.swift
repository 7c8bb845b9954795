import Primitives
import Reports
import ScenarioLanguage
import ScenarioRunner

extension SuiteResult {
  /// The result as a report of a run, in every format that `run` writes.
  ///
  /// - Parameters:
  ///   - path: The file of the target.
  ///   - seed: The seed of the suite's keys.
  ///   - command: The command without the choice of cases.
  ///   - isStrict: True if mistakes that no clause forbids are failures.
  ///   - time: The time that the run took.
  public func report(path: String, seed: UInt64, command: String, isStrict: Bool, time: Duration) -> RunReport {
    let cases = outcomes.enumerated().map { index, outcome in
      outcome.report(
        number: index + 1, path: path, seed: seed, command: "\(command) --filter \(outcome.suiteCase.id)",
        isStrict: isStrict, subject: subject)
    }
    let wholeRun = wholeRun(number: cases.count + 1, path: path, seed: seed, command: command).map { [$0] } ?? []
    let stopped: RunReport.Stop = stop?.code == .interrupted ? .interrupted : .cannotContinue
    return RunReport(
      settings: ["version": ProgramVersion.text, "seed": "\(seed)", "target": target],
      entries: RunEntries(count: planned + wholeRun.count), cases: cases + wholeRun,
      stopped: cases.count < planned ? stopped : nil, time: ReportedTime(wallClock: time))
  }

  /// The reason why the run decides nothing, or no more, as an entry after the cases; nil for a run that decided something
  /// in each of its parts.
  private func wholeRun(number: Int, path: String, seed: UInt64, command: String) -> CaseReport? {
    let message: String
    if let stop { message = stop.message } else if decided == 0 { message = "nothing was decided" } else { return nil }
    let reasons = stop?.details ?? outcomes.map(\.detail).uniqued()
    let place = ReportedPlace(path: path)
    return CaseReport(
      number: number, place: place, name: "the whole run: \(message)", tags: ["run"], seed: seed, verdict: .undecided,
      reason: nil,
      failure: CaseReport.Failure(
        message: message, code: stop?.code.rawValue, place: place,
        detail: ([message] + reasons.map { TerminalSafe.text($0) } + ["again: \(command)"]).joined(separator: "\n")),
      command: command, time: ReportedTime(wallClock: .zero))
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
    var report = CaseReport(
      number: number, place: place, name: "\(suiteCase.id): \(suiteCase.title)",
      tags: [suiteCase.group.rawValue, suiteCase.weight.rawValue], seed: seed, verdict: reported,
      reason: known ?? (reported == .skipped ? detail : nil),
      failure: hasFailure
        ? CaseReport.Failure(
          message: message, code: suiteCase.check, place: place, detail: lines.joined(separator: "\n")) : nil,
      command: command, time: ReportedTime(wallClock: time))
    report.reading = reading
    return report
  }

  /// What the program did in a case in which both are right; nil for every other case.
  private var reading: CaseReport.Reading? {
    switch verdict {
    case .accepts: .accepts
    case .refuses: .refuses
    default: nil
    }
  }
}
