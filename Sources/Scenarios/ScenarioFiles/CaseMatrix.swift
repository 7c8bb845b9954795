import LocatedYAML

/// The cases of a file: one, the entries of its matrix, or every combination of the entries of its axes.
struct CaseMatrix {
  /// The entries of a matrix that make a case.
  struct Combination {
    /// The name; nil for a file without a matrix.
    var name: String?
    /// An entry of each axis, in the order of the axes.
    var entries: [SourceNode] = []
  }

  /// The maximum number of combinations: 1000. More take a minute to run, and no one reads their names.
  static let maximumCombinations = 1_000

  let combinations: [Combination]

  /// Reads the matrix of a file; nil for a file without one.
  init(_ matrix: SourceNode?, _ problems: ProblemCollector) {
    guard let matrix else {
      combinations = [Combination()]
      return
    }
    guard case .mapping(let axes) = matrix.content else {
      combinations = Self.entries(matrix, of: "matrix", problems)
      return
    }
    if axes.isEmpty { problems.report(SourceProblem(.missingKey, "the matrix has no axis", at: matrix.position)) }
    var found = [Combination()]
    for axis in axes {
      let entries = Self.entries(axis.value, of: "axis", problems)
      guard found.count * max(1, entries.count) <= Self.maximumCombinations else {
        problems.report(
          SourceProblem(
            .tooLarge, "the axes have more than \(Self.maximumCombinations) combinations", at: axis.key.position))
        break
      }
      found = found.flatMap { combination in
        entries.map { entry in
          Combination(
            name: [combination.name, entry.name].compactMap(\.self).joined(separator: ", "),
            entries: combination.entries + entry.entries)
        }
      }
    }
    combinations = found
  }

  /// The entries of a matrix or of one axis.
  private static func entries(_ list: SourceNode, of noun: String, _ problems: ProblemCollector) -> [Combination] {
    let entries = problems.attempt(list, { try $0.sequence() }) ?? []
    if case .sequence([]) = list.content {
      problems.report(SourceProblem(.missingKey, "the \(noun) has no entry", at: list.position))
    }
    var names: Set<String> = []
    return entries.compactMap { entry in
      guard let node = entry["case"] else {
        problems.report(
          SourceProblem(.missingKey, "the key 'case' is missing in this entry of the matrix", at: entry.position))
        return nil
      }
      guard let name = problems.attempt(node, { try $0.string() }) else { return nil }
      if !names.insert(name).inserted {
        problems.report(
          SourceProblem(.duplicateKey, "two cases are called \(SourceText.quote(name))", at: entry.position))
      }
      return Combination(name: name, entries: [entry])
    }
  }
}
