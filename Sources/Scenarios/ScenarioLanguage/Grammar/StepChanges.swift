import LocatedYAML

/// Changes of the values of a step in its file.
extension LocatedStep {
  /// The changes of the file with which the step expects something else. The new expectation is of the same kind and has
  /// the same keys as the file.
  ///
  /// - Parameter scenario: The scenario of the step.
  /// - Throws: ``SourceProblem`` if the file cannot express the expectation in this way.
  public func changes(to expectation: Expectation, for scenario: Scenario) throws(SourceProblem) -> [SourceChange] {
    let changed = Step(.expectation(expectation))
    guard let kind = StepKind.all.first(where: { $0.write(changed.content) != nil }),
      let old = kind.write(step.content), let new = kind.write(changed.content), let node = source[kind.key.name]
    else { throw different }
    // The language may not have a name for everything that happens.
    let read = try Step(changed.text, called: "what happened", for: scenario)
    guard read.content == changed.content else { throw different }
    // An anchor of the whole expectation is used by expectations only, so the mapping itself does not count.
    return try changes(in: node, from: old, to: new, inside: []).map { change in
      SourceChange(at: change.position, in: Array(change.containers.dropFirst()), change.content)
    }
  }

  /// The positions of the values and lists of the step, by which another step that shares one is found.
  public var valuePositions: Set<SourcePosition> {
    var found: Set<SourcePosition> = []
    func visit(_ node: SourceNode) {
      switch node.content {
      case .scalar: found.insert(node.position)
      case .sequence(let items):
        found.insert(node.position)
        items.forEach(visit)
      case .mapping(let entries): entries.forEach { visit($0.value) }
      }
    }
    visit(source)
    return found
  }

  /// - Parameters:
  ///   - node: A value as the file writes it.
  ///   - old: The same value in the usual form.
  ///   - new: The new value in the usual form.
  ///   - containers: The positions of the mappings around the value.
  private func changes(
    in node: SourceNode, from old: YAMLValue, to new: YAMLValue, inside containers: [SourcePosition]
  ) throws(SourceProblem) -> [SourceChange] {
    if old == new { return [] }
    switch (node.content, old, new) {
    case (.mapping, .mapping(let before), .mapping(let after)):
      guard before.map(\.key) == after.map(\.key) else { throw different }
      var changes: [SourceChange] = []
      for (old, new) in zip(before, after) where old != new {
        guard let value = node[old.key] else { throw different }
        changes += try self.changes(in: value, from: old.value, to: new.value, inside: containers + [node.position])
      }
      return changes
    case (.mapping, _, _):
      // A number of events may be written as a mapping with its count only.
      guard node.keys == ["count"], let count = node["count"] else { throw different }
      return try changes(in: count, from: old, to: new, inside: containers + [node.position])
    case (.sequence, .list(let before), .list(let after)):
      return [
        SourceChange(
          at: node.position, in: containers, .list(ListChange(from: before.map(\.written), to: after.map(\.written))))
      ]
    case (.scalar, .text, _), (.scalar, .plain, _):
      return [SourceChange(at: node.position, in: containers, .scalar(new))]
    default: throw different
    }
  }

  private var different: SourceProblem {
    SourceProblem(.unreadableValue, "what happened needs other keys", at: position)
  }
}

extension YAMLValue {
  /// The text of an item of a list.
  fileprivate var written: String { if case .text(let text) = self { text } else { flow } }
}
