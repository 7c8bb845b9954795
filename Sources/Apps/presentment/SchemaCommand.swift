import ArgumentParser
import ScenarioLanguage

/// `presentment schema`
struct SchemaCommand: ParsableCommand {
  /// The kind of file, or the form of the output.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case scenario, world, tables
  }

  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of scenario or world files, for editors.",
    discussion: """
      'scenario' and 'world' print a JSON Schema (draft 2020-12). 'tables' prints the same grammar as the tables of
      docs/scenarios.md, in Markdown.
      """)

  @Argument(help: "scenario, world or tables.")
  var subject = Subject.scenario

  func run() {
    switch subject {
    case .scenario: print(ScenarioSchema.scenario, terminator: "")
    case .world: print(ScenarioSchema.world, terminator: "")
    case .tables:
      for (name, table) in ReferenceTables.all { print("<!-- keys: \(name) -->\n\n\(table)<!-- end -->\n") }
    }
  }
}
