import Ecosystem
import LocatedYAML

/// A step as a file writes it, with the place of the flow's use for a step of a flow.
struct WrittenStep {
  let node: SourceNode
  var use: SourcePosition?
}

/// Replaces the uses of flows by the flows' steps.
struct FlowReader {
  /// Flows of the file itself, by name; nil for a file without `flows`.
  let own: SourceNode?
  /// Path of the scenario file.
  let path: String
  let problems: ProblemCollector

  /// The steps of a list, with every flow written out; nil if the value is not a list.
  func expand(_ steps: SourceNode, sources: inout WorldSources) -> [WrittenStep]? {
    guard let items = problems.attempt(steps, { try $0.sequence() }) else { return nil }
    var written: [WrittenStep] = []
    for item in items {
      if item["flow"] == nil {
        written.append(WrittenStep(node: item))
      } else {
        written += problems.attempt(item) { try self.steps(of: $0, sources: &sources) } ?? []
      }
    }
    return written
  }

  private func steps(of use: SourceNode, sources: inout WorldSources) throws -> [WrittenStep]? {
    let context = ReadingContext(world: WorldDescription(), problems: problems)
    guard let fields = try Form<FlowUse>.use.read(use, context), let name = fields.flow else { return nil }
    let text = try name.string()
    guard let flow = try flow(text, at: name, sources: &sources),
      let declared = try Form<Flow>.flow.read(flow, context)?.steps
    else { return nil }
    var steps = declared
    let names = try declared.mapping().map(\.key.value)
    if let changes = fields.changes {
      for change in try changes.mapping() where !names.contains(change.key.value) {
        problems.report(
          SourceProblem(
            .unknownName, "the flow \(text) has no step \(SourceText.quote(change.key.value))", at: change.key.position,
            suggestion: NearestName.of(change.key.value, in: names), hint: "known here: " + NearestName.list(names)))
      }
      steps = declared.merging(changes)
    }
    return try steps.mapping().map { WrittenStep(node: $0.value, use: name.position) }
  }

  /// The flow of a name: in the file, else `flows/NAME.yaml` next to it or in a folder above.
  private func flow(_ name: String, at node: SourceNode, sources: inout WorldSources) throws -> SourceNode? {
    if let found = own?[name] { return found }
    return try sources.named(
      name, kind: "flow", at: node, from: path, besides: own?.keys ?? [], problems)
  }
}
