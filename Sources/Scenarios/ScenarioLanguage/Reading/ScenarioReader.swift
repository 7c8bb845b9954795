import Ecosystem
import Faults
import Foundation
import LocatedYAML
import MobileDocument
import Primitives

/// Reads scenario files into cases.
public enum ScenarioReader {

  /// Reads a file and every case in it.
  ///
  /// - Returns: the cases, or nil when a problem was reported.
  public static func read(_ path: String, _ problems: ProblemCollector) -> [Scenario]? {
    var worlds = WorldSources()
    return read(path, worlds: &worlds, problems)
  }

  /// Reads a file and every case in it, one of many that have worlds in common.
  ///
  /// - Parameter worlds: the world files that were read before, and then those of this file too.
  /// - Returns: the cases, or nil when a problem was reported.
  public static func read(
    _ path: String, worlds: inout WorldSources, _ problems: ProblemCollector
  ) -> [Scenario]? {
    guard let root = SourceNode.read(path, problems) else { return nil }
    return read(root, path: path, worlds: &worlds, problems)
  }

  /// Reads the cases of a tree.
  /// - Parameter live: how to read it for an interactive world; nil for a run.
  static func read(
    _ root: SourceNode, path: String, worlds: inout WorldSources, _ problems: ProblemCollector,
    interactive live: InteractiveReading? = nil
  ) -> [Scenario]? {
    guard let entries = root.entries(known: ScenarioFile.names, problems) else { return nil }
    guard let matrix = entries["matrix"]?.value else {
      let scenario = readCase(
        root, changes: [root["changes"]], caseName: nil, path: path, worlds: &worlds, problems, interactive: live)
      return problems.isEmpty ? scenario.map { [$0] } : nil
    }
    if case .sequence(let entries) = matrix.content, entries.isEmpty {
      problems.report(SourceProblem(.missingKey, "the matrix has no entry", at: matrix.position))
    }
    var scenarios: [Scenario] = []
    var names: Set<String> = []
    let cases = problems.attempt(matrix, { try $0.sequence() }) ?? []
    for entry in live?.chosen(of: cases) ?? cases {
      guard let name = readCaseName(entry, problems) else { continue }
      if !names.insert(name).inserted {
        problems.report(
          SourceProblem(.duplicateKey, "two cases are called \(SourceText.quote(name))", at: entry.position))
      }
      // Changes are applied to the world one after the other, so that an entry can take away what the world has.
      let merged = root.without("matrix").merging(entry.without("case", "changes"))
      let changes = [root["changes"], entry["changes"]]
      if let scenario = readCase(
        merged, changes: changes, caseName: name, path: path, worlds: &worlds, problems, interactive: live)
      {
        scenarios.append(scenario)
      }
    }
    return problems.isEmpty ? scenarios : nil
  }

  private static func readCaseName(_ entry: SourceNode, _ problems: ProblemCollector) -> String? {
    guard let node = entry["case"] else {
      problems.report(
        SourceProblem(.missingKey, "the key 'case' is missing in this entry of the matrix", at: entry.position))
      return nil
    }
    return problems.attempt(node) { try $0.string() }
  }

  private static func readCase(
    _ root: SourceNode, changes: [SourceNode?], caseName: String?, path: String, worlds: inout WorldSources,
    _ problems: ProblemCollector, interactive live: InteractiveReading?
  ) -> Scenario? {
    let empty = ReadingContext(world: WorldDescription(), problems: problems)
    guard let file = problems.attempt(root, { try ScenarioFile.form.read($0, empty) }) else { return nil }
    func tree(_ key: String, _ node: SourceNode?) -> SourceNode? {
      if node == nil { problems.report(root.missing(key)) }
      return node
    }
    var worldNode = tree("world", file.world).flatMap { node in
      problems.attempt(node) { try readWorld($0, path: path, worlds: &worlds, problems) }
    }
    for change in changes.compactMap(\.self) + (live?.additions ?? []) { worldNode = worldNode?.merging(change) }
    var world = worldNode.flatMap { Form<WorldDescription>.read($0, problems) }
    world?.takesTimeToThink = file.takesTimeToThink
    guard let stepsNode = tree("steps", file.steps), let world else { return nil }
    let context = ReadingContext(world: world, problems: problems)
    let flows = FlowReader(own: file.flows, path: path, problems: problems)
    let written = flows.expand(stepsNode, sources: &worlds)
    let steps =
      live == nil
      ? written.map { readSteps($0, of: stepsNode, context) }
      : written.map { readSteps($0.filter { $0.node["fault"] != nil }, context) }
    guard let steps else { return nil }
    return Scenario(
      name: caseName.map { "\(file.title): \($0)" } ?? file.title, path: path, caseName: caseName,
      position: root["scenario"]?.position ?? root.position, because: file.because, seed: UInt64(file.seed),
      clock: file.clock, world: world, steps: steps)
  }

  /// Reads the steps of a list, which must not be empty.
  private static func readSteps(
    _ written: [WrittenStep], of list: SourceNode, _ context: ReadingContext
  ) -> [LocatedStep] {
    let steps = readSteps(written, context)
    if case .sequence([]) = list.content {
      context.problems.report(SourceProblem(.missingKey, "the scenario has no step", at: list.position))
    }
    var waiting = Duration.zero
    for step in steps {
      guard case .action(.person(.wait(let duration))) = step.step.content else { continue }
      waiting += duration
      if waiting > Scenario.maximumWaiting {
        context.problems.report(
          SourceProblem(.outOfRange, "all waits together are longer than 100 years", at: step.position))
        break
      }
    }
    return steps
  }

  private static func readSteps(_ written: [WrittenStep], _ context: ReadingContext) -> [LocatedStep] {
    written.compactMap { step in
      context.problems.attempt(step.node) { try StepForm.read($0, context, use: step.use) }
    }
  }

  /// A world written in place, or the file `worlds/NAME.yaml` next to the scenario or in a folder above it.
  private static func readWorld(
    _ node: SourceNode, path: String, worlds: inout WorldSources, _ problems: ProblemCollector
  ) throws -> SourceNode? {
    guard node.scalar != nil else { return node }
    return try worlds.named(try node.string(), kind: "world", at: node, from: path, problems)
  }
}

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
