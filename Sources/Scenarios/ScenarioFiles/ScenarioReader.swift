import Faults
import Foundation
import LocatedYAML
import ScenarioLanguage
import Vocabulary

/// Reads scenario files into cases.
public enum ScenarioReader {

  /// Reads a file and every case in it.
  ///
  /// - Returns: The cases, or nil when a problem was reported.
  public static func read(_ path: String, _ problems: ProblemCollector) -> [Scenario]? {
    var worlds = WorldSources()
    return read(path, worlds: &worlds, problems)
  }

  /// Reads a file and every case in it, one of many that have worlds in common.
  ///
  /// - Parameter worlds: The world files that were read before, and then those of this file too.
  /// - Returns: The cases, or nil when a problem was reported.
  public static func read(_ path: String, worlds: inout WorldSources, _ problems: ProblemCollector) -> [Scenario]? {
    guard let root = worlds.tree(of: path, problems), !problems.hasUnknownAlias else { return nil }
    return read(root, path: path, worlds: &worlds, problems)
  }

  /// Reads every case of a file that a program made.
  /// - Returns: The cases, or nil when a problem was reported.
  package static func read(_ file: SourceFile, _ problems: ProblemCollector) -> [Scenario]? {
    guard let root = SourceNode.parse(file, problems) else { return nil }
    var worlds = WorldSources()
    return read(root, path: file.path, worlds: &worlds, problems)
  }

  /// Reads a file with changes to its worlds and with faults of its own from the first step on.
  ///
  /// - Parameters:
  ///   - changes: Changes to the world, as under `changes` in a scenario, made one after the other.
  ///   - faults: Steps about faults, done before the others.
  ///   - caseName: The only case to read; nil or an unknown name for every case.
  /// - Returns: The cases, or nil when a problem was reported.
  public static func read(
    _ path: String, changes: [YAMLValue], faults: [Step], only caseName: String?, _ problems: ProblemCollector
  ) -> [Scenario]? {
    let faults = faults.map(StepForm.write)
    guard let root = SourceNode.read(path, problems), !problems.hasUnknownAlias,
      let position = position(of: changes + faults, to: path, problems)
    else { return nil }
    let alteration = ReadingChange(
      additions: changes.map { SourceNode(writing: $0, at: position) },
      faults: faults.map { SourceNode(writing: $0, at: position) }, caseName: caseName, isInteractive: false)
    var worlds = WorldSources()
    return read(root, path: path, worlds: &worlds, problems, altered: alteration)
  }

  /// The position of changes, which have no file of their own: a problem with one shows the change itself.
  private static func position(
    of changes: [YAMLValue], to path: String, _ problems: ProblemCollector
  ) -> SourcePosition? {
    let text = changes.map(\.flow).joined(separator: "\n")
    return problems.attempt { () throws(SourceProblem) in
      SourcePosition(
        file: try SourceFile(path: "changes to \(path)", text: text.isEmpty ? "none" : text), line: 1, column: 1)
    }
  }

  /// Reads the cases of a tree.
  /// - Parameter alteration: The differences from the file; nil for the cases as they are written.
  static func read(
    _ root: SourceNode, path: String, worlds: inout WorldSources, _ problems: ProblemCollector,
    altered alteration: ReadingChange? = nil
  ) -> [Scenario]? {
    guard !isAnotherKind(root, problems), root.entries(known: ScenarioFile.names, problems) != nil else { return nil }
    let combinations = CaseMatrix(root["matrix"], problems).combinations
    var scenarios: [Scenario] = []
    var found: [CaseProblems] = []
    for combination in alteration?.chosen(of: combinations) ?? combinations {
      let source = CaseSource(of: root, combination)
      let own = ProblemCollector()
      if let scenario = readCase(source, path: path, worlds: &worlds, own, altered: alteration) {
        scenarios.append(scenario)
      }
      if !own.isEmpty { found.append(CaseProblems(source: source, problems: own)) }
    }
    CaseProblems.report(found, ofCases: combinations.count, path: path, to: problems)
    return problems.isEmpty ? scenarios : nil
  }

  /// The kinds of files.
  enum Kind {
    case scenario, world, flow

    /// The kind of a file, by its keys.
    init(of root: SourceNode) {
      if root["scenario"] != nil || root["matrix"] != nil || root["world"] != nil {
        self = .scenario
      } else if root["websites"] != nil || root["devices"] != nil || root["authorities"] != nil
        || root["extends"] != nil
      {
        self = .world
      } else {
        self = root["flow"] == nil ? .scenario : .flow
      }
    }
  }

  /// Reports a file of another kind: its keys would all be unknown.
  private static func isAnotherKind(_ root: SourceNode, _ problems: ProblemCollector) -> Bool {
    let kind: String
    switch Kind(of: root) {
    case .scenario: return false
    case .world: kind = "a world, which a scenario names under 'world'"
    case .flow: kind = "a flow, which a step of a scenario uses with 'flow'"
    }
    problems.report(SourceProblem(.missingKey, "this is \(kind), and not a scenario", path: root.position.file.path))
    return true
  }

  /// Reads one case.
  static func readCase(
    _ source: CaseSource, path: String, worlds: inout WorldSources, _ problems: ProblemCollector,
    altered alteration: ReadingChange? = nil
  ) -> Scenario? {
    let root = source.root
    let empty = ReadingContext(world: WorldDescription(), problems: problems)
    guard let file = problems.attempt(root, { try ScenarioFile.form.read($0, empty) }) else { return nil }
    func tree(_ key: String, _ node: SourceNode?) -> SourceNode? {
      if node == nil { problems.report(root.missing(key)) }
      return node
    }
    let problemsOfFile = problems.count
    let original = tree("world", file.world).flatMap { node in
      problems.attempt(node) { try readWorld($0, path: path, worlds: &worlds, problems) }
    }
    var worldNode = original
    for change in source.changes {
      if let node = worldNode { WorldChange.check(change, to: node, besides: original, problems) }
      worldNode = worldNode?.merging(change)
    }
    for change in alteration?.additions ?? [] { worldNode = worldNode?.merging(change) }
    var world = worldNode.flatMap { Form<WorldDescription>.read($0, problems) }
    world?.takesTimeToThink = file.takesTimeToThink
    // A world with a problem lacks the part that has it: names of that part would seem unknown.
    guard let stepsNode = tree("steps", file.steps), let world, problems.count == problemsOfFile else { return nil }
    let context = ReadingContext(world: world, problems: problems)
    let flows = FlowReader(own: file.flows, path: path, problems: problems)
    worlds.declare(file.flows, in: path)
    guard let written = flows.expand(stepsNode, sources: &worlds) else { return nil }
    let added = (alteration?.faults ?? []).compactMap { node in
      problems.attempt(node) { try StepForm.read($0, context) }
    }
    let faults = (file.faults.map { readFaults($0, context) } ?? []) + added
    let steps =
      alteration?.isInteractive == true
      ? readSteps(written.filter { $0.node["fault"] != nil }, context) : readSteps(written, of: stepsNode, context)
    var scenario = Scenario(
      name: source.name.map { "\(file.title): \($0)" } ?? file.title, path: path, caseName: source.name,
      position: root["scenario"]?.position ?? root.position, because: file.because, seed: file.seed.value,
      isSeedFixed: file.seed.isFixed, clock: file.clock, world: world, steps: faults + steps)
    scenario.tags = file.tags
    scenario.skip = file.skip
    scenario.expectedFailure = file.expectedFailure
    scenario.limit = file.limit
    scenario.exemptions = file.passesWithout.flatMap { CaseExemption.read($0, empty) } ?? []
    return scenario
  }

  /// Reads the faults that act from the first step on.
  private static func readFaults(_ list: SourceNode, _ context: ReadingContext) -> [LocatedStep] {
    list.each(context.problems) { node in
      let key = Located("fault", at: node.position)
      let step = SourceNode(.mapping([SourceNode.Entry(key: key, value: node)]), at: node.position)
      let fault = try StepForm.read(step, context)
      if case .fault(.ends)? = fault?.step.content {
        throw SourceProblem(.unreadableValue, "no fault acts before the first step", at: node.position)
      }
      return fault
    } ?? []
  }

  /// Reads the steps of a list, which must not be empty.
  private static func readSteps(
    _ written: [WrittenStep], of list: SourceNode, _ context: ReadingContext
  ) -> [LocatedStep] {
    let steps = readSteps(written, context)
    if case .sequence([]) = list.content {
      context.problems.report(SourceProblem(.missingKey, "the scenario has no step", at: list.position))
    } else if context.problems.isEmpty, !steps.contains(where: \.step.expects) {
      context.problems.report(
        SourceProblem(
          .missingKey, "the case expects nothing, so it could not fail", at: list.position,
          hint: "add an expectation, for example 'website'"))
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
      guard !step.uses.isEmpty else { return context.problems.attempt(step.node) { try StepForm.read($0, context) } }
      let found = ProblemCollector()
      let inside = ReadingContext(world: context.world, problems: found)
      let read = found.attempt(step.node) { try StepForm.read($0, inside, uses: step.uses) }
      context.problems.absorb(found) { FlowReader.notes(step.uses, for: $0) }
      return read
    }
  }

  /// A world written in place, or the file `worlds/NAME.yaml` next to the scenario or in a folder above it.
  static func readWorld(
    _ node: SourceNode, path: String, worlds: inout WorldSources, _ problems: ProblemCollector
  ) throws -> SourceNode? {
    guard node.scalar != nil else { return try worlds.extended(node, from: path, problems) }
    guard let world = try worlds.named(try node.string(), kind: "world", at: node, from: path, problems) else {
      return nil
    }
    return try worlds.extended(world, from: WorldSources.user(of: world.position.file.path), problems)
  }
}

/// Scenarios and worlds for interactive use.
extension ScenarioReader {
  /// Reads a world for interactive use, from a world file or from a scenario file, of which only the faults are kept as
  /// steps. The world keeps its state in memory, and its person does not take time to think.
  ///
  /// - Parameters:
  ///   - changes: Changes to the world, as under `changes` in a scenario, made one after the other.
  ///   - caseName: The only case to read, so that the changes need not fit the others; nil or an unknown name for every
  ///     case.
  /// - Returns: The cases, or nil when a problem was reported.
  public static func readInteractive(
    _ path: String, changes: [YAMLValue] = [], only caseName: String? = nil, _ problems: ProblemCollector
  ) -> [Scenario]? {
    guard let root = SourceNode.read(path, problems) else { return nil }
    guard let position = position(of: changes, to: path, problems) else { return nil }
    let additions = (changes + [.one("storage", .plain("~"))]).map { SourceNode(writing: $0, at: position) }
    guard root["scenario"] != nil else { return readWorldAlone(root, additions, path: path, problems) }
    var worlds = WorldSources()
    return read(
      root, path: path, worlds: &worlds, problems,
      altered: ReadingChange(additions: additions, faults: [], caseName: caseName, isInteractive: true))?
      .map(\.interactive)
  }

  private static func readWorldAlone(
    _ root: SourceNode, _ additions: [SourceNode], path: String, _ problems: ProblemCollector
  ) -> [Scenario]? {
    guard let world = WorldFile.read(root, additions, path: path, problems) else { return nil }
    // A recording has the name in its title, and can be given away: the path is that of this machine.
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let scenario = Scenario(
      name: name, path: path, caseName: nil, position: root.position, because: nil, seed: Scenario.defaultSeed,
      isSeedFixed: false, clock: Scenario.defaultClock, world: world, steps: [])
    return [scenario.interactive]
  }
}

/// The differences between a scenario as it is read and its file.
struct ReadingChange {
  /// Changes to the world of every case, made after its own.
  let additions: [SourceNode]
  /// Steps about faults, done before the others.
  let faults: [SourceNode]
  /// The only case to read.
  let caseName: String?
  /// True for an interactive world, which takes only the faults of the steps.
  let isInteractive: Bool

  /// The combination of a matrix that is the case; nil if the matrix does not have it.
  func chosen(of combinations: [CaseMatrix.Combination]) -> [CaseMatrix.Combination]? {
    guard let caseName, let combination = combinations.first(where: { $0.name == caseName }) else { return nil }
    return [combination]
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
      name: name, path: path, caseName: caseName, position: position, because: because, seed: seed,
      isSeedFixed: isSeedFixed, clock: clock, world: world, steps: faults)
  }
}

/// A file with a world and no steps, for example in a folder named `worlds`.
public enum WorldFile {
  /// Reads a world.
  /// - Returns: The world, or nil if a problem was reported.
  public static func read(_ path: String, _ problems: ProblemCollector) -> WorldDescription? {
    SourceNode.read(path, problems).flatMap { read($0, [], path: path, problems) }
  }

  /// Reads the world of a tree, with changes to it.
  fileprivate static func read(
    _ root: SourceNode, _ additions: [SourceNode], path: String, _ problems: ProblemCollector
  ) -> WorldDescription? {
    var worlds = WorldSources()
    let user = WorldSources.user(of: path)
    guard let extended = problems.attempt(root, { try worlds.extended($0, from: user, problems) }) else { return nil }
    let world = Form<WorldDescription>.read(additions.reduce(extended) { $0.merging($1) }, problems)
    return problems.isEmpty ? world : nil
  }
}

/// Files with a document to issue for use outside a world: its type, its elements and its validity.
public enum DocumentSource {
  /// Reads a document.
  /// - Returns: The document without issuer and identifier, or nil if a problem was reported.
  public static func read(_ path: String, _ problems: ProblemCollector) -> WorldDescription.Document? {
    guard let root = SourceNode.read(path, problems) else { return nil }
    let context = ReadingContext(world: WorldDescription(), problems: problems)
    let document = problems.attempt(root) { try Form<WorldDescription.Document>.issuable.read($0, context) }
    return problems.isEmpty ? document : nil
  }
}
