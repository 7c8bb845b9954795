import ArgumentParser
import CCrashNotice
import CommandSupport
import Foundation
import LocatedYAML
import Primitives
import Reports
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import ScenarioSearch
import Vocabulary

/// `presentment sweep PATH…`
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep", abstract: "Alter every byte of every message of a scenario, and list who notices it.",
    discussion: """
      Each alteration has a run of its own: one bit of one byte is flipped, or a message is truncated, dropped, \
      duplicated or swapped with another one of its kind. The table says for each message which party noticed how many \
      alterations with which check, and why the others stay unnoticed. If a run crashes the program, it prints the \
      alteration and the command that repeats it.

      Several scenarios are swept one after the other: a table for each below its name, and the sums of all at the end.

      Exit codes: 0 if every unnoticed alteration has a listed reason, 1 otherwise, 2 if a scenario cannot be swept.
      """)

  @Argument(help: "Scenario files or folders; the extension .yaml is optional.")
  var paths: [String]

  @Option(help: "The name of a case in each file with a matrix; the default is the first.")
  var `case`: String?

  @Option(help: "The seed of the world; the default is the scenario's.")
  var seed: UInt64?

  @Option(help: SandboxOption.searchHelp)
  var sandbox: WorldDescription.SandboxPlace = .inProcess

  @OptionGroup var running: JobsOptions

  @Option(help: "Alter only the message with this number, of one scenario: each numbers its own messages.")
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

  @Flag(help: "Print one JSON object for each scenario instead of text.")
  var json = false

  @Option(
    help: "Write the map of every byte into this file, as one page; the maps of several scenarios into this folder.")
  var html: String?

  func validate() throws {
    guard (0...7).contains(bit) else { throw ValidationError("--bit takes a number from 0 to 7") }
    guard stride > 0 else { throw ValidationError("--stride takes a number from 1") }
    if change != nil, only == nil { throw ValidationError("--change needs --only") }
    if trace != nil, change == nil { throw ValidationError("--trace needs --change") }
    if html?.isEmpty == true { throw ValidationError("--html takes a path") }
  }

  func run() throws {
    let problems = ProblemCollector(limit: SourceLimits.problemsOfRun)
    let files = ScenarioFinder.files(at: paths, problems)
    guard files.count < 2 || only == nil else {
      throw ExitCode.failing(
        "--only takes one scenario, because each numbers its own messages; found \(files.count) scenario files")
    }
    var worlds = WorldSources()
    let read = files.map { ($0, cases(in: $0, &worlds, problems)) }
    if !problems.isEmpty { StandardError.write(problems.rendered()) }
    let chosen = read.map { file, cases in (file, cases.flatMap { self.chosen(from: $0, in: file) }) }
    let areSeveral = paths.count > 1 || paths.contains(where: Files.isFolder)
    let maps = maps(of: chosen.compactMap(\.1), inFolder: areSeveral)
    try Files.requireDistinct([trace] + chosen.map { maps[$0.0] }, from: files + worlds.paths)
    var sums = SweepSums()
    var code: Int32 = problems.isEmpty ? 0 : 2
    for (file, scenario) in chosen {
      let heading = areSeveral && !json ? "\(TerminalSafe.text(file)):\n" : ""
      guard let scenario, let result = sweep(scenario, heading) else {
        sums.addUnswept(file)
        code = 2
        continue
      }
      let report = SweepReport(result)
      sums.add(report, of: file)
      let text = json ? String(decoding: report.json, as: UTF8.self) : heading + report.text
      StandardOutput.print(text + (heading.isEmpty ? "" : "\n"), terminator: "")
      let areWritten = write(result, report, map: maps[file])
      code = max(code, areWritten ? result.isClean ? 0 : 1 : 2)
    }
    if areSeveral, !json, !chosen.isEmpty { StandardOutput.print(sums.text, terminator: "") }
    if code != 0 { throw ExitCode(code) }
  }

  /// The paths of the maps, by the files of the scenarios.
  private func maps(of scenarios: [Scenario], inFolder: Bool) -> [String: String] {
    guard let html else { return [:] }
    var names = CaseFileNames()
    let folder = html.hasSuffix("/") ? html : html + "/"
    return Dictionary(
      scenarios.map { ($0.path, inFolder ? "\(folder)\(names.next(for: $0)).html" : html) },
      uniquingKeysWith: { one, _ in one })
  }

  /// Sweeps a case; nil with an error on standard error if it cannot be swept.
  private func sweep(_ scenario: Scenario, _ heading: String) -> SweepResult? {
    var plan = SweepPlan(scenario.parsing(sandbox))
    plan.seed = seed
    plan.jobs = running.jobs
    plan.onlyMessage = only
    plan.onlyChange = change
    plan.bit = bit
    plan.stride = stride
    plan.usesFaults = faults
    let hasCrashNotice = crash_notice_install() == 0
    do {
      return try plan.run(
        begins: { if hasCrashNotice { crash_notice_set(crashNotice(for: $0, in: scenario.path)) } },
        progress: SearchProgress.of("alterations"))
    } catch {
      StandardError.write(heading + error.message)
      return nil
    }
  }

  /// Writes the trace and the map.
  /// - Returns: False with an error on standard error if one cannot be written.
  private func write(_ result: SweepResult, _ report: SweepReport, map: String?) -> Bool {
    var areWritten = true
    func write(_ name: String, to path: String, _ content: [UInt8]) {
      do { try ReportFile.write(content, to: path) } catch {
        StandardError.write("the \(name) cannot be written: \(error)")
        areWritten = false
      }
    }
    if let trace, let alteration = result.outcomes.first?.alteration {
      write("trace", to: trace, result.subject.replay(alteration).trace())
    }
    if let map { write("map", to: map, Array(report.html.utf8)) }
    return areWritten
  }

  /// The notice of a run that crashes the program: the alteration, and the command that repeats it.
  private func crashNotice(for alteration: Alteration, in scenario: String) -> String {
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

  /// Reads the cases of a file; nil if a problem was reported.
  private func cases(in file: String, _ worlds: inout WorldSources, _ problems: ProblemCollector) -> [Scenario]? {
    let found = ProblemCollector()
    defer { problems.absorb(found) }
    return ScenarioReader.read(file, worlds: &worlds, found)
  }

  /// The case to sweep; nil with an error on standard error if the file does not have it.
  private func chosen(from cases: [Scenario], in file: String) -> Scenario? {
    if let found = cases.first(where: { `case` == nil || $0.caseName == `case` }) { return found }
    let names = cases.compactMap(\.caseName).joined(separator: ", ")
    StandardError.write(
      "\(TerminalSafe.text(file)): unknown case '\(TerminalSafe.text(`case` ?? ""))'; available: "
        + (names.isEmpty ? "the file has no matrix" : names))
    return nil
  }
}

/// The progress of a search on a terminal.
enum SearchProgress {
  /// Prints each percent of the work on one line of the terminal; nothing elsewhere.
  /// - Parameter noun: The name of the pieces of work, in the plural.
  static func of(_ noun: String) -> @Sendable (_ done: Int, _ all: Int) -> Void {
    { done, all in
      guard Terminal.rewritesLines(STDERR_FILENO), done == all || done % max(1, all / 100) == 0 else { return }
      let text = done == all ? "\r\u{1b}[K" : "\r\u{1b}[K\(done * 100 / all) %  \(done) of \(all) \(noun)"
      StandardError.put(text)
    }
  }
}
