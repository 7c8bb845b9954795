import ArgumentParser
import CommandSupport
import Messaging
import ScenarioLanguage
import Telling

/// `presentment schema`
struct SchemaCommand: ParsableCommand {
  /// The kind of file, or the form of the output.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case scenario, world, trace
  }

  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of scenario files, world files or lines of traces.",
    discussion: """
      The output is a JSON Schema (draft 2020-12); that of a trace is for one line.
      """)

  @Argument(help: "scenario, world or trace.")
  var subject = Subject.scenario

  func run() {
    switch subject {
    case .scenario: StandardOutput.print(ScenarioSchema.scenario, terminator: "")
    case .world: StandardOutput.print(ScenarioSchema.world, terminator: "")
    case .trace: StandardOutput.print(TraceFormat.schema, terminator: "")
    }
  }
}
