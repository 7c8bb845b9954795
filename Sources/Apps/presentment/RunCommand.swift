import ArgumentParser
import CrossCheck
import Ecosystem
import Foundation
import Reports
import ScenarioRunner

/// `presentment run PATH...`
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run scenario files, or every scenario in a folder.")

  @Argument(help: "Scenario files or folders; the extension .yaml is optional.")
  var paths: [String]

  @Option(help: "The seed of every world; the default is the scenario's.")
  var seed: UInt64?

  @Option(help: SandboxOption.help)
  var sandbox: WorldDescription.SandboxPlace?

  @Option(help: "The number of worlds that run at the same time.")
  var jobs: Int = 1

  @Option(help: "Write the journal of each case into this folder, as NAME.trace.jsonl.")
  var trace: String?

  @Option(help: "Run only the cases whose path or name contains this text.")
  var filter: String?

  @Option(name: .customLong("case"), help: "Run only the cases of exactly this name in the matrix of their file.")
  var caseName: String?

  @Flag(help: "Print the story of each case, step by step.")
  var story = false

  @Option(help: "Explain the decisions of a part of the system in each case: selector or checks.")
  var explain: ExplainReport.Topic?

  @Flag(help: "Check every signature and certificate chain again with the system's libcrypto.")
  var crossCheck = false

  /// The number of threads: the maximum is above any machine's number of cores and within its limits.
  static let jobsRange = 1...256

  func validate() throws {
    guard Self.jobsRange.contains(jobs) else {
      throw ValidationError("--jobs takes a number from 1 to \(Self.jobsRange.upperBound)")
    }
  }

  func run() throws {
    var batch = BatchRun(paths: paths)
    batch.seed = seed
    batch.sandbox = sandbox
    batch.jobs = jobs
    batch.traceFolder = trace
    batch.filter = filter
    batch.caseName = caseName
    if story { batch.views.append { StoryReport.text(of: $0) } }
    if let topic = explain { batch.views.append { ExplainReport.text(of: $0, about: topic) } }
    if crossCheck { batch.crossCheck = CrossChecker.check }
    let verdict = batch.run(output: { print($0) }, errors: { StandardError.write($0) })
    if verdict != .passed { throw ExitCode(verdict.rawValue) }
  }
}

extension ExplainReport.Topic: ExpressibleByArgument {}
extension WorldDescription.SandboxPlace: ExpressibleByArgument {}

/// The option `--sandbox` of the commands that run worlds.
enum SandboxOption {
  /// The help of the option.
  static let help: ArgumentHelp = "The place of every device's request sandbox; the default is the world's."
}

/// Standard error.
enum StandardError {
  /// Writes a line.
  static func write(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
