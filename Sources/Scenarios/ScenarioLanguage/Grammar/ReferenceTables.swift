import Primitives
import Vocabulary

/// The tables of the reference page of the scenario language, in Markdown.
enum ReferenceTables {
  /// A table for each kind of mapping, by the mapping's name.
  static var all: [(name: String, table: String)] {
    var tables: [(name: String, table: String)] = [("steps", steps)]
    for type in [ScenarioFile.form.type, Form<Flow>.flow.type, Form<FlowUse>.use.type] {
      // Their worlds and steps have tables of their own.
      if case .mapping(let mapping) = type { tables.append((mapping.title, table(mapping))) }
    }
    // The catalogue of faults has a page of its own.
    for kind in StepKind.all where kind.group != .fault { collect(kind.key.type, kind.key.name, into: &tables) }
    collect(Form<WorldDescription>.world.type, "world", into: &tables)
    return tables
  }

  private static var steps: String {
    markdownTable(["key", "kind", ""], StepKind.all.map { ["`\($0.key.name)`", $0.group.rawValue, $0.key.meaning] })
      + markdownTable(
        ["further key", "type", "default", "meaning"],
        StepForm.shared.map { ["`\($0.name)`", phrase($0.type), $0.usual ?? "none", $0.meaning] })
  }

  private static func collect(_ type: FormType, _ name: String, into tables: inout [(name: String, table: String)]) {
    switch type {
    case .mapping(let mapping):
      guard !tables.contains(where: { $0.name == mapping.title }) else { return }
      tables.append((mapping.title, table(mapping)))
      for key in mapping.keys { collect(key.type, key.name, into: &tables) }
    case .list(let item), .named(_, let item): collect(item, name, into: &tables)
    case .either(let types): for type in types { collect(type, name, into: &tables) }
    default: break
    }
  }

  private static func table(_ type: MappingType) -> String {
    markdownTable(
      ["key", "type", "default", "meaning"],
      type.keys.map { key in
        let usual = key.isRequired ? "required" : key.usual ?? (type.choice.contains(key.name) ? "" : "none")
        return ["`\(key.name)`", phrase(key.type), usual, key.meaning]
      })
  }

  /// The longest list of words that a table shows.
  private static let maximumWords = 12

  /// A type in words.
  private static func phrase(_ type: FormType) -> String {
    switch type {
    case .text: "text"
    case .scalar: "a value in words"
    case .boolean: "truth value"
    case .integer(let range):
      range.upperBound == .max ? "whole number" : "whole number from \(range.lowerBound) to \(range.upperBound)"
    case .unsigned: "whole number"
    case .duration: "duration"
    case .date: "date"
    case .words(let words):
      words.count > maximumWords
        ? "one of \(words.count) words" : words.map { "`\($0)`" }.joined(separator: ", ")
    case .name(let kind): kind.rawValue
    case .code(_, let noun): "\(noun), see [checks](checks.md)"
    case .list(let item): "list of: \(phrase(item))"
    case .named(let key, let item): "\(key) to \(phrase(item))"
    case .mapping, .partial: "mapping"
    case .either(let types): types.map(phrase).uniqued().joined(separator: "; or ")
    case .other(let text): text
    }
  }
}
