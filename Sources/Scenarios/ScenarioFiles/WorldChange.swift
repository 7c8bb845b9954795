import LocatedYAML

/// Checks that changes to a world change it: a misspelled name would otherwise be a new thing without effect.
enum WorldChange {
  /// A mapping of a world from names to things.
  private struct Names {
    /// The keys on the way to the mapping; nil for a name.
    let path: [String?]
    let noun: String
    /// Keys of which a new thing has at least one.
    let required: [String]
    /// True if a name alone makes a thing, unless it is near to a known name.
    var isNameEnough = false
  }

  private static let names = [
    Names(path: ["authorities", "issuers"], noun: "issuing authority", required: ["name"], isNameEnough: true),
    Names(path: ["authorities", "readers"], noun: "reader authority", required: ["name"], isNameEnough: true),
    Names(path: ["websites"], noun: "website", required: ["origin"]),
    Names(path: ["requesting-apps"], noun: "requesting app", required: ["server"]),
    Names(path: ["devices"], noun: "device", required: ["apps", "kind"]),
    Names(path: ["devices", nil, "apps"], noun: "app", required: ["documents"]),
  ]

  /// Reports new things that are not complete, and removals of nothing.
  ///
  /// - Parameters:
  ///   - world: The world with earlier changes.
  ///   - original: The world without them.
  static func check(
    _ changes: SourceNode, to world: SourceNode, besides original: SourceNode? = nil, _ problems: ProblemCollector
  ) {
    check(changes, to: world, besides: original ?? world, at: [], problems)
  }

  private static func check(
    _ changes: SourceNode, to world: SourceNode?, besides original: SourceNode?, at path: [String],
    _ problems: ProblemCollector
  ) {
    guard case .mapping(let entries) = changes.content, case .mapping? = world?.content else { return }
    let known = ((world?.keys ?? []) + (original?.keys ?? [])).uniqued()
    let names = names.first { names in
      names.path.count == path.count && zip(names.path, path).allSatisfy { $0 == nil || $0 == $1 }
    }
    for entry in entries {
      let name = entry.key.value
      guard !known.contains(name) else {
        check(entry.value, to: world?[name], besides: original?[name], at: path + [name], problems)
        continue
      }
      // Most new things have what they need.
      lazy var quoted = SourceText.quote(name)
      lazy var suggestion = NearestName.of(name, in: known)
      if entry.value.isRemoval {
        problems.report(
          SourceProblem(
            .unknownName, "the world has no \(names?.noun ?? "key") \(quoted) to remove here", at: entry.key.position,
            suggestion: suggestion, hint: known.isEmpty ? nil : "known here: " + NearestName.list(known)))
      } else if let names, case .mapping = entry.value.content,
        !names.required.contains(where: { entry.value[$0] != nil }), !names.isNameEnough || suggestion != nil
      {
        let required = names.required.map { "'\($0)'" }.joined(separator: " or ")
        problems.report(
          SourceProblem(
            .unknownName, "the world has no \(names.noun) \(quoted), and a new one needs \(required)",
            at: entry.key.position, suggestion: suggestion, hint: "known here: " + NearestName.list(known)))
      }
    }
  }
}
