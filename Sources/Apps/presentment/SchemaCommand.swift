import ArgumentParser
import Messaging
import ScenarioLanguage

/// `presentment schema`
struct SchemaCommand: ParsableCommand {
  /// The kind of file, or the form of the output.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case scenario, world, trace, tables
  }

  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of scenario files, world files or lines of traces.",
    discussion: """
      'scenario', 'world' and 'trace' print a JSON Schema (draft 2020-12); that of a trace is for one line. 'tables'
      prints the tables of docs/scenarios.md and docs/trace.md, in Markdown.
      """)

  @Argument(help: "scenario, world, trace or tables.")
  var subject = Subject.scenario

  func run() {
    switch subject {
    case .scenario: print(ScenarioSchema.scenario, terminator: "")
    case .world: print(ScenarioSchema.world, terminator: "")
    case .trace: print(TraceFormat.schema, terminator: "")
    case .tables:
      for (name, table) in ReferenceTables.all + TraceFormat.tables {
        print("<!-- keys: \(name) -->\n\n\(table)<!-- end -->\n")
      }
    }
  }
}
