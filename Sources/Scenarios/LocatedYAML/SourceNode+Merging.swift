extension SourceNode {
  /// This value with changes applied: mappings are merged key by key, and anything else is replaced by the change.
  ///
  /// A change written `null` or `~` takes its key away; a key with nothing after it does not, as that is more likely a
  /// slip. Every part keeps the position it came from. Kept keys keep their order; new ones follow in that of the
  /// changes.
  public func merging(_ changes: SourceNode) -> SourceNode {
    guard case .mapping(let changed) = changes.content else { return changes }
    guard case .mapping(let kept) = content else {
      return SourceNode(.mapping([]), at: changes.position).merging(changes)
    }
    let index = Dictionary(kept.enumerated().map { ($1.key.value, $0) }) { first, _ in first }
    var merged: [Entry?] = kept
    for change in changed {
      guard let place = index[change.key.value] else {
        if !change.value.isWrittenNull { merged.append(change.withoutNulls) }
        continue
      }
      merged[place] = change.value.isWrittenNull ? nil : kept[place].merging(change)
    }
    return SourceNode(.mapping(merged.compactMap(\.self)), at: position)
  }

  /// The mapping without one of its keys.
  public func without(_ key: String) -> SourceNode {
    guard case .mapping(let entries) = content else { return self }
    return SourceNode(.mapping(entries.filter { $0.key.value != key }), at: position)
  }

  private var isWrittenNull: Bool { isNull && scalar?.text.isEmpty == false }
}

extension SourceNode.Entry {
  /// The entry as if its mapping had been empty before: nothing is left of the keys it takes away.
  fileprivate var withoutNulls: Self {
    guard case .mapping = value.content else { return self }
    return Self(key: key, value: SourceNode(.mapping([]), at: value.position).merging(value))
  }

  fileprivate func merging(_ change: Self) -> Self {
    guard case .mapping = value.content, case .mapping = change.value.content else { return change.withoutNulls }
    return Self(key: key, value: value.merging(change.value))
  }
}
