import Checks
import LocatedYAML
import Primitives
import Reports
import ScenarioLanguage
import ScenarioRunner

/// Prints results in the order of the files, with a line for each file that cannot be used where its cases would be.
struct OrderedReport {
  private let run: BatchRun
  private let chosen: ChosenCases
  private let output: BatchRun.Output
  private var summary = RunSummary()
  /// Files that cannot be used and were not printed yet.
  private var unreadable: ArraySlice<ChosenCases.Unreadable>
  private var problems: [CaseResult] = []
  private var hasEnded = false

  init(_ chosen: ChosenCases, run: BatchRun, output: BatchRun.Output) {
    self.run = run
    self.chosen = chosen
    self.output = output
    unreadable = chosen.unreadable.filter { $0.text != nil }[...]
    summary.unreadable = chosen.unreadable.count - unreadable.count
  }

  /// Reports a case with its number. Returns false if the run had ended before it.
  mutating func add(_ result: CaseResult, number: Int) -> Bool {
    guard !hasEnded else { return false }
    summary.add(result.outcome.verdict)
    if result.isBad { problems.append(result.withoutJournal) }
    if result.isBad && run.failsFast {
      hasEnded = true
      run.settings.control.stop()
    }
    printUnreadable(before: number)
    for view in run.views { output.line(view(result)) }
    let detail = TextReport.detail(for: result)
    if !run.isQuiet || detail != nil { output.line(run.text.line(for: result)) }
    if let detail { output.line(detail + "\n") }
    output.progress(BatchRun.Progress(done: summary.cases, total: chosen.own.count, failed: summary.problems))
    return true
  }

  /// Prints the files that cannot be used before a number, or to the end, and takes them off the list.
  private mutating func printUnreadable(before number: Int? = nil) {
    let files = unreadable.prefix { $0.file.number < number ?? .max }
    unreadable = unreadable.dropFirst(files.count)
    summary.unreadable += files.count
    for case (let file, let text?) in files {
      output.line(run.text.line(forUnreadable: file.path))
      output.error(text + "\n")
    }
  }

  /// Prints the end of the report.
  /// - Parameter remaining: The first case that was not run, if the run was stopped.
  mutating func end(remaining: Scenario?, results: [CaseResult]) -> RunSummary {
    if !hasEnded, !run.settings.control.isInterrupted { printUnreadable() }
    if run.slowest > 0 { printSlowest(of: results) }
    if summary.cases > 1, !problems.isEmpty {
      output.line("")
      for problem in problems { run.text.reminder(of: problem).map(output.line) }
      output.line("")
    }
    if let remaining, run.settings.control.isInterrupted {
      output.line(
        "INTERRUPTED after \(summary.cases) of \(chosen.own.count), in "
          + SourceText.visible("\(remaining.path)  \(remaining.name)"))
    } else if summary.cases < chosen.own.count {
      output.line("stopped after \(summary.cases) of \(chosen.own.count)")
    }
    let opinions =
      run.settings.crossCheck == nil ? "" : "; \(results.compactMap(\.crossCheckTally).reduce(CrossCheckTally(), +))"
    output.line(summary.text + opinions)
    return summary
  }

  private func printSlowest(of results: [CaseResult]) {
    // The order of equal durations is that of the files.
    let slowest = results.enumerated().sorted { ($1.element.duration, $0.offset) < ($0.element.duration, $1.offset) }
    output.line("")
    for (_, result) in slowest.prefix(run.slowest) {
      let milliseconds = result.duration / .milliseconds(1)
      let time = "\(Int(milliseconds.rounded())) ms"
      output.line(
        time.leftPadded(to: 9) + "  " + SourceText.visible("\(result.scenario.path)  \(result.scenario.name)"))
    }
    output.line("")
  }
}
