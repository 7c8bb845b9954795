import Ecosystem
import LocatedYAML

/// A file with a world and no steps, for example in a folder named `worlds`.
public enum WorldFile {
  /// Reads a world.
  /// - Returns: the world, or nil if a problem was reported.
  public static func read(_ path: String, _ problems: ProblemCollector) -> WorldDescription? {
    guard let root = SourceNode.read(path, problems) else { return nil }
    let world = Form<WorldDescription>.read(root, problems)
    return problems.isEmpty ? world : nil
  }
}
