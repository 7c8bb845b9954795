import Checks
import LocatedYAML
import Reports
import ScenarioLanguage
import ScenarioRunner
import Vocabulary

/// One run of the command `run`: reads files, runs their cases, reports, and chooses the exit code.
public struct BatchRun: Sendable {
  /// Paths of scenario files and folders.
  public var paths: [String]
  /// The cases to run.
  public var selection = CaseSelection()
  /// Seed of every world instead of the scenarios' own.
  public var seed: UInt64?
  /// Seeds under each of which every case runs, instead of one; nil for one.
  public var seeds: SeedRange?
  /// The place where the sandbox of every device parses requests, in place of the scenarios' own.
  public var sandbox: WorldDescription.SandboxPlace?
  /// The number of threads: of files that are read, and then of worlds that run, at the same time.
  public var jobs = 1
  /// How often each case runs.
  public var repetitions = 1
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
  /// Another implementation that checks every signature and certificate chain again; nil for none.
  public var crossCheck: CrossCheckLedger.Comparison?
  /// The part of the cases that this machine runs; nil for all.
  public var shard: Shard?
  /// The times of cases in an earlier run, to balance shards by.
  public var durations: [CaseIdentity: ReportedTime] = [:]
  /// Reports to write.
  public var reports: [ReportOrder] = []
  /// Ends the run, or one of its cases, early.
  public var control = RunControl()
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
    let files = ScenarioFiles(paths: paths, threads: jobs)
    for line in files.passedOverLines { output.error(line) }
    if !files.pathProblems.isEmpty { output.error(files.pathProblems.rendered()) }
    var isWhole = files.pathProblems.isEmpty
    let places = Set(places(of: files.scenarios.filter(selection.contains)))
    var place = 0
    for entry in files.entries {
      switch entry {
      case .unreadable(let path, _, let problems):
        isWhole = false
        output.line(text.line(forUnreadable: path))
        output.error(problems)
      case .cases(let cases):
        for scenario in cases where selection.contains(scenario) {
          defer { place += 1 }
          guard places.contains(place) else { continue }
          let tags = scenario.tags.isEmpty ? "" : "  [\(scenario.tags.joined(separator: ", "))]"
          output.line(SourceText.visible("\(scenario.path)  \(scenario.name)\(tags)"))
        }
      }
    }
    return isWhole ? .passed : .undecided
  }

  /// The places of this machine's cases in a list of the chosen ones of all machines.
  func places(of chosen: [Scenario]) -> [Int] {
    shard?.places(of: chosen.map(CaseIdentity.init), durations: durations) ?? Array(chosen.indices)
  }

  /// Runs the cases and prints their results.
  public func run(_ output: Output) -> RunReport.Verdict {
    run(ScenarioFiles(paths: paths, threads: jobs), output).verdict
  }

  /// Runs the cases of files and prints their results.
  func run(_ files: ScenarioFiles, _ output: Output) -> (verdict: RunReport.Verdict, results: [CaseResult]) {
    let recorder: RunRecorder
    do {
      recorder = try RunRecorder(self, files)
    } catch {
      output.error("\(error)")
      return (.undecided, [])
    }
    let scenarios = recorder.scenarios
    for line in files.passedOverLines { output.error(line) }
    let unreadable = files.pathProblems.problems.count
    if !files.pathProblems.isEmpty { output.error(files.pathProblems.rendered() + "\n") }
    if let problem = scenarios.lazy.compactMap(ScenarioRun.obstacle).first {
      output.error(problem)
      return (.undecided, [])
    }
    let tracer: TraceFolder?
    do {
      tracer = try traceFolder.map { try TraceFolder($0, page: tracePage) }
    } catch {
      output.error("the folder for traces cannot be made: \(traceFolder ?? "")")
      return (.undecided, [])
    }
    let report = OrderedReport(files: files, total: scenarios.count, unreadable: unreadable, run: self, output: output)
    var plan = RunPlan(scenarios: scenarios, seed: seed, jobs: jobs, keepsJournals: false, crossCheck: crossCheck)
    plan.repetitions = repetitions
    plan.seeds = seeds
    plan.control = control
    plan.started = { recorder.start($0) }
    let golden = golden?()
    let results = plan.run { result in
      let result = golden?(result) ?? result
      guard report.add(result) else { return }
      recorder.end(result, files: tracer?.write(result))
    }
    let summary = report.end(
      remaining: scenarios.count > results.count ? scenarios[results.count] : nil, results: results)
    let isComplete = summary.cases == scenarios.count
    do {
      try recorder.end(control.isInterrupted ? .interrupted : isComplete ? nil : .failFast)
    } catch {
      output.error("\(error)")
      return (.undecided, [])
    }
    if let problem = tracer?.problem {
      output.error(problem)
      return (.undecided, [])
    }
    if files.scenarios.isEmpty || scenarios.isEmpty && (shard == nil || recorder.entries == 0) {
      if !files.scenarios.isEmpty {
        output.error("no case is chosen: none of \(files.scenarios.count) fits '\(selection.words)'")
      }
      return (.undecided, [])
    }
    return (control.isInterrupted ? .undecided : summary.verdict, results)
  }
}
