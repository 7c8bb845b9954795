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

  @Argument(help: "Scenario files or folders; the ending .yaml may be left out.")
  var paths: [String]

  @Option(help: "Seed of every world, instead of the scenarios' own.")
  var seed: UInt64?

  @Option(help: "Where the request sandbox of every device runs, instead of where the scenarios say.")
  var sandbox: WorldDescription.SandboxPlace?

  @Option(help: "How many worlds run at the same time.")
  var jobs: Int = 1

  @Option(help: "Write the journal of each case into this folder, as NAME.trace.jsonl.")
  var trace: String?

  @Option(help: "Run only the cases whose path or name contains this text.")
  var filter: String?

  @Flag(help: "Tell what happens in each case, step by step.")
  var story = false

  @Option(help: "Explain in each case how a part of the system decided: selector.")
  var explain: ExplainReport.Topic?

  @Flag(help: "Check every signature and certificate chain again with the system's libcrypto.")
  var crossCheck = false

  /// Threads that are worth starting: far more than any machine has cores, far fewer than it can hold.
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
    if story { batch.views.append { StoryReport.text(of: $0) } }
    if let topic = explain { batch.views.append { ExplainReport.text(of: $0, about: topic) } }
    if crossCheck { batch.crossCheck = CrossChecker.check }
    let verdict = batch.run(output: { print($0) }, errors: { StandardError.write($0) })
    if verdict != .passed { throw ExitCode(verdict.rawValue) }
  }
}

extension ExplainReport.Topic: ExpressibleByArgument {}
extension WorldDescription.SandboxPlace: ExpressibleByArgument {}

/// Standard error.
enum StandardError {
  /// Writes a line.
  static func write(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
