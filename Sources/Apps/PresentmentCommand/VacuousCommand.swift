import ArgumentParser
import CommandSupport
import LocatedYAML
import Reports
import ScenarioFiles
import ScenarioSearch
import Vocabulary

/// `presentment vacuous [PATH ...]`
struct VacuousCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vacuous", abstract: "Take out what each case is about, and list the cases that still pass.",
    discussion: """
      Each case runs without each of its faults, and without each of the keys that it changes in its world. One that \
      passes all the same shows nothing of them. A case can give the reason under 'passes-without'; a reason that is \
      not needed is listed too.

      Exit codes: 0 if nothing is listed, 1 otherwise, 2 if a file cannot be used or a case does not pass with all of \
      its parts.
      """)

  @Argument(help: "Scenario files or folders; the extension .yaml is optional.")
  var paths: [String] = ["scenarios"]

  @Option(help: SandboxOption.help)
  var sandbox: WorldDescription.SandboxPlace?

  @OptionGroup var running: JobsOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let problems = ProblemCollector(limit: SourceLimits.problemsOfRun)
    var worlds = WorldSources()
    let files = ScenarioFinder.files(at: paths, problems).compactMap { path in
      let found = ProblemCollector()
      defer { problems.absorb(found) }
      return DividedFile(path, worlds: &worlds, found)
    }
    guard problems.isEmpty else { throw ExitCode.failing(problems.rendered()) }
    var plan = VacuousPlan(files)
    plan.sandbox = sandbox
    plan.jobs = running.jobs
    if let obstacle = plan.obstacle { throw ExitCode.failing(obstacle) }
    let result = plan.run(progress: SearchProgress.of("cases"))
    let report = VacuousReport(result)
    StandardOutput.print(json ? String(decoding: report.json, as: UTF8.self) : report.text, terminator: "")
    if !result.failures.isEmpty { throw ExitCode(2) }
    if !result.isClean { throw ExitCode(1) }
  }
}
