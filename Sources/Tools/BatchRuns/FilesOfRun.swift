import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// The scenario files of a run in their order, as they were read.
struct FilesOfRun: Sendable {
  /// A file, or a path that names none.
  enum Entry: Sendable {
    /// The cases of a file.
    case cases([Scenario])
    /// A file that cannot be used, why, and the problems that are printed with it: those that no file before it has.
    case unreadable(path: String, problems: ProblemCollector, text: String)
  }

  let entries: [Entry]
  /// The problems of paths that name no file.
  let pathProblems: ProblemCollector
  /// The paths of all files that were read, with worlds and flows.
  let inputs: Set<String>
  /// Files in folders that look like scenarios and are not read.
  let passedOver: [String]

  /// Finds and reads the files of some paths.
  /// - Parameter threads: The number of threads that read.
  init(paths: [String], threads: Int) {
    let finding = ProblemCollector()
    var passedOver: [String] = []
    let files = ScenarioFinder.files(at: paths, finding) { passedOver.append($0) }
    self.init(reading: files, finding, passedOver: passedOver, threads: threads)
  }

  /// Reads some files.
  init(
    reading files: [String], _ finding: ProblemCollector = ProblemCollector(), passedOver: [String] = [], threads: Int
  ) {
    pathProblems = finding
    self.passedOver = passedOver
    let board = WorkBoard<(cases: [Scenario]?, problems: ProblemCollector)>(count: files.count)
    let used = Mutex(Set(files))
    let contents = board.run(threads: min(threads, files.count)) { board in
      var worlds = WorldSources()
      while board.next({ number in
        let problems = ProblemCollector()
        return (ScenarioReader.read(files[number], worlds: &worlds, problems), problems)
      }) {}
      used.withLock { $0.formUnion(worlds.paths) }
    }
    inputs = used.withLock { $0 }
    // A problem of a world that many scenarios use is reported with the first of them.
    let problems = ProblemCollector.merged(contents.map { $0.cases == nil ? $0.problems : ProblemCollector() })
    entries = zip(files, zip(contents, problems)).map { path, content in
      if let cases = content.0.cases { return .cases(cases) }
      let text = content.1.isEmpty ? "\(SourceText.visible(path))  has a problem that is above" : content.1.rendered()
      return .unreadable(path: path, problems: content.0.problems, text: text)
    }
  }

  /// A line for each file that looks like a scenario and is not read.
  var passedOverLines: [String] {
    passedOver.map { "passed over, although it looks like a scenario: \(SourceText.visible($0))" }
  }

  /// The cases that can be run.
  var scenarios: [Scenario] {
    entries.flatMap { entry -> [Scenario] in
      if case .cases(let cases) = entry { return cases }
      return []
    }
  }
}
