import Ecosystem
import Faults
import LocatedYAML

/// Scenarios and worlds for interactive use.
extension ScenarioReader {
  /// Reads a world for interactive use, from a world file or from a scenario file, of which only the faults are kept as
  /// steps. The world keeps its state in memory, and its person does not take time to think.
  ///
  /// - Parameters:
  ///   - changes: changes to the world, as under `changes` in a scenario, made one after the other.
  ///   - caseName: the only case to read, so that the changes need not fit the others; nil or an unknown name for every
  ///     case.
  /// - Returns: the cases, or nil when a problem was reported.
  public static func readInteractive(
    _ path: String, changes: [YAMLValue] = [], only caseName: String? = nil, _ problems: ProblemCollector
  ) -> [Scenario]? {
    guard let root = SourceNode.read(path, problems) else { return nil }
    let position: SourcePosition
    do {
      // Changes have no file of their own: a problem with one shows the change itself.
      let text = changes.map(\.flow).joined(separator: "\n")
      position = SourcePosition(
        file: try SourceFile(path: "changes to \(path)", text: text.isEmpty ? "none" : text), line: 1, column: 1)
    } catch {
      problems.report(error)
      return nil
    }
    let additions = (changes + [.one("storage", .plain("~"))]).map { SourceNode(writing: $0, at: position) }
    guard root["scenario"] != nil else { return readWorldAlone(root, additions, path: path, problems) }
    var worlds = WorldSources()
    return read(
      root, path: path, worlds: &worlds, problems,
      interactive: InteractiveReading(additions: additions, caseName: caseName))?
      .map(\.interactive)
  }

  private static func readWorldAlone(
    _ root: SourceNode, _ additions: [SourceNode], path: String, _ problems: ProblemCollector
  ) -> [Scenario]? {
    let source = additions.reduce(root) { $0.merging($1) }
    guard let world = Form<WorldDescription>.read(source, problems), problems.isEmpty else { return nil }
    let scenario = Scenario(
      name: path, path: path, caseName: nil, position: root.position, because: nil, seed: 1,
      clock: Scenario.defaultClock, world: world, steps: [])
    return [scenario.interactive]
  }
}

/// The parts of a scenario that an interactive world needs.
struct InteractiveReading {
  /// Changes to the world of every case, made after its own.
  let additions: [SourceNode]
  /// The only case to read.
  let caseName: String?

  /// The entry of a matrix that is the case; nil if the matrix does not have it.
  func chosen(of entries: [SourceNode]) -> [SourceNode]? {
    guard let caseName, let entry = entries.first(where: { (try? $0["case"]?.string()) == caseName }) else {
      return nil
    }
    return [entry]
  }
}

extension Scenario {
  /// The case with a person who does not take time to think, and its faults as the only steps.
  fileprivate var interactive: Scenario {
    var world = world
    world.takesTimeToThink = false
    let faults = steps.filter { step in
      if case .fault(let change) = step.step.content { change.fault.party != .storage } else { false }
    }
    return Scenario(
      name: name, path: path, caseName: caseName, position: position, because: because, seed: seed, clock: clock,
      world: world, steps: faults)
  }
}
