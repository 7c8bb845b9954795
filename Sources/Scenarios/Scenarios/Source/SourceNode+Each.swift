extension SourceNode {
  /// What `read` makes of each value of a list. Those with a problem are left out, and it is kept.
  ///
  /// Returns nil, and keeps the problem, when this is no list.
  public func each<Value>(
    _ problems: ProblemCollector, _ read: (SourceNode) throws -> Value?
  ) -> [Value]? {
    problems.attempt(self) { try $0.sequence() }?.compactMap { problems.attempt($0, read) }
  }

  /// What `read` makes of each key and value of a mapping, in order. Those with a problem are left out, and it is kept.
  ///
  /// Returns nil, and keeps the problem, when this is no mapping.
  public func eachEntry<Value>(
    _ problems: ProblemCollector, _ read: (Located<String>, SourceNode) throws -> Value?
  ) -> [Value]? {
    problems.attempt(self) { try $0.mapping() }?.compactMap { entry in
      problems.attempt(entry.value) { try read(entry.key, $0) }
    }
  }
}
