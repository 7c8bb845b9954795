import LocatedYAML
import ScenarioLanguage
import Vocabulary

/// A step as a file writes it, with the places where its flow is used, the nearest first.
struct WrittenStep {
  let node: SourceNode
  var uses: [SourcePosition] = []
}

/// Replaces the uses of flows by the flows' steps.
struct FlowReader {
  /// Flows of the file itself, by name; nil for a file without `flows`.
  let own: SourceNode?
  /// Path of the scenario file.
  let path: String
  let problems: ProblemCollector

  /// The maximum nesting of flows: 8. People who look for the step that failed open each of the files.
  static let maximumDepth = 8
  /// The maximum number of steps of a case with all flows written out: 10 000, the most that a file can write without them.
  static let maximumSteps = 10_000

  /// A use of a flow inside which steps are read.
  private struct Use {
    let name: String
    let position: SourcePosition
  }

  /// The steps of a list, with every flow written out; nil if the value is not a list.
  func expand(_ steps: SourceNode, sources: inout WorldSources) -> [WrittenStep]? {
    guard let items = problems.attempt(steps, { try $0.sequence() }) else { return nil }
    var written: [WrittenStep] = []
    for item in items { append(item, to: &written, inside: [], from: path, sources: &sources) }
    return written
  }

  /// Appends a step, or the steps of the flow that it uses.
  ///
  /// - Parameters:
  ///   - uses: The uses of flows that lead to the step, the nearest first.
  ///   - path: Path of the file with the step, next to which flows are looked for.
  private func append(
    _ item: SourceNode, to written: inout [WrittenStep], inside uses: [Use], from path: String,
    sources: inout WorldSources
  ) {
    guard item["flow"] != nil else {
      written.append(WrittenStep(node: item, uses: uses.map(\.position)))
      if written.count == Self.maximumSteps + 1 {
        problems.report(
          SourceProblem(
            .tooLarge, "with all flows written out, the case has more than \(Self.maximumSteps) steps",
            at: uses.last?.position ?? item.position))
      }
      return
    }
    guard written.count <= Self.maximumSteps else { return }
    let found = ProblemCollector()
    let reader = FlowReader(own: own, path: path, problems: found)
    let steps = found.attempt(item) { try reader.steps(of: $0, inside: uses, from: path, sources: &sources) }
    problems.absorb(found) { problem in Self.notes(uses.map(\.position), for: problem) }
    guard let steps else { return }
    for step in steps.items {
      append(step, to: &written, inside: [steps.use] + uses, from: steps.path, sources: &sources)
    }
  }

  /// The notes of a problem in a step of a flow: the places that use it.
  static func notes(_ uses: [SourcePosition], for problem: SourceProblem) -> [String] {
    uses.filter { $0 != problem.position }.map { "the flow is used at \($0)" }
  }

  /// The steps of the flow that a step uses.
  private func steps(
    of item: SourceNode, inside uses: [Use], from path: String, sources: inout WorldSources
  ) throws -> (items: [SourceNode], use: Use, path: String)? {
    let context = ReadingContext(world: WorldDescription(), problems: problems)
    guard let fields = try Form<FlowUse>.use.read(item, context), let node = fields.flow else { return nil }
    let name = try node.string()
    guard let flow = try flow(name, at: node, from: path, sources: &sources) else { return nil }
    let chain = uses.map(\.name)
    if chain.contains(flow.identity) {
      throw SourceProblem(
        .unreadableValue, "the flow \(SourceText.quote(name)) uses itself", at: node.position,
        hint: chain.first == flow.identity ? nil : "by way of the flows between")
    }
    guard uses.count < Self.maximumDepth else {
      throw SourceProblem(.tooDeep, "flows use flows deeper than \(Self.maximumDepth)", at: node.position)
    }
    guard let declared = try Form<Flow>.flow.read(flow.tree, context)?.steps else { return nil }
    var steps = declared
    let names = try declared.mapping().map(\.key.value)
    if let changes = fields.changes {
      for change in try changes.mapping() where !names.contains(change.key.value) {
        problems.report(
          SourceProblem(
            .unknownName, "the flow \(name) has no step \(SourceText.quote(change.key.value))",
            at: change.key.position, suggestion: NearestName.of(change.key.value, in: names),
            hint: "known here: " + NearestName.list(names)))
      }
      steps = declared.merging(changes)
    }
    return (try steps.mapping().map(\.value), Use(name: flow.identity, position: node.position), flow.path)
  }

  /// A flow that was found.
  private struct Found {
    let tree: SourceNode
    /// Path of the file next to which the flow's own flows are looked for.
    let path: String
    /// The file and the name, which tell flows of one name apart.
    let identity: String
  }

  /// The flow of a name: in the scenario, else `flows/NAME.yaml` next to the file or in a folder above.
  private func flow(
    _ name: String, at node: SourceNode, from path: String, sources: inout WorldSources
  ) throws -> Found? {
    if let found = own?[name] {
      let identity = WorldSources.identity(of: name, in: self.path)
      sources.use(identity)
      return Found(tree: found, path: self.path, identity: identity)
    }
    guard let tree = try sources.named(name, kind: "flow", at: node, from: path, besides: own?.keys ?? [], problems)
    else { return nil }
    let file = tree.position.file.path
    // A flow finds others as its folder's neighbours do.
    return Found(tree: tree, path: WorldSources.user(of: file), identity: WorldSources.identity(of: name, in: file))
  }
}
