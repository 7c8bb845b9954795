import LocatedYAML
import ScenarioLanguage
import ScenarioRunner

/// The scenario files of a run in their order, as they were read.
struct ScenarioFiles: Sendable {
  /// A file, or a path that names none.
  enum Entry: Sendable {
    /// The cases of a file.
    case cases([Scenario])
    /// A file that cannot be used, and why.
    case unreadable(path: String, problems: ProblemCollector)
  }

  let entries: [Entry]
  /// The problems of paths that name no file.
  let pathProblems: ProblemCollector

  /// Finds and reads the files of some paths.
  /// - Parameter threads: the number of threads that read.
  init(paths: [String], threads: Int) {
    let finding = ProblemCollector()
    let files = ScenarioFinder.files(at: paths, finding)
    self.init(reading: files, finding, threads: threads)
  }

  /// Reads some files.
  init(reading files: [String], _ finding: ProblemCollector = ProblemCollector(), threads: Int) {
    pathProblems = finding
    let board = WorkBoard<Entry>(count: files.count)
    entries = board.run(threads: min(threads, files.count)) { board in
      var worlds = WorldSources()
      while board.next({ number in
        let problems = ProblemCollector()
        guard let cases = ScenarioReader.read(files[number], worlds: &worlds, problems) else {
          return .unreadable(path: files[number], problems: problems)
        }
        return .cases(cases)
      }) {}
    }
  }

  /// The cases that can be run.
  var scenarios: [Scenario] {
    entries.flatMap { entry -> [Scenario] in
      if case .cases(let cases) = entry { return cases }
      return []
    }
  }
}
