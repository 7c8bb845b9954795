extension SourceTreeBuilder {
  /// The text of a key, or nil and a problem.
  func keyText(_ node: SourceNode, _ event: YAMLEvent) -> String? {
    if case .alias = event.kind {
      problems.report(SourceProblem(.keyNotText, "a key must be written out, not named by an alias", at: start(event)))
      return nil
    }
    guard let scalar = node.scalar, scalar.style != .plain || !scalar.text.isEmpty else {
      problems.report(SourceProblem(.keyNotText, "a key must be text, not \(node.phrase)", at: node.position))
      return nil
    }
    guard scalar != SourceScalar("<<") else {
      problems.report(
        SourceProblem(
          .mergeKey, "the merge key '<<' is not part of YAML 1.2 and is not read", at: node.position,
          hint: "write the keys out, or give the whole value by an alias"))
      return nil
    }
    return scalar.text
  }

  func refusal(ofKey text: String, at position: SourcePosition, first: SourcePosition) -> SourceProblem {
    SourceProblem(
      .duplicateKey, "the key \(SourceText.quote(text)) comes twice in this mapping", at: position,
      hint: "first at \(first.line):\(first.column)")
  }

  func refusal(ofTag tag: String, _ event: YAMLEvent) -> SourceProblem {
    let standard = "tag:yaml.org,2002:"
    let written = tag.hasPrefix(standard) ? "!!" + tag.dropFirst(standard.count) : tag
    return SourceProblem(
      .tag, "the tag \(SourceText.quote(written)) is not read: a value is what it looks like", at: start(event),
      hint: "take it away; put text in quotes")
  }

  func refusal(ofDocument event: YAMLEvent) -> SourceProblem {
    SourceProblem(
      .severalDocuments, "a second document begins here; a file holds one", at: start(event, length: 3),
      hint: "put it into a file of its own")
  }

  func refusal(ofNode event: YAMLEvent) -> SourceProblem {
    SourceProblem(.tooManyNodes, "the file holds more than \(SourceLimits.nodes) values", at: start(event))
  }

  func refusal(ofExpansion event: YAMLEvent) -> SourceProblem {
    let (nodes, bytes, depth) = (SourceLimits.nodes, SourceLimits.bytes, SourceLimits.depth)
    return SourceProblem(
      .aliasExpansion, "written out, the aliases up to here are more than a file may hold", at: start(event),
      hint: "at most \(nodes) values, \(bytes) bytes of text and \(depth) levels")
  }

  func refusal(ofAlias name: String, _ event: YAMLEvent) -> SourceProblem {
    let quoted = SourceText.quote("*" + name)
    if open.contains(where: { $0.first.anchor == name }) {
      return SourceProblem(.unknownAlias, "the alias \(quoted) stands inside the value it names", at: start(event))
    }
    return SourceProblem(
      .unknownAlias, "the alias \(quoted) names nothing that is written before it", at: start(event),
      suggestion: NearestName.of(name, in: anchorNames).map { "*" + $0 })
  }
}
