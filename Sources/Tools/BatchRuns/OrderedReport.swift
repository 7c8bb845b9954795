import Checks
import LocatedYAML
import Reports
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// Prints results in the order of the files, with a line for each file that cannot be used where its cases would be.
final class OrderedReport: Sendable {
  private struct State {
    var summary = RunSummary()
    /// Files that cannot be used and were not printed yet.
    var unreadable: ArraySlice<ChosenCases.Unreadable>
    var problems: [CaseResult] = []
    var hasEnded = false
  }

  private let state: Mutex<State>
  private let run: BatchRun
  private let chosen: ChosenCases
  private let output: BatchRun.Output

  init(_ chosen: ChosenCases, run: BatchRun, output: BatchRun.Output) {
    let unreadable = chosen.unreadable.filter { $0.text != nil }
    var summary = RunSummary()
    summary.unreadable = chosen.unreadable.count - unreadable.count
    state = Mutex(State(summary: summary, unreadable: unreadable[...]))
    self.run = run
    self.chosen = chosen
    self.output = output
  }

  /// Reports a case with its number. Returns false if the run had ended before it.
  func add(_ result: CaseResult, number: Int) -> Bool {
    let (hasEnded, unreadable) = state.withLock { state -> (Bool, ArraySlice<ChosenCases.Unreadable>) in
      if state.hasEnded { return (true, []) }
      state.summary.add(result.outcome.verdict)
      if result.isBad { state.problems.append(result.withoutJournal) }
      if result.isBad && run.failsFast {
        state.hasEnded = true
        run.settings.control.stop()
      }
      return (false, Self.take(&state, before: number))
    }
    if hasEnded { return false }
    printUnreadable(unreadable)
    for view in run.views { output.line(view(result)) }
    let detail = TextReport.detail(for: result)
    if !run.isQuiet || detail != nil { output.line(run.text.line(for: result)) }
    if let detail { output.line(detail + "\n") }
    output.progress(progress)
    return true
  }

  private var progress: BatchRun.Progress {
    let summary = state.withLock { $0.summary }
    return BatchRun.Progress(done: summary.cases, total: chosen.own.count, failed: summary.problems)
  }

  /// The files that cannot be used before a number, or to the end; they are taken off the list.
  private static func take(_ state: inout State, before number: Int?) -> ArraySlice<ChosenCases.Unreadable> {
    let taken = state.unreadable.prefix { $0.file.number < number ?? .max }
    state.unreadable = state.unreadable.dropFirst(taken.count)
    state.summary.unreadable += taken.count
    return taken
  }

  private func printUnreadable(_ files: ArraySlice<ChosenCases.Unreadable>) {
    for case (let file, let text?) in files {
      output.line(run.text.line(forUnreadable: file.path))
      output.error(text + "\n")
    }
  }

  /// Prints the end of the report.
  /// - Parameter remaining: the first case that was not run, if the run was stopped.
  func end(remaining: Scenario?, results: [CaseResult]) -> RunSummary {
    let hasEnded = state.withLock { $0.hasEnded } || run.settings.control.isInterrupted
    printUnreadable(hasEnded ? [] : state.withLock { Self.take(&$0, before: nil) })
    let (summary, problems) = state.withLock { ($0.summary, $0.problems) }
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
        String(repeating: " ", count: max(0, 9 - time.count)) + time + "  "
          + SourceText.visible("\(result.scenario.path)  \(result.scenario.name)"))
    }
    output.line("")
  }
}
