/// Reads a mapping whose keys are known words: the cases of `Key`, in the order for lists of them.
///
/// ```swift
/// enum ConsentKey: String, CaseIterable { case requester, asks, retains }
/// guard let consent = MappingReader<ConsentKey>(node, problems) else { return nil }
/// let requester = consent.required(.requester) { try $0.string() }
/// let retains = consent.optional(.retains) { try $0.sequence() }
/// ```
///
/// Problems are collected and reading continues, so that one run finds all of them.
public struct MappingReader<Key: RawRepresentable<String> & CaseIterable>: Sendable {
  /// The position of the mapping.
  public let position: SourcePosition
  /// The collector that problems go to.
  public let problems: ProblemCollector
  private let entries: [String: SourceNode.Entry]

  /// Creates a reader of a mapping, and reports each key outside the cases of `Key` as `source.unknown-key`.
  ///
  /// Returns nil, and reports `source.wrong-type`, when the value is not a mapping.
  public init?(_ node: SourceNode, _ problems: ProblemCollector) {
    guard let entries = problems.attempt(node, { try $0.mapping() }) else { return nil }
    let names = Key.allCases.map(\.rawValue)
    for entry in entries where Key(rawValue: entry.key.value) == nil {
      problems.report(.unknownKey(entry.key, known: names))
    }
    self.entries = Dictionary(entries.map { ($0.key.value, $0) }) { first, _ in first }
    self.position = node.position
    self.problems = problems
  }

  /// The value of a key, or nil if it is missing.
  public subscript(key: Key) -> SourceNode? { entries[key.rawValue]?.value }

  /// The value that `read` returns for a key. Nil, with a problem reported, when the key is missing or `read` throws.
  public func required<Value>(_ key: Key, _ read: (SourceNode) throws -> Value?) -> Value? {
    guard let node = self[key] else {
      problems.report(missing(key))
      return nil
    }
    return problems.attempt(node, read)
  }

  /// The value that `read` returns for a key. Nil when the key is missing; nil, with a problem reported, when `read`
  /// throws.
  ///
  /// A key with nothing after it is not missing: `read` gets it, and refuses it if it cannot be empty.
  public func optional<Value>(_ key: Key, _ read: (SourceNode) throws -> Value?) -> Value? {
    self[key].flatMap { problems.attempt($0, read) }
  }

  /// Like `optional`, with a default value for a missing key or after `read` throws.
  public func optional<Value>(
    _ key: Key, default value: Value, _ read: (SourceNode) throws -> Value?
  ) -> Value {
    optional(key, read) ?? value
  }

  private func missing(_ key: Key) -> SourceProblem {
    SourceProblem(.missingKey, "the key \(SourceText.quote(key.rawValue)) is missing in this mapping", at: position)
  }
}

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
