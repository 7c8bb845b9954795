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
    /// Files that were not printed yet.
    var files: ArraySlice<ScenarioFiles.Entry>
    var problems: [CaseResult] = []
    var hasEnded = false
  }

  private let state: Mutex<State>
  private let run: BatchRun
  private let total: Int
  private let output: BatchRun.Output

  init(files: ScenarioFiles, total: Int, unreadable: Int, run: BatchRun, output: BatchRun.Output) {
    var summary = RunSummary()
    summary.unreadable = unreadable
    state = Mutex(State(summary: summary, files: files.entries[...]))
    self.run = run
    self.total = total
    self.output = output
  }

  /// Reports a case. Returns false if the run had ended before it.
  func add(_ result: CaseResult) -> Bool {
    let (hasEnded, unreadable) = state.withLock { state -> (Bool, [ScenarioFiles.Entry]) in
      if state.hasEnded { return (true, []) }
      state.summary.add(result.outcome.verdict)
      if result.isBad { state.problems.append(result.withoutJournal) }
      if result.isBad && run.failsFast {
        state.hasEnded = true
        run.control.stop()
      }
      return (false, Self.take(&state, upTo: result.scenario.path))
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
    return BatchRun.Progress(done: summary.cases, total: total, failed: summary.problems)
  }

  /// The files that cannot be used before the file of a path, or to the end; they are taken off the list.
  private static func take(_ state: inout State, upTo path: String?) -> [ScenarioFiles.Entry] {
    var taken: [ScenarioFiles.Entry] = []
    while let entry = state.files.first {
      switch entry {
      case .cases(let cases): if let path, cases.first?.path == path { return taken }
      case .unreadable:
        taken.append(entry)
        state.summary.unreadable += 1
      }
      state.files.removeFirst()
    }
    return taken
  }

  private func printUnreadable(_ entries: [ScenarioFiles.Entry]) {
    for case .unreadable(let path, _, let problems) in entries {
      output.line(run.text.line(forUnreadable: path))
      output.error(problems + "\n")
    }
  }

  /// Prints the end of the report.
  /// - Parameter remaining: the first case that was not run, if the run was stopped.
  func end(remaining: Scenario?, results: [CaseResult]) -> RunSummary {
    let hasEnded = state.withLock { $0.hasEnded } || run.control.isInterrupted
    printUnreadable(hasEnded ? [] : state.withLock { Self.take(&$0, upTo: nil) })
    let (summary, problems) = state.withLock { ($0.summary, $0.problems) }
    if run.slowest > 0 { printSlowest(of: results) }
    if summary.cases > 1, !problems.isEmpty {
      output.line("")
      for problem in problems { run.text.reminder(of: problem).map(output.line) }
      output.line("")
    }
    if let remaining, run.control.isInterrupted {
      output.line(
        "INTERRUPTED after \(summary.cases) of \(total), in "
          + SourceText.visible("\(remaining.path)  \(remaining.name)"))
    } else if summary.cases < total {
      output.line("stopped after \(summary.cases) of \(total)")
    }
    let opinions =
      run.crossCheck == nil ? "" : "; \(results.compactMap(\.crossCheckTally).reduce(CrossCheckTally(), +))"
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
