import ArgumentParser
import CommandSupport
import LocatedYAML
import Primitives
import ScenarioFiles

/// `presentment lint PATH...`
struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Read scenario files, worlds and flows, and report every problem without running a case.",
    discussion: """
      Exit codes: 2 if a file cannot be used, otherwise 0, or with --strict 1 if there is advice.
      """)

  @Argument(help: "Scenario files or folders; the extension .yaml is optional.")
  var paths: [String]

  @Flag(help: "Exit with 1 if there is advice.")
  var strict = false

  func run() throws {
    let lint = ScenarioLint(paths)
    for findings in [lint.problems, lint.advice] where !findings.isEmpty {
      StandardOutput.print(findings.rendered() + "\n")
    }
    let (problems, advice) = (lint.problems.count, lint.advice.count)
    StandardOutput.print(
      "\(lint.files.counted("file")): \(problems.counted("problem")), "
        + (advice == 1 ? "1 piece of advice" : "\(advice) pieces of advice"))
    if problems > 0 { throw ExitCode(2) }
    if strict && advice > 0 { throw ExitCode(1) }
  }
}
