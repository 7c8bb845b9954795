import Checks
import Ecosystem
import Foundation
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
  /// The number of threads: of files that are read, and then of worlds that run, at the same time.
  public var jobs = 1
  /// Folder for traces.
  public var traceFolder: String?
  /// Only cases whose path or name contains this.
  public var filter: String?
  /// Only cases of exactly this name in the matrix of their file.
  public var caseName: String?
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
    if let problem = scenarios.lazy.compactMap(ScenarioRun.obstacle).first {
      errors(problem)
      return .undecided
    }
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
    let board = WorkBoard<(cases: [Scenario]?, problems: ProblemCollector)>(count: files.count)
    let contents = board.run(threads: min(jobs, files.count)) { board in
      var worlds = WorldSources()
      while board.next({ number in
        let problems = ProblemCollector()
        return (ScenarioReader.read(files[number], worlds: &worlds, problems), problems)
      }) {}
    }
    var scenarios: [Scenario] = []
    for (cases, problems) in contents {
      if let cases {
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
    if let caseName {
      scenarios = scenarios.filter { $0.caseName == caseName }
      if scenarios.isEmpty {
        unread += 1
        errors("no case is called \(SourceText.quote(caseName))\n")
      }
    }
    return (scenarios, unread)
  }
}

/// Results of cases as lines of text.
public enum TextReport {
  /// A line for a case.
  public static func line(for result: CaseResult) -> String {
    let word =
      switch result.outcome {
      case .passed: "passed"
      case .failed: "FAILED"
      case .undecided: "UNDECIDED"
      case .skipped: "skipped"
      case .failedAsExpected: "failed as expected"
      }
    return "\(word)  \(SourceText.visible(result.scenario.path))  \(SourceText.visible(result.scenario.name))"
  }

  /// The cross-check of some cases as one line.
  public static func crossCheck(of results: [CaseResult]) -> String {
    results.compactMap(\.crossCheckTally).reduce(CrossCheckTally(), +).description
  }

  /// The failure, or nil for a case that passed.
  public static func detail(for result: CaseResult) -> String? {
    switch result.outcome {
    case .passed, .skipped, .failedAsExpected: nil
    case .failed(let failure): failure.rendered(for: result)
    case .undecided(let message):
      "   \(message)\n   again: \(result.command)"
    }
  }
}

/// Writes the journals of cases into a folder, a file for each case.
public final class TraceFolder: Sendable {
  private let folder: URL
  private let firstProblem = Mutex<String?>(nil)
  private let written = Mutex<[String: Int]>([:])

  /// Creates the folder if it is missing.
  /// - Throws: an error if it cannot be made.
  public init(_ path: String) throws {
    folder = URL(fileURLWithPath: path, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The first error of writing a file, or nil.
  public var problem: String? { firstProblem.withLock { $0 } }

  /// Writes the journal of a case.
  public func write(_ result: CaseResult) {
    let stem = result.scenario.fileStem
    // Different cases with the same file name get different numbers; cases come in the order of the run.
    let number = written.withLock { written in
      written[stem, default: 0] += 1
      return written[stem, default: 1]
    }
    let name = number == 1 ? stem : "\(stem)~\(number)"
    let file = folder.appendingPathComponent(name + ".trace.jsonl")
    do {
      try Data(result.journal.trace()).write(to: file)
    } catch {
      firstProblem.withLock { $0 = $0 ?? "the trace \(file.path) cannot be written: \(error.localizedDescription)" }
    }
  }
}
