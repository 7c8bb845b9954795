/// Reads a mapping whose keys are known words: the cases of `Key`, in the order in which they are to be listed.
///
/// ```swift
/// enum ConsentKey: String, CaseIterable { case requester, asks, retains }
/// guard let consent = MappingReader<ConsentKey>(node, problems) else { return nil }
/// let requester = consent.required(.requester) { try $0.string() }
/// let retains = consent.optional(.retains) { try $0.sequence() }
/// ```
///
/// Every problem goes to the collector and reading goes on, so that one look at a file finds all of them.
public struct MappingReader<Key: RawRepresentable<String> & CaseIterable>: Sendable {
  /// Where the mapping stands.
  public let position: SourcePosition
  /// The collector that problems go to.
  public let problems: ProblemCollector
  private let entries: [String: SourceNode.Entry]

  /// Takes a mapping and reports each key that is no case of `Key` as `source.unknown-key`.
  ///
  /// Returns nil, and reports `source.wrong-type`, when the value is no mapping.
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

  /// The value of a key, if it is there.
  public subscript(key: Key) -> SourceNode? { entries[key.rawValue]?.value }

  /// Where a key itself stands, if it is there.
  public func position(of key: Key) -> SourcePosition? { entries[key.rawValue]?.key.position }

  /// What `read` makes of the value of a key. Nil, and a problem reported, when the key is missing or `read` throws.
  public func required<Value>(_ key: Key, _ read: (SourceNode) throws -> Value?) -> Value? {
    guard let node = self[key] else {
      problems.report(missing(key))
      return nil
    }
    return problems.attempt(node, read)
  }

  /// What `read` makes of the value of a key. Nil when the key is missing; nil, and a problem reported, when `read`
  /// throws.
  ///
  /// A key that is there with nothing after it is not missing: `read` is asked, and refuses it if it cannot be empty.
  public func optional<Value>(_ key: Key, _ read: (SourceNode) throws -> Value?) -> Value? {
    self[key].flatMap { problems.attempt($0, read) }
  }

  /// As `optional`, with a value to go on with when the key is missing or `read` throws.
  public func optional<Value>(
    _ key: Key, default value: Value, _ read: (SourceNode) throws -> Value?
  ) -> Value {
    optional(key, read) ?? value
  }

  private func missing(_ key: Key) -> SourceProblem {
    SourceProblem(.missingKey, "the key \(SourceText.quote(key.rawValue)) is missing in this mapping", at: position)
  }
}
