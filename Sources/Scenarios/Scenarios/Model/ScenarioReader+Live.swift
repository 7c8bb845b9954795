import Ecosystem

/// Worlds that are driven from outside.
extension ScenarioReader {
  /// Reads a world to be driven from outside: of a scenario file, whose steps count only as far as they put in faults, or
  /// of a file that holds a world and nothing else. It keeps everything in memory, and its person does not hesitate.
  ///
  /// - Parameters:
  ///   - changes: changes to the world, as in a scenario, made one after the other.
  ///   - caseName: the only case to read, so that the changes need not fit the others; every case when nil, or when there
  ///     is none of the name.
  /// - Returns: the cases, or nil when a problem was reported.
  public static func readLive(
    _ path: String, changes: [String] = [], only caseName: String? = nil, _ problems: ProblemCollector
  ) -> [Scenario]? {
    guard let root = SourceNode.read(path, problems) else { return nil }
    var additions: [SourceNode] = []
    for text in changes + ["storage: ~"] {
      do {
        guard let node = SourceNode.parse(try SourceFile(path: "changes to \(path)", text: text), problems) else {
          return nil
        }
        additions.append(node)
      } catch {
        problems.report(error)
        return nil
      }
    }
    guard root["scenario"] != nil else { return readWorldAlone(root, additions, path: path, problems) }
    var worlds = WorldSources()
    return read(
      root, path: path, worlds: &worlds, problems, live: LiveReading(additions: additions, caseName: caseName))?
      .map(\.live)
  }

  private static func readWorldAlone(
    _ root: SourceNode, _ additions: [SourceNode], path: String, _ problems: ProblemCollector
  ) -> [Scenario]? {
    let source = additions.reduce(root) { $0.merging($1) }
    guard let world = WorldReader(problems: problems).read(source), problems.isEmpty else { return nil }
    let scenario = Scenario(
      name: path, path: path, caseName: nil, position: root.position, because: nil, seed: 1,
      clock: Scenario.defaultClock, world: world, worldSource: source, steps: [])
    return [scenario.live]
  }
}

/// How a scenario is read that is driven from outside.
struct LiveReading {
  /// Changes to the world of every case, made after its own.
  let additions: [SourceNode]
  /// The only case to read.
  let caseName: String?

  /// The entry of a matrix that is the case; nil when there is none.
  func chosen(of entries: [SourceNode]) -> [SourceNode]? {
    guard let caseName, let entry = entries.first(where: { (try? $0["case"]?.string()) == caseName }) else {
      return nil
    }
    return [entry]
  }

  /// The steps that put in faults; nil when there is none. The others may need what a live world has not, such as a disk.
  func faults(of steps: SourceNode) -> SourceNode? {
    guard case .sequence(let items) = steps.content else { return steps }
    let faults = items.filter { $0["fault"] != nil }
    return faults.isEmpty ? nil : SourceNode(.sequence(faults), at: steps.position)
  }
}

extension Scenario {
  /// The case with a person who does not hesitate, and no steps but the faults that it puts in.
  fileprivate var live: Scenario {
    var world = world
    world.personHesitates = false
    let faults = steps.filter { step in
      if case .fault(let change) = step.kind { change.fault.party != .storage } else { false }
    }
    return Scenario(
      name: name, path: path, caseName: caseName, position: position, because: because, seed: seed, clock: clock,
      world: world, worldSource: worldSource, steps: faults)
  }
}
