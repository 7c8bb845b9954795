/// The world files that were read so far, so that cases that have the same world read it once.
public struct WorldSources: Sendable {
  private var trees: [String: SourceNode] = [:]

  /// Most files that are kept: more than any folder of scenarios has, each no longer than a file may be.
  private static let maximumFiles = 64

  /// None read yet.
  public init() {}

  /// The tree of a file; nil, and a problem reported, when there is none.
  mutating func read(_ path: String, _ problems: ProblemCollector) -> SourceNode? {
    if let tree = trees[path] { return tree }
    let tree = SourceNode.read(path, problems)
    // A file with something wrong is read anew each time, so that whoever names it is told.
    if let tree, problems.isEmpty, trees.count < Self.maximumFiles { trees[path] = tree }
    return tree
  }
}
