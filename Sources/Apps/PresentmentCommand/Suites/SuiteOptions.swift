import ArgumentParser
import CaseSuites
import CommandSupport
import Foundation
import JSON
import LocatedYAML
import Primitives
import Reports
import ScenarioLanguage

/// The options that every command with a suite of cases has.
struct SuiteOptions: ParsableArguments {
  @Flag(help: "Print the cases, and end.")
  var list = false

  @Flag(help: "With --list: as JSON, with the clause of each case.")
  var json = false

  @Option(help: "Write the cases into this folder, for a library without a program or a server, and end.")
  var writeFiles: String?

  @Option(help: "Judge the verdicts in this folder, which --write-files made, instead of calling anything.")
  var files: String?

  @Option(help: "Only the cases with this id; * stands for any characters. Can be repeated.")
  var filter: [String] = []

  @Flag(help: "Exit with 1 for mistakes, too, that no clause obliges the program to notice.")
  var strict = false

  @Flag(help: "Print the cases that went right or were not tested, too.")
  var all = false

  @Option(name: .customLong("report"), help: ReportOption.help, transform: { try ReportOrder($0) })
  var reports: [ReportOrder] = []

  @Option(help: "A YAML file of mistakes that are known, with their reasons: only others fail the run.")
  var known: String?

  @Option(help: "Write the mistakes of this run into this file; each then needs its reason.")
  var updateKnown: String?

  @Option(
    help: "For each answer that was wrong, or judged wrongly, write an exchange file for verify into this folder.")
  var out: String?

  func validate() throws {
    guard list || !json else { throw ValidationError("--json is for --list") }
    do throws(ReportError) { try ReportOrder.check(reports) } catch { throw ValidationError(error.message) }
  }

  /// The chosen ones of a suite's cases.
  func chosen<Case: Identifiable<String>>(of cases: [Case]) throws -> [Case] {
    guard !filter.isEmpty else { return cases }
    var chosen: Set<String> = []
    for pattern in filter {
      let found = cases.filter { CaseName.matches($0.id, pattern) }
      guard !found.isEmpty else {
        let nearest = NearestName.of(pattern, in: cases.map(\.id)).map { "; did you mean '\($0)'?" }
        throw ExitCode.failing("no case has the id '\(TerminalSafe.text(pattern))'\(nearest ?? "")")
      }
      chosen.formUnion(found.map(\.id))
    }
    return cases.filter { chosen.contains($0.id) }
  }

  /// Prints the chosen cases.
  func printList(of suite: Suite) throws {
    let cases = try chosen(of: suite.cases)
    if json { return try ExchangeCommands.say(String(decoding: Self.json(of: cases).indented, as: UTF8.self)) }
    let width = cases.map(\.id.count).max() ?? 0
    for found in cases {
      let (expects, weight) = (found.expects.rawValue.padded(to: 6), found.weight.rawValue.padded(to: 6))
      try ExchangeCommands.say("\(found.id.padded(to: width))  \(expects)  \(weight)  \(found.title)")
    }
  }

  private static func json(of cases: [SuiteCase]) -> JSONValue {
    .array(
      cases.map { found in
        let check = found.check.map { [("check", JSONValue.string($0))] } ?? []
        let members = [
          ("id", found.id), ("group", found.group.rawValue), ("expects", found.expects.rawValue),
          ("weight", found.weight.rawValue), ("title", found.title), ("clause", found.clause),
        ]
        return JSONValue(members: members.map { ($0.0, JSONValue.string($0.1)) } + check)
      })
  }

  /// Writes the files of cases, and makes a folder for the verdicts.
  func write(_ files: [SuiteFile], to folder: String, verdicts: String) throws {
    _ = try Self.write(files.map { ($0.path, $0.bytes, $0.isSecret) }, to: folder, making: ["cases", verdicts])
    let count = files.filter { $0.path.hasPrefix("cases/") }.count
    try ExchangeCommands.say(
      "\(TerminalSafe.text(folder)): \(count) cases; what the library makes of each belongs into its folder \(verdicts)"
    )
  }

  /// Writes files into a folder, after making folders in it. Returns the paths of the files.
  static func write(
    _ files: [(name: String, bytes: [UInt8], isSecret: Bool)], to folder: String, making parts: [String]
  ) throws -> [String] {
    let base = URL(fileURLWithPath: folder)
    for part in parts {
      try FileManager.default.createDirectory(at: base.appendingPathComponent(part), withIntermediateDirectories: true)
    }
    let outputs = files.map { name, bytes, isSecret in
      Files.Output(path: base.appendingPathComponent(name).relativePath, bytes: bytes, isSecret: isSecret)
    }
    try Files.write(outputs)
    return outputs.map(\.path)
  }

  /// Reads the known mistakes, and requires that no output of the command is one of its inputs.
  private func knownFailures(of suite: Suite, besides inputs: [String]) throws -> KnownFailures {
    try Files.requireDistinct([updateKnown], from: inputs + [known])
    do throws(ReportError) { try ReportOrder.check(reports, inputs: inputs + [known].compactMap(\.self)) } catch {
      throw ExitCode.failing("\(error)")
    }
    guard let known else { return KnownFailures() }
    let problems = ProblemCollector()
    guard let found = KnownFailures.read(known, of: suite, problems), problems.isEmpty else {
      throw ExitCode.failing(problems.rendered())
    }
    return found
  }

  /// Tries cases, and shows on a terminal how many have ended.
  /// - Parameter run: Tries them, and calls its argument with each outcome.
  func result(of total: Int, _ run: (_ ended: (CaseOutcome) -> Void) throws -> SuiteResult) rethrows -> SuiteResult {
    let console = RunConsole(usesStandardError: reports.contains(where: \.ownsStandardOutput))
    defer { console.end() }
    var (done, failed) = (0, 0)
    return try run { outcome in
      done += 1
      if outcome.verdict == .unclear || outcome.counts(isStrict: strict) { failed += 1 }
      console.show(done: done, of: total, failed: failed)
    }
  }

  /// Tries or judges cases, writes what the options ask for and prints the report.
  ///
  /// - Parameters:
  ///   - path: The file of the target.
  ///   - seed: The seed of the suite's keys.
  ///   - command: The command that repeats the run.
  ///   - heading: The first line of the text: the target.
  ///   - interruption: What ends the run early.
  /// - Throws: `ExitCode` if something is wrong or undecided.
  func report(
    on suite: Suite, at path: String, seed: UInt64, command: String, heading: (SuiteResult) -> String,
    until interruption: SuiteInterruption, _ run: () throws -> SuiteResult
  ) throws {
    let known = try knownFailures(of: suite, besides: [path])
    let start = ContinuousClock.now
    let found = try run()
    let (time, signal) = (ContinuousClock.now - start, interruption.signal)
    let result = known.applied(to: found, at: DateTime(Date()))
    if let updateKnown {
      let text = KnownFailures.written(result.outcomes, target: result.target)
      try Files.write([Files.Output(path: updateKnown, bytes: Array(text.utf8), isSecret: false)])
    }
    if let out { try write(result, to: out) }
    let report = result.report(path: path, seed: seed, command: command, isStrict: strict, time: time)
    var code = result.exitCode(isStrict: strict)
    do throws(ReportError) { try report.write(reports) } catch {
      StandardError.write("\(error)")
      code = 2
    }
    let text = "\(heading(result))\n\n" + SuiteText(result, command: command, isWhole: all, isStrict: strict).text
    if reports.contains(where: \.ownsStandardOutput) {
      StandardError.write(text)
    } else {
      try ExchangeCommands.say(text)
    }
    if let signal { throw ExitCode(128 + signal) }
    if code != 0 { throw ExitCode(code) }
  }

  /// Writes the exchanges of wrong verdicts.
  private func write(_ result: SuiteResult, to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let base = URL(fileURLWithPath: folder)
    for outcome in result.outcomes where outcome.isWrong {
      guard let bytes = outcome.exchange else { continue }
      let path = base.appendingPathComponent("\(outcome.suiteCase.id).json").path
      try Files.write([Files.Output(path: path, bytes: bytes, isSecret: true)])
    }
  }
}
