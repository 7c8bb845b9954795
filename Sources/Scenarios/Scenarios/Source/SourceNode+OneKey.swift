extension SourceNode {
  /// The only key of a mapping, one of the cases of `Key`, and its value, as in a step `- website: { … }`.
  ///
  /// Throws `source.wrong-type`, `source.not-one-key` or `source.unknown-key`.
  public func onlyKey<Key: RawRepresentable<String> & CaseIterable>(
    of keys: Key.Type
  ) throws(SourceProblem) -> (key: Located<Key>, value: SourceNode) {
    let names = Key.allCases.map(\.rawValue)
    let entries = try mapping()
    guard let entry = entries.first, entries.count == 1 else {
      let found = entries.dropFirst().first?.key
      throw SourceProblem(
        .notOneKey, "expected exactly one key, found \(entries.count)", at: found?.position ?? position,
        hint: entries.isEmpty ? "one of " + NearestName.list(names) : nil)
    }
    guard let key = Key(rawValue: entry.key.value) else { throw .unknownKey(entry.key, known: names) }
    return (Located(key, at: entry.key.position), entry.value)
  }
}

extension SourceProblem {
  static func unknownKey(_ key: Located<String>, known: [String]) -> SourceProblem {
    SourceProblem(
      .unknownKey, "unknown key \(SourceText.quote(key.value))", at: key.position,
      suggestion: NearestName.of(key.value, in: known),
      hint: known.isEmpty ? "no key belongs here" : "known here: " + NearestName.list(known))
  }
}
