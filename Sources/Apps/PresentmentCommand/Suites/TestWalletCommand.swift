import ArgumentParser
import CaseSuites
import CommandSupport
import Foundation
import LocatedYAML
import OwnWallets
import Primitives
import ScenarioLanguage
import WalletSuite

/// `presentment test-wallet TARGET.yaml`
struct TestWalletCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-wallet", abstract: "Test a wallet of your own: what it answers, and what it refuses.",
    discussion: """
      The target is a YAML file with a program that speaks for the wallet: it gets requests as lines of JSON on its \
      standard input, and answers on its standard output. Genuine requests must be answered with exactly the requested \
      elements, dishonest ones must be refused. Exit codes: 0 nothing is wrong, 1 something is, 2 something could not \
      be decided.
      """)

  @Argument(help: "The file of the target; optional with --list, --files and --write-files.")
  var target: String?

  @Option(help: "The seed of keys and certificates.")
  var seed: UInt64 = 1

  @OptionGroup
  var options: SuiteOptions

  /// The descriptors for the wallet's program and its pipes, with room.
  private static let descriptors = 24

  func validate() throws {
    let chosen = [target, options.writeFiles, options.files].compactMap(\.self)
    guard options.list || chosen.count == 1 else {
      throw ValidationError("Expected the file of the target, --files or --write-files")
    }
  }

  func run() throws {
    if options.list { return try options.printList(of: WalletCatalogue.suite) }
    let cases = try options.chosen(of: WalletCatalogue.all)
    if let folder = options.writeFiles {
      let contents = try WalletFiles(seed: seed, at: DateTime(Date())).contents(of: cases)
      return try options.write(contents, to: folder, verdicts: "answers")
    }
    guard let path = target ?? options.files else { return }
    let interruption = SuiteInterruption()
    let signals = options.files == nil ? InterruptSignals(interruption.ask) : nil
    defer { withExtendedLifetime(signals) {} }
    let place = (options.files == nil ? "" : "--files ") + TerminalSafe.text(path)
    try options.report(
      on: WalletCatalogue.suite, at: path, seed: seed,
      command: "presentment test-wallet \(place)" + (seed == 1 ? "" : " --seed \(seed)"),
      heading: { "\(TerminalSafe.text($0.target))  seed \(seed)" }, until: interruption
    ) {
      try options.files.map { try WalletFiles(readingFrom: $0).judged(cases) } ?? tested(cases, by: path, interruption)
    }
  }

  private func tested(_ cases: [WalletCase], by path: String, _ interruption: SuiteInterruption) throws -> SuiteResult {
    let problems = ProblemCollector()
    guard let target = WalletTarget.read(path, problems), problems.isEmpty else {
      throw ExitCode.failing(problems.rendered())
    }
    MachineNeeds.requireDescriptors(Self.descriptors)
    let run = try WalletRun(of: cases, against: target, seed: seed, at: DateTime(Date()))
    return options.result(of: cases.count) { run.run(until: interruption, ended: $0) }
  }
}
