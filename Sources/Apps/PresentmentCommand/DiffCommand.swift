import ArgumentParser
import CommandSupport
import TraceViews

/// `presentment diff A B`
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two traces, or the traces of two folders.",
    discussion: "Exit codes: 0 if they are the same, 1 if they differ, 2 if a file could not be read.")

  @Argument(help: "A trace, NAME.trace.jsonl, or a folder of traces.")
  var left: String

  @Argument(help: "Another trace or folder.")
  var right: String

  func run() throws {
    let report = try TraceComparison.compare(left, right)
    if !report.text.isEmpty { StandardOutput.print(report.text) }
    if !report.isSame { throw ExitCode(1) }
  }
}
