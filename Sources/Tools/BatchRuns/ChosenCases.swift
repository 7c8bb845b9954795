import LocatedYAML
import Reports
import ScenarioLanguage
import ScenarioRunner

/// The chosen cases of a run and its unreadable files, with their numbers: the places among both, over all shards.
struct ChosenCases: Sendable {
  /// An unreadable file, and the text that is printed with it; nil for a path that names no file.
  typealias Unreadable = (file: UnreadableFile, text: String?)

  /// A case with its number.
  typealias Numbered = (number: Int, scenario: Scenario)

  /// Cases of an earlier report that are to run again, and are in no file any more.
  let gone: ProblemCollector
  /// The cases of all machines.
  private(set) var all: [Numbered] = []
  /// The unreadable files.
  private(set) var unreadable: [Unreadable] = []
  /// The cases of this machine.
  private(set) var own: [Numbered] = []
  /// The paths of all files that were read.
  let inputs: Set<String>

  /// Chooses and numbers the cases of files.
  init(of files: FilesOfRun, for run: BatchRun) {
    inputs = files.inputs
    gone = run.selection.gone(from: files)
    for problem in files.pathProblems.problems + gone.problems {
      unreadable.append((UnreadableFile([problem], path: problem.path, number: count + 1), nil))
    }
    for entry in files.entries {
      switch entry {
      case .unreadable(let path, let problems, let text):
        unreadable.append((UnreadableFile(problems, path: path, number: count + 1), text))
      case .cases(let cases):
        for scenario in cases where run.selection.contains(scenario) {
          all.append((count + 1, run.settings.applied(to: scenario)))
        }
      }
    }
    let places = run.selection.shard?.places(
      of: all.map { CaseIdentity($0.scenario) }, durations: run.selection.durations)
    own = places?.map { all[$0] } ?? all
  }

  /// The number of cases and unreadable files, over all shards.
  var count: Int { all.count + unreadable.count }
}
