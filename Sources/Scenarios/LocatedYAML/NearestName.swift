/// Finds the intended name for a misspelt one.
public enum NearestName {
  /// The known name nearest to the one written, if one is near. Of several equally near, the first known.
  ///
  /// Capitals, and hyphen, underscore and space, count as the same; a swap of two neighbours counts as one change. Long
  /// names may differ more.
  public static func of(_ written: String, in known: [String]) -> String? {
    let target = normal(written)
    guard !target.isEmpty, target.count <= SourceLimits.comparedScalars else { return nil }
    let allowed = min(3, target.count / 3)
    var best: (name: String, distance: Int)?
    for name in known {
      let candidate = normal(name)
      guard candidate.count <= SourceLimits.comparedScalars else { continue }
      let distance = distance(target, candidate)
      guard distance <= allowed, distance < best?.distance ?? .max else { continue }
      best = (name, distance)
    }
    return best?.name
  }

  /// Names for a message: `'a', 'b' and 3 more`.
  public static func list(_ names: [String]) -> String {
    let listed = names.prefix(SourceLimits.listedNames).map { SourceText.quote($0) }.joined(separator: ", ")
    let rest = names.count - SourceLimits.listedNames
    return rest > 0 ? "\(listed) and \(rest) more" : listed
  }

  private static func normal(_ name: String) -> [Unicode.Scalar] {
    let start = String(name.unicodeScalars.prefix(SourceLimits.comparedScalars + 1))
    return start.lowercased().unicodeScalars.map { $0 == "_" || $0 == " " ? "-" : $0 }
  }

  /// The optimal string alignment distance: insertions, deletions, replacements, and swaps of neighbours.
  private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (row, character) in first.enumerated() {
      var current = [row + 1]
      for (column, other) in second.enumerated() {
        var cost = min(last[column + 1], current[column]) + 1
        cost = min(cost, last[column] + (character == other ? 0 : 1))
        if row > 0, column > 0, character == second[column - 1], first[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[second.count]
  }
}
