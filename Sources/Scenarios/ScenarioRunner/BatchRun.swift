import Checks
import Ecosystem
import LocatedYAML
import MobileDocument
import ScenarioLanguage
import Synchronization

/// One run of the command `run`: reads files, runs their cases, reports, and chooses the exit code.
public struct BatchRun: Sendable {
  /// Paths of scenario files and folders.
  public var paths: [String]
  /// Seed of every world instead of the scenarios' own.
  public var seed: UInt64?
  /// The place where the sandbox of every device parses requests, in place of the scenarios' own.
  public var sandbox: WorldDescription.SandboxPlace?
  /// The number of worlds that run at the same time.
  public var jobs = 1
  /// Folder for traces.
  public var traceFolder: String?
  /// Only cases whose path or name contains this.
  public var filter: String?
  /// Further views of each case, printed before its line.
  public var views: [@Sendable (CaseResult) -> String] = []
  /// Another implementation that checks every signature and certificate chain again; nil for none.
  public var crossCheck: CrossCheckLedger.Comparison?

  /// The result of a run, as the command's exit code.
  public enum Verdict: Int32, Sendable {
    /// All as expected.
    case passed = 0
    /// An expectation failed.
    case failed = 1
    /// A file could not be read, or a run could not decide.
    case undecided = 2
  }

  /// A run of some paths.
  public init(paths: [String]) { self.paths = paths }

  /// Runs the cases and prints their results.
  ///
  /// - Parameters:
  ///   - output: takes each text for standard output, without its line end.
  ///   - errors: takes each text for standard error.
  public func run(output: @escaping @Sendable (String) -> Void, errors: (String) -> Void) -> Verdict {
    let (scenarios, unread) = read(errors: errors)
    let tracer: TraceFolder?
    do {
      tracer = try traceFolder.map(TraceFolder.init)
    } catch {
      errors("the folder for traces cannot be made: \(traceFolder ?? "")")
      return .undecided
    }
    let plan = RunPlan(
      scenarios: scenarios, seed: seed, jobs: jobs, keepsJournals: false, crossCheck: crossCheck)
    let views = views
    let results = plan.run { result in
      for view in views { output(view(result)) }
      output(TextReport.line(for: result))
      if let detail = TextReport.detail(for: result) { output(detail + "\n") }
      tracer?.write(result)
    }
    let passed = results.count(where: \.isPassed)
    let opinions = crossCheck == nil ? "" : "; " + TextReport.crossCheck(of: results)
    output("\(passed) passed, \(results.count - passed + unread) failed\(opinions)")
    if let problem = tracer?.problem {
      errors(problem)
      return .undecided
    }
    if unread > 0 || results.isEmpty || results.contains(where: \.isUndecided) { return .undecided }
    return passed == results.count ? .passed : .failed
  }

  /// The cases to run, and the number of paths or files with problems.
  private func read(errors: (String) -> Void) -> ([Scenario], unread: Int) {
    let finding = ProblemCollector()
    let files = ScenarioFinder.files(at: paths, finding)
    var unread = finding.problems.count
    if !finding.isEmpty { errors(finding.rendered() + "\n") }
    var scenarios: [Scenario] = []
    var worlds = WorldSources()
    for file in files {
      let problems = ProblemCollector()
      if let cases = ScenarioReader.read(file, worlds: &worlds, problems) {
        scenarios += cases.map { scenario in sandbox.map(scenario.parsing) ?? scenario }
      } else {
        unread += 1
        errors(problems.rendered() + "\n")
      }
    }
    if let filter {
      scenarios = scenarios.filter { $0.path.contains(filter) || $0.name.contains(filter) }
      if scenarios.isEmpty {
        unread += 1
        errors("no case has \(SourceText.quote(filter)) in its path or name\n")
      }
    }
    return (scenarios, unread)
  }
}
