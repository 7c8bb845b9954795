import LocatedYAML

/// The statement of a file that a case passes without one of its parts.
public struct CaseExemption: Sendable {
  /// The name of the part.
  public let name: String
  /// The position of the name.
  public let position: SourcePosition

  /// Reads the mapping from names to reasons.
  package static func read(_ node: SourceNode, _ context: ReadingContext) -> [CaseExemption]? {
    node.eachEntry(context.problems) { key, value in
      try Form<String>.reason.read(value, context).map { _ in CaseExemption(name: key.value, position: key.position) }
    }
  }
}
