import LocatedYAML
import Vocabulary

extension Step {
  /// Every action of a kind of step that the grammar has for a scenario's world: each key, with each name of the world and
  /// each word that the key takes. Texts that only an author can write are left out.
  ///
  /// - Parameters:
  ///   - kind: The key of the kind of step, such as `person`.
  ///   - named: The value of the key `name`; nil for a kind without it.
  ///   - waits: The values of keys that take a duration.
  public static func all(
    _ kind: String, named name: String? = nil, in scenario: Scenario, waits: [Duration] = []
  ) -> [Step] {
    guard let form = StepKind.all.first(where: { $0.key.name == kind }), case .mapping(let type) = form.key.type,
      let file = try? SourceFile(path: "actions", text: kind)
    else { return [] }
    let values = GrammaticalValues(
      context: ReadingContext(world: scenario.world, problems: ProblemCollector()), waits: waits)
    let position = SourcePosition(file: file, line: 1, column: 1)
    let names = name.map { [YAMLValue.Entry("name", .text($0))] } ?? []
    // A companion of another action is refused by the reader.
    let companions = type.keys.filter { $0.isRequired && $0.name != "name" && !type.choice.contains($0.name) }
      .flatMap { key in values.of(key.type).map { YAMLValue.Entry(key.name, $0) } }
    let written = type.keys.filter { type.choice.contains($0.name) }.flatMap { key in
      values.of(key.type).flatMap { value in
        ([[]] + companions.map { [$0] }).map { names + [YAMLValue.Entry(key.name, value)] + $0 }
      }
    }
    return written.compactMap { entries in
      let problems = ProblemCollector()
      let node = SourceNode(writing: .one(kind, .mapping(entries)), at: position)
      let context = ReadingContext(world: scenario.world, problems: problems)
      let step = problems.attempt(node) { try StepForm.read($0, context) }
      return problems.problems.isEmpty ? step?.step : nil
    }
  }
}

/// The values of a type that need no author.
private struct GrammaticalValues {
  let context: ReadingContext
  let waits: [Duration]

  func of(_ type: FormType) -> [YAMLValue] {
    switch type {
    case .words(let words): return words.map(YAMLValue.text)
    case .name(let kind): return context.names(of: kind).map(YAMLValue.text)
    case .boolean: return [.plain("true"), .plain("false")]
    case .duration: return waits.map(Form<Duration>.duration.write)
    case .either(let types):
      // A word alone, or as the key of what becomes of it.
      let words = types.flatMap { type -> [String] in if case .words(let words) = type { words } else { [] } }
      return types.flatMap { type -> [YAMLValue] in
        guard case .named(_, let results) = type else { return of(type) }
        return words.flatMap { word in of(results).map { .one(word, $0) } }
      }
    case .text, .scalar, .integer, .unsigned, .date, .code, .list, .named, .mapping, .partial, .other: return []
    }
  }
}
