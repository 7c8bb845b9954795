import ArgumentParser
import CommandSupport
import ExchangeFiles
import Foundation
import InteractiveWorlds
import LocatedYAML
import MobileDocument
import Primitives
import Reports
import ScenarioLanguage
import VerifierSuite
import Vocabulary

/// `presentment test-verifier TARGET.yaml`
struct TestVerifierCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-verifier", abstract: "Test a verifier server of your own: what it accepts, and what it refuses.",
    discussion: """
      The target is a YAML file with the server's addresses and what its answers look like. Real sessions are begun and
      real answers of a simulated phone are handed in: genuine ones, and dishonest ones with one mistake each. Exit codes:
      0 nothing is wrong, 1 something is, 2 something could not be decided. Requests go to the addresses of the target
      only.
      """)

  @Argument(help: "The file of the target; optional with --list and --roots.")
  var target: String?

  @Option(help: "Write what the server has to trust into this folder, and end.")
  var roots: String?

  @Flag(help: "Print the cases, and end.")
  var list = false

  @Option(help: "Only the cases with this id; * stands for any characters. Can be repeated.")
  var filter: [String] = []

  @Option(help: "The seed of keys and certificates; the same seed gives the same roots.")
  var seed: UInt64 = 1

  @Flag(help: "Exit with 1 for mistakes, too, that no clause obliges a server to notice.")
  var strict = false

  @Flag(help: "Print the cases that went right, too.")
  var all = false

  @Flag(help: "Call addresses of other machines; by default only this machine is called.")
  var remote = false

  @Option(help: SandboxOption.searchHelp)
  var sandbox: WorldDescription.SandboxPlace = .inProcess

  @Option(name: .customLong("report"), help: ReportOption.help, transform: { try ReportOrder($0) })
  var reports: [ReportOrder] = []

  @Option(help: "A YAML file of mistakes that are known, with their reasons: only others fail the run.")
  var known: String?

  @Option(help: "Write the mistakes of this run into this file; each then needs its reason.")
  var updateKnown: String?

  @Option(help: "For each answer that the server judged wrongly, write an exchange file for verify into this folder.")
  var out: String?

  func validate() throws {
    guard list || roots != nil || target != nil else { throw ValidationError("Missing the file of the target") }
    guard roots == nil || !list else { throw ValidationError("--roots and --list exclude each other") }
    do throws(ReportError) { try ReportOrder.check(reports) } catch { throw ValidationError(error.message) }
  }

  func run() throws {
    let cases = try chosenCases()
    if list { return try printList(cases) }
    try TemporaryFolder.with { folder in
      do {
        if let roots { return try writeRoots(to: roots, folder) }
        guard let path = target else { return }
        try test(try read(path), path: path, cases, folder)
      } catch let error as ExchangeFileError {
        throw ExchangeCommands.fail(error)
      }
    }
  }

  private func chosenCases() throws -> [SuiteCase] {
    guard !filter.isEmpty else { return SuiteCatalogue.all }
    var chosen: Set<String> = []
    for pattern in filter {
      let found = SuiteCatalogue.all.filter { CaseName.matches($0.id, pattern) }
      guard !found.isEmpty else {
        let nearest = NearestName.of(pattern, in: SuiteCatalogue.all.map(\.id)).map { "; did you mean '\($0)'?" }
        StandardError.write("no case has the id '\(TerminalSafe.text(pattern))'\(nearest ?? "")")
        throw ExitCode(2)
      }
      chosen.formUnion(found.map(\.id))
    }
    return SuiteCatalogue.all.filter { chosen.contains($0.id) }
  }

  private func printList(_ cases: [SuiteCase]) throws {
    let width = cases.map(\.id.count).max() ?? 0
    for found in cases {
      let id = found.id + String(repeating: " ", count: width - found.id.count)
      let weight = found.weight.rawValue + String(repeating: " ", count: 6 - found.weight.rawValue.count)
      try ExchangeCommands.say("\(id)  \(found.expects.rawValue)  \(weight)  \(found.title)")
    }
  }

  private func writeRoots(to path: String, _ folder: URL) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let file = URL(fileURLWithPath: path).appendingPathComponent("issuer-roots.pem").relativePath
    let pem: [UInt8]
    do throws(InteractiveWorldError) {
      pem = try SuiteRoots.pem(seed: seed, folder: folder)
    } catch {
      StandardError.write("\(error)")
      throw ExitCode(2)
    }
    try Files.write([Files.Output(path: file, bytes: pem, isSecret: false)])
    try ExchangeCommands.say("\(file): the roots of the suite's issuing authorities, for your server to trust")
  }

  private func read(_ path: String) throws -> VerifierTarget {
    let problems = ProblemCollector()
    let found = VerifierTarget.read(path, environment: ProcessInfo.processInfo.environment, problems)
    guard let found, problems.isEmpty else {
      StandardError.write(problems.rendered())
      throw ExitCode(2)
    }
    if !remote, let address = found.remoteAddresses.first {
      StandardError.write("\(address) is not an address of this machine; --remote calls it all the same")
      throw ExitCode(2)
    }
    return found
  }

  private func test(_ target: VerifierTarget, path: String, _ cases: [SuiteCase], _ folder: URL) throws {
    try requireSeparate(path)
    let command = "presentment test-verifier \(TerminalSafe.text(path))" + (seed == 1 ? "" : " --seed \(seed)")
    let run: SuiteRun
    do throws(InteractiveWorldError) {
      run = try SuiteRun(of: cases, against: target, seed: seed, sandbox: sandbox, folder: folder)
    } catch {
      StandardError.write("\(error)")
      throw ExitCode(2)
    }
    let known = try knownFailures()
    let start = ContinuousClock.now
    let result = known.applied(to: run.run(), at: DateTime(Date()))
    let time = ContinuousClock.now - start
    if let updateKnown {
      let text = KnownFailures.written(result.outcomes, target: target.name)
      try Files.write([Files.Output(path: updateKnown, bytes: Array(text.utf8), isSecret: false)])
    }
    if let out { try write(result, to: out) }
    let report = result.report(path: path, seed: seed, command: command, isStrict: strict, time: time)
    var code = result.exitCode(isStrict: strict)
    do throws(ReportError) { try report.write(reports) } catch {
      StandardError.write("\(error)")
      code = 2
    }
    let text =
      "\(TerminalSafe.text(target.name))  \(target.origin.serialized)  seed \(seed)\n\n"
      + SuiteText(result, command: command, isWhole: all).text
    if reports.contains(where: \.ownsStandardOutput) {
      StandardError.write(text)
    } else {
      try ExchangeCommands.say(text)
    }
    if code != 0 { throw ExitCode(code) }
  }

  private func knownFailures() throws -> KnownFailures {
    guard let known else { return KnownFailures() }
    let problems = ProblemCollector()
    guard let found = KnownFailures.read(known, problems), problems.isEmpty else {
      StandardError.write(problems.rendered())
      throw ExitCode(2)
    }
    return found
  }

  private func requireSeparate(_ path: String) throws {
    try Files.requireDistinct([updateKnown], from: [path, known])
    do throws(ReportError) { try ReportOrder.check(reports, inputs: [path] + [known].compactMap(\.self)) } catch {
      StandardError.write("\(error)")
      throw ExitCode(2)
    }
  }

  /// Writes the answers that the server judged wrongly.
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
