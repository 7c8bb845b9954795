import Checks
import LocatedYAML
import Reports
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// One run of the command `run`: reads files, runs their cases, reports, and chooses the exit code.
public struct BatchRun: Sendable {
  /// Paths of scenario files and folders.
  public var paths: [String]
  /// The cases to run.
  public var selection = CaseSelection()
  /// The way in which they run. As many files are read at the same time as worlds run.
  public var settings = RunSettings()
  /// Ends with the first case, in order, that fails or is undecided.
  public var failsFast = false
  /// Leaves out the lines of cases that went as they must.
  public var isQuiet = false
  /// The number of slowest cases to name at the end.
  public var slowest = 0
  /// Folder for traces.
  public var traceFolder: String?
  /// Makes the page of a case that failed or is undecided, beside its trace; nil for no pages.
  public var tracePage: (@Sendable (CaseResult) throws -> String)?
  /// Makes, for each run, what compares a case with its kept trace: it returns the result with a difference as its failure.
  /// Nil for no comparison.
  public var golden: (@Sendable () -> @Sendable (CaseResult) -> CaseResult)?
  /// Further views of each case, printed before its line.
  public var views: [@Sendable (CaseResult) -> String] = []
  /// Reports to write.
  public var reports: [ReportOrder] = []
  /// Files that the run reads beside its scenarios: earlier reports, kept traces.
  public var inputs: [String] = []
  /// The lines of cases.
  public var text = TextReport()

  /// The streams that a run prints to.
  public struct Output: Sendable {
    /// Takes each text for standard output, without its line end.
    let line: @Sendable (String) -> Void
    /// Takes each text for standard error.
    let error: @Sendable (String) -> Void
    /// Takes the state of the run after each case.
    let progress: @Sendable (Progress) -> Void

    /// Creates an output.
    public init(
      line: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
      progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) {
      self.line = line
      self.error = error
      self.progress = progress
    }
  }

  /// The state of a run.
  public struct Progress: Sendable, Equatable {
    /// Cases that were reported.
    public let done: Int
    /// All cases.
    public let total: Int
    /// Reported cases that failed or are undecided, and files that cannot be used.
    public let failed: Int
  }

  /// A run of some paths.
  public init(paths: [String]) { self.paths = paths }

  /// Prints the chosen cases in their order, a line each: path, name and tags.
  public func list(_ output: Output) -> RunReport.Verdict {
    let files = FilesOfRun(paths: paths, threads: settings.jobs)
    for line in files.passedOverLines { output.error(line) }
    let chosen = ChosenCases(of: files, for: self)
    for problems in [files.pathProblems, chosen.gone] where !problems.isEmpty { output.error(problems.rendered()) }
    var rows = chosen.own.map { number, scenario in
      let tags = scenario.tags.isEmpty ? "" : "  [\(scenario.tags.joined(separator: ", "))]"
      return (number, SourceText.visible("\(scenario.path)  \(scenario.name)\(tags)"), String?.none)
    }
    for case (let file, let problems?) in chosen.unreadable {
      rows.append((file.number, text.line(forUnreadable: file.path), problems))
    }
    for (_, line, problems) in rows.sorted(by: { $0.0 < $1.0 }) {
      output.line(line)
      problems.map(output.error)
    }
    return chosen.unreadable.isEmpty ? .passed : .undecided
  }

  /// Runs the cases and prints their results.
  public func run(_ output: Output) -> RunReport.Verdict {
    run(FilesOfRun(paths: paths, threads: settings.jobs), output).verdict
  }

  /// Runs the cases of files and prints their results.
  func run(_ files: FilesOfRun, _ output: Output) -> (verdict: RunReport.Verdict, results: [CaseResult]) {
    func undecided(_ problem: String) -> (verdict: RunReport.Verdict, results: [CaseResult]) {
      output.error(problem)
      return (.undecided, [])
    }
    let chosen = ChosenCases(of: files, for: self)
    let scenarios = chosen.own.map(\.scenario)
    for line in files.passedOverLines { output.error(line) }
    for problems in [files.pathProblems, chosen.gone] where !problems.isEmpty {
      output.error(problems.rendered() + "\n")
    }
    if let problem = scenarios.lazy.compactMap(ScenarioRun.obstacle).first { return undecided(problem) }
    let tracer: TraceFolder?
    do { tracer = try traceFolder.map { try TraceFolder($0, page: tracePage) } } catch {
      return undecided("the folder for traces cannot be made: \(traceFolder ?? "")")
    }
    // After everything that may end the run before its first case: a stream of events that begins has an end.
    let recorder: RunRecorder
    do { recorder = try RunRecorder(self, chosen) } catch { return undecided("\(error)") }
    // A result is reported before the next one, but each on the thread of some case.
    let sinks = Mutex(
      (
        report: OrderedReport(chosen, run: self, output: output), recorder: recorder, tracer: tracer,
        results: [(index: Int, result: CaseResult)]()
      ))
    var plan = RunPlan(scenarios: scenarios, settings, keepsJournals: false)
    plan.started = { recorder.start(chosen.own[$0]) }
    let golden = golden?()
    _ = plan.run { index, result in
      let (result, number) = (golden?(result) ?? result, chosen.own[index].number)
      sinks.withLock { sinks in
        sinks.results.append((index, result.withoutJournal))
        guard sinks.report.add(result, number: number) else { return }
        sinks.recorder.end(result, number: number, files: sinks.tracer?.write(result))
      }
    }
    var (report, ended, traces, found) = sinks.withLock { $0 }
    let results = found.map(\.result)
    // A case that was interrupted may be followed by one that another thread ended.
    let missing = zip(0..., found).first { $0 != $1.index }?.0 ?? found.count
    let summary = report.end(remaining: missing < scenarios.count ? scenarios[missing] : nil, results: results)
    let isComplete = summary.cases == scenarios.count
    let isInterrupted = settings.control.isInterrupted
    do { try ended.end(isInterrupted ? .interrupted : isComplete ? nil : .failFast) } catch {
      return undecided("\(error)")
    }
    if let problem = traces?.problem { return undecided(problem) }
    if files.scenarios.isEmpty { return (.undecided, []) }
    if scenarios.isEmpty && (selection.shard == nil || chosen.count == 0) {
      return undecided("no case is chosen: none of \(files.scenarios.count) fits '\(selection.words)'")
    }
    return (isInterrupted ? .undecided : summary.verdict, results)
  }
}
