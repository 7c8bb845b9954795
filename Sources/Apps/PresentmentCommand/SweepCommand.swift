import ArgumentParser
import CCrashNotice
import CommandSupport
import ExchangeFiles
import Foundation
import LocatedYAML
import Reports
import ScenarioLanguage
import ScenarioRunner
import ScenarioSearch
import Vocabulary

/// `presentment sweep SCENARIO`
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep", abstract: "Alter every byte of every message of a scenario, and list who notices it.",
    discussion: """
      Each alteration has a run of its own: one bit of one byte is flipped, or a message is truncated, dropped, \
      duplicated or swapped with another one of its kind. The table says for each message which party noticed how many \
      alterations with which check, and why the others stay unnoticed. If a run crashes the program, it prints the \
      alteration and the command that repeats it.

      Exit codes: 0 if every unnoticed alteration has a listed reason, 1 otherwise, 2 if the scenario cannot be swept.
      """)

  @Argument(help: "A scenario file; the extension .yaml is optional.")
  var scenario: String

  @Option(help: "The name of a case in a file with a matrix; the default is the first.")
  var `case`: String?

  @Option(help: "The seed of the world; the default is the scenario's.")
  var seed: UInt64?

  @Option(help: SandboxOption.searchHelp)
  var sandbox: WorldDescription.SandboxPlace = .inProcess

  @OptionGroup var running: JobsOptions

  @Option(help: "Alter only the message with this number.")
  var only: Int?

  @Option(help: "Make only the alteration with this name, of the message that --only names.")
  var change: String?

  @Option(help: "Write the journal of the run with the alteration that --change names into this file.")
  var trace: String?

  @Option(help: "The bit to flip in each byte, from 0 for the lowest to 7.")
  var bit: Int = 0

  @Option(help: "Flip a bit of one byte of this many.")
  var stride: Int = 1

  @Flag(help: "Inject every fault of the catalogue that acts on a message, too.")
  var faults = false

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: "Write the map of every byte into this file, as one page.")
  var html: String?

  func validate() throws {
    guard (0...7).contains(bit) else { throw ValidationError("--bit takes a number from 0 to 7") }
    guard stride > 0 else { throw ValidationError("--stride takes a number from 1") }
    if change != nil, only == nil { throw ValidationError("--change needs --only") }
    if trace != nil, change == nil { throw ValidationError("--trace needs --change") }
  }

  func run() throws {
    var plan = SweepPlan(try chosenCase().parsing(sandbox))
    plan.seed = seed
    plan.jobs = running.jobs
    plan.onlyMessage = only
    plan.onlyChange = change
    plan.bit = bit
    plan.stride = stride
    plan.usesFaults = faults
    let result: SweepResult
    let hasCrashNotice = crash_notice_install() == 0
    do {
      result = try plan.run(
        begins: { if hasCrashNotice { crash_notice_set(crashNotice(for: $0)) } },
        progress: SearchProgress.of("alterations"))
    } catch {
      StandardError.write(error.message)
      throw ExitCode(2)
    }
    let report = SweepReport(result)
    StandardOutput.print(json ? String(decoding: report.json, as: UTF8.self) : report.text, terminator: "")
    if let trace, let alteration = result.outcomes.first?.alteration {
      try write("trace", to: trace) { result.subject.replay(alteration).trace() }
    }
    if let html { try write("map", to: html) { Array(report.html.utf8) } }
    if !result.isClean { throw ExitCode(1) }
  }

  private func write(_ name: String, to path: String, _ content: () -> [UInt8]) throws {
    do { try ReportFile.write(content(), to: path) } catch {
      StandardError.write("the \(name) cannot be written: \(error)")
      throw ExitCode(2)
    }
  }

  /// The notice of a run that crashes the program: the alteration, and the command that repeats it.
  private func crashNotice(for alteration: Alteration) -> String {
    var command = "presentment sweep \(CaseResult.quoted(scenario))"
    if let `case` { command += " --case \(CaseResult.quoted(`case`))" }
    if let seed { command += " --seed \(seed)" }
    if sandbox != .inProcess { command += " --sandbox \(sandbox.rawValue)" }
    switch alteration.change {
    case .fault(let fault):
      command += " --faults"
      // Faults of parties are injected only if all messages are altered.
      if fault.messageKind == nil { return "\nthe fault \(fault.id) crashed the program; again: \(command)\n" }
    case .flipped where bit != 0: command += " --bit \(bit)"
    case .flipped, .truncated, .dropped, .duplicated, .swapped: break
    }
    return "\nalteration \(alteration.name) of message \(alteration.number) crashed the program; again: \(command) "
      + "--only \(alteration.number) --change \(alteration.name)\n"
  }

  /// Reads the file, and returns the case to sweep.
  private func chosenCase() throws -> Scenario {
    let problems = ProblemCollector()
    let files = ScenarioFinder.files(at: [scenario], problems)
    guard files.count < 2 else {
      StandardError.write("\(scenario) has \(files.count) scenario files; a sweep takes one")
      throw ExitCode(2)
    }
    var worlds = WorldSources()
    guard let file = files.first, let cases = ScenarioReader.read(file, worlds: &worlds, problems) else {
      StandardError.write(problems.rendered())
      throw ExitCode(2)
    }
    do throws(ExchangeFileError) {
      try Files.requireDistinct([trace, html], from: [file] + worlds.paths)
    } catch {
      throw ExchangeCommands.fail(error)
    }
    guard let chosen = cases.first(where: { `case` == nil || $0.caseName == `case` }) else {
      let names = cases.compactMap(\.caseName).joined(separator: ", ")
      StandardError.write(
        "unknown case '\(`case` ?? "")'; available: \(names.isEmpty ? "the file has no matrix" : names)")
      throw ExitCode(2)
    }
    return chosen
  }
}

/// The progress of a search on a terminal.
enum SearchProgress {
  /// Prints each percent of the work on one line of the terminal; nothing elsewhere.
  /// - Parameter noun: the name of the pieces of work, in the plural.
  static func of(_ noun: String) -> @Sendable (_ done: Int, _ all: Int) -> Void {
    { done, all in
      guard Terminal.rewritesLines(STDERR_FILENO), done == all || done % max(1, all / 100) == 0 else { return }
      let text = done == all ? "\r\u{1b}[K" : "\r\u{1b}[K\(done * 100 / all) %  \(done) of \(all) \(noun)"
      StandardError.put(text)
    }
  }
}
