import LocatedYAML

/// The tree of one case of a file: the file's keys with those of the entries of its matrix.
struct CaseSource {
  /// The name of the case; nil for a file without a matrix.
  let name: String?
  /// The keys, without the matrix and the changes.
  let root: SourceNode
  /// The changes to the world, to be made one after the other, so that an entry can take away what the file adds.
  var changes: [SourceNode]

  init(of file: SourceNode, _ combination: CaseMatrix.Combination) {
    name = combination.name
    let ownKeys = file.without("matrix", "changes")
    root = combination.entries.reduce(ownKeys) { $0.merging($1.without("case", "changes")) }
    changes = [file["changes"]].compactMap(\.self) + combination.entries.compactMap { $0["changes"] }
  }
}

/// The problems of one case of a file.
struct CaseProblems {
  let source: CaseSource
  let problems: ProblemCollector

  /// Reports the problems of a file's cases, each one once, with the cases that have it.
  ///
  /// - Parameters:
  ///   - count: The number of cases of the file.
  ///   - path: Path of the file.
  static func report(_ found: [CaseProblems], ofCases count: Int, path: String, to problems: ProblemCollector) {
    var cases: [SourceProblem: Int] = [:]
    for one in found {
      for problem in one.problems.problems { cases[problem, default: 0] += 1 }
    }
    for one in found {
      problems.absorb(one.problems) { problem in
        one.uses(of: problem, isInEveryCase: cases[problem] == count, path: path)
      }
    }
  }

  /// The places of a problem in the scenario: its world and changes if it is in another file, and its case.
  private func uses(of problem: SourceProblem, isInEveryCase: Bool, path: String) -> [String] {
    let named = isInEveryCase ? nil : source.name.map { "the case \(SourceText.quote($0))" }
    guard problem.path != path, problem.uses.isEmpty else { return named.map { ["in \($0)"] } ?? [] }
    let place = (source.root["world"] ?? source.root).position
    let changed = source.changes.map { "\($0.position)" }.joined(separator: " and ")
    let parts = ["in \(place)", named, changed.isEmpty ? nil : "changed at \(changed)"]
    return [parts.compactMap(\.self).joined(separator: ", ")]
  }
}
