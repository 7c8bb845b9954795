import ArgumentParser
import CaseSuites
import CommandSupport
import DigitalCredentials
import Foundation
import LocatedYAML
import MobileDocument
import OwnServers
import Primitives
import VerifierSuite
import Vocabulary

/// `presentment test-verifier TARGET.yaml`
struct TestVerifierCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-verifier", abstract: "Test a verifier server of your own: what it accepts, and what it refuses.",
    discussion: """
      The target is a YAML file with the server's addresses and what its answers look like. Real sessions are begun \
      and real answers of a simulated phone are handed in: genuine ones, and dishonest ones with one mistake each. \
      Exit codes: 0 nothing is wrong, 1 something is, 2 something could not be decided. Requests go to the addresses \
      of the target only.
      """)

  @Argument(help: "The file of the target; optional with --list, --roots, --files and --write-files.")
  var target: String?

  @Option(
    help: "Write what the server has to trust, and a reader that may sign its requests, into this folder, and end.")
  var roots: String?

  @Option(help: "With --roots: the domain name in the reader's certificate.")
  var readerDomain = "localhost"

  @Option(help: "The seed of keys and certificates; the same seed gives the same roots.")
  var seed: UInt64 = 1

  @Option(help: "Calls at the same time; by default what the target's limits say.")
  var jobs: Int?

  @Flag(help: "Call addresses of other machines; by default only this machine is called.")
  var remote = false

  @Option(help: SandboxOption.searchHelp)
  var sandbox: WorldDescription.SandboxPlace = .inProcess

  @OptionGroup
  var options: SuiteOptions

  func validate() throws {
    let calls = VerifierTarget.Limits.parallelCalls
    if let jobs, !calls.contains(jobs) {
      throw ValidationError("--jobs takes a number from \(calls.lowerBound) to \(calls.upperBound)")
    }
    guard roots == nil || !options.list else { throw ValidationError("--roots and --list exclude each other") }
    guard (try? Origin(serialized: "https://\(readerDomain)"))?.host == readerDomain else {
      throw ValidationError("--reader-domain takes a domain name in lower case, such as shop.example")
    }
    let chosen = [target, roots, options.writeFiles, options.files].compactMap(\.self)
    guard options.list || chosen.count == 1 else {
      throw ValidationError("Expected the file of the target, --roots, --files or --write-files")
    }
  }

  func run() throws {
    if options.list { return try options.printList(of: SuiteCatalogue.suite) }
    let cases = try options.chosen(of: SuiteCatalogue.all)
    let interruption = SuiteInterruption()
    // Only a run against a server has something to report when it ends early.
    let isRun = target != nil
    try TemporaryFolder.with(interrupt: { number in
      interruption.ask(by: number)
      return isRun
    }) { folder in
      if let roots { return try writeRoots(to: roots, folder) }
      if let files = options.writeFiles {
        let contents = try VerifierFiles.contents(of: cases, seed: seed, sandbox: sandbox, folder: folder)
        return try options.write(contents, to: files, verdicts: "verdicts")
      }
      if let files = options.files {
        return try options.report(
          on: SuiteCatalogue.suite, at: files, seed: seed,
          command: "presentment test-verifier --files \(TerminalSafe.text(files))",
          heading: { _ in TerminalSafe.text(files) }, until: SuiteInterruption()
        ) { try VerifierFiles.judged(cases, in: files) }
      }
      guard let path = target else { return }
      try test(try read(path), path: path, cases, folder, interruption)
    }
  }

  private func writeRoots(to path: String, _ folder: URL) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let pem = try SuiteRoots.pem(seed: seed, folder: folder)
    let list = try SuiteRoots.list(of: pem, seed: seed)
    let reader = try SuiteRoots.reader(for: readerDomain, seed: seed)
    let written = [
      ("issuer-roots.pem", pem, false, "the roots of the suite's issuing authorities, for your server to trust"),
      ("list/issuers.vical", list.list, false, "the same roots as a signed list (VICAL)"),
      ("list/signer-root.pem", list.signerRoot, false, "the root of the list's signer"),
      ("reader/key.pem", reader.key, true, "the private key of a reader, for a server that signs its requests"),
      ("reader/certificate.pem", reader.certificate, false, "its certificate, for \(TerminalSafe.text(readerDomain))"),
      ("reader/root.pem", reader.root, false, "the root of its reader authority"),
    ]
    let paths = try SuiteOptions.write(written.map { ($0.0, $0.1, $0.2) }, to: path, making: ["list", "reader"])
    for (path, (_, _, _, meaning)) in zip(paths, written) {
      try ExchangeCommands.say("\(TerminalSafe.text(path)): \(meaning)")
    }
  }

  private func read(_ path: String) throws -> VerifierTarget {
    let problems = ProblemCollector()
    let found = VerifierTarget.read(path, environment: ProcessInfo.processInfo.environment, problems)
    guard let found, problems.isEmpty else { throw ExitCode.failing(problems.rendered()) }
    if !remote, let address = found.remoteAddresses.first {
      throw ExitCode.failing("\(address) is not an address of this machine; --remote calls it all the same")
    }
    return found
  }

  private func test(
    _ target: VerifierTarget, path: String, _ cases: [VerifierCase], _ folder: URL, _ interruption: SuiteInterruption
  ) throws {
    var target = target
    if let jobs { target.limits.parallel = jobs }
    try options.report(
      on: SuiteCatalogue.suite, at: path, seed: seed,
      command: "presentment test-verifier \(TerminalSafe.text(path))" + (seed == 1 ? "" : " --seed \(seed)"),
      heading: { "\(TerminalSafe.text($0.target))  \(target.origin.serialized)  seed \(seed)" }, until: interruption
    ) {
      let run = try SuiteRun(of: cases, against: target, seed: seed, sandbox: sandbox, folder: folder)
      return options.result(of: cases.count) { run.run(until: interruption, ended: $0) }
    }
  }
}
