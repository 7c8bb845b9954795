import LocatedYAML

/// What a scenario file says about itself. Its world and its steps are not looked at, which makes it quick to read for lists
/// of many files; that a case can be run is not said by it.
public struct ScenarioOutline: Sendable, Equatable {
  /// An entry of a file's matrix.
  public struct Case: Sendable, Equatable {
    /// Its name.
    public let name: String
    /// The reason of the case itself, if it has one.
    public let because: String?
  }

  /// The title.
  public let title: String
  /// The reason of the scenario, if it has one.
  public let because: String?
  /// Name of the file with its world; nil when the world is written in place.
  public let world: String?
  /// The entries of its matrix; none when it has no matrix.
  public let cases: [Case]

  /// Reads the outline of a file; nil for any other file.
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
