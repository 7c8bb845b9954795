import LocatedYAML

/// The title, reasons and cases of a scenario file. Its world and steps are not read, which is fast for lists of many
/// files, but does not show that a case can be run.
public struct ScenarioOutline: Sendable, Equatable {
  /// An entry of a file's matrix.
  public struct Case: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The reason of the case itself, if it has one.
    public let because: String?
  }

  /// The title.
  public let title: String
  /// The reason of the scenario, if it has one.
  public let because: String?
  /// Name of the file with its world, or nil if the world is written in place.
  public let world: String?
  /// The entries of the matrix; empty without a matrix.
  public let cases: [Case]

  /// Reads the outline of a file, or returns nil if it is not a scenario.
  public init?(readingFrom path: String) {
    guard let root = SourceNode.read(path, ProblemCollector()), let title = try? root["scenario"]?.string() else {
      return nil
    }
    self.title = title
    because = try? root["because"]?.string()
    world = try? root["world"]?.string()
    cases = ((try? root["matrix"]?.sequence()) ?? []).compactMap { entry in
      (try? entry["case"]?.string()).map { Case(name: $0, because: try? entry["because"]?.string()) }
    }
  }
}
