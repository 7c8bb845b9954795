import Foundation
import LocatedYAML
import Primitives
import Reports
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner

/// A run that goes on: whenever a file is saved, the cases that it touches run again.
public struct WatchRun: Sendable {
  private let batch: BatchRun
  /// The failures that are known now, by their file.
  private var failures: [String: [String]] = [:]
  private var watched: [String: WatchedFile] = [:]
  private var hasBegun = false
  /// The problems of paths that were printed last, so that a folder that stays away is not printed at each look.
  private var shownProblems = ""

  /// The time between two looks at the files.
  static let interval = 0.25

  /// Creates a watch over the files of a run.
  public init(_ batch: BatchRun) { self.batch = batch }

  /// Runs all cases, and then those of saved files until the run's control ends it.
  /// - Returns: The state at the end: passed if no failure is known.
  public mutating func run(_ output: BatchRun.Output) -> RunReport.Verdict {
    step(output)
    while !batch.settings.control.isStopped {
      Thread.sleep(forTimeInterval: Self.interval)
      step(output)
    }
    return failures.isEmpty ? .passed : .failed
  }

  /// Runs the cases of new files and of files that were saved since the last step, if there are any, and prints what is
  /// known to fail, also after a file was deleted.
  mutating func step(_ output: BatchRun.Output) {
    let finding = ProblemCollector()
    let files = ScenarioFinder.files(at: batch.paths, finding)
    let isFirst = !hasBegun
    hasBegun = true
    let problems = finding.rendered()
    if problems != shownProblems, !problems.isEmpty { output.error(problems) }
    shownProblems = problems
    let gone = watched.keys.filter { !files.contains($0) }.sorted()
    for file in gone {
      watched[file] = nil
      failures[file] = nil
    }
    let touched = files.filter { watched[$0]?.isUnchanged != true }
    guard !touched.isEmpty || !gone.isEmpty else { return }
    if !isFirst {
      let changes =
        gone.map { "deleted  " + SourceText.visible($0) } + touched.map { "saved  " + SourceText.visible($0) }
      output.line("\n" + changes.joined(separator: "\n"))
    }
    if !touched.isEmpty { runCases(of: touched, output) }
    let known = files.flatMap { failures[$0] ?? [] }
    let count = "watching \(files.count.counted("file"))"
    output.line(
      known.isEmpty
        ? "\(count): no failure is known"
        : "\(count), and these fail:\n" + known.map(SourceText.visible).joined(separator: "\n"))
  }

  private mutating func runCases(of touched: [String], _ output: BatchRun.Output) {
    // The state before the reading: what is saved meanwhile is found at the next step.
    for file in touched { watched[file] = WatchedFile(file, besides: watched[file]) }
    let read = FilesOfRun(reading: touched, threads: batch.settings.jobs)
    let results = batch.run(read, output).results
    for file in touched { failures[file] = nil }
    for case .unreadable(let path, _, _) in read.entries { failures[path, default: []].append("UNREADABLE  \(path)") }
    for result in results where result.isBad {
      failures[result.scenario.path, default: []].append(
        "\(result.outcome.verdict.words.uppercased())  \(result.scenario.path)  \(result.scenario.name)")
    }
  }
}

/// A scenario file with the worlds, flows and other files that it uses, as they were at a moment.
private struct WatchedFile: Sendable {
  private let states: [String: State]

  private struct State: Equatable {
    let modified: Date?
    let size: Int?

    init(of path: String) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      modified = attributes?[.modificationDate] as? Date
      size = (attributes?[.size] as? NSNumber)?.intValue
    }
  }

  /// Takes the state of a file and of those that it uses. An unreadable file may still use what it used before.
  init(_ path: String, besides earlier: WatchedFile?) {
    var worlds = WorldSources()
    // Only the paths are of interest here: problems are reported when the file is run.
    let cases = ScenarioReader.read(path, worlds: &worlds, ProblemCollector()) ?? []
    var states = [path: State(of: path)]
    if cases.isEmpty, let earlier { for path in earlier.states.keys { states[path] = State(of: path) } }
    for path in worlds.paths { states[path] = State(of: path) }
    for path in cases.flatMap(\.world.namedFiles).map(\.path) { states[path] = State(of: path) }
    self.states = states
  }

  /// True if no file was saved since.
  var isUnchanged: Bool { states.allSatisfy { State(of: $0.key) == $0.value } }
}
