import ArgumentParser
import BatchRuns
import CaseSuites
import CommandSupport
import CrossCheck
import Foundation
import LocatedYAML
import Primitives
import Recordings
import Reports
import ScenarioFiles
import ScenarioRunner
import TraceViews
import VerifierSuite
import Vocabulary
import WalletSuite

/// `presentment run PATH...`
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run scenario files, or every scenario in a folder.",
    discussion: """
      An expression has texts joined by 'and', 'or', 'not' and parentheses. An option that is given several times \
      narrows the choice each time.
      """)

  @Argument(help: "Scenario files or folders; the extension .yaml is optional.")
  var paths: [String]

  @OptionGroup(title: "Choosing cases") var selection: SelectionOptions

  @OptionGroup(title: "Reports and shards") var reporting: ReportingOptions

  @Option(help: "The seed of every world; the default is the scenario's.")
  var seed: UInt64?

  @Option(help: "Run each case under every seed of a range, such as 1..1000.")
  var seeds: SeedRange?

  @Option(help: SandboxOption.help)
  var sandbox: WorldDescription.SandboxPlace?

  @OptionGroup var running: JobsOptions

  @Flag(help: "End with the first case that fails.")
  var failFast = false

  @Option(help: "Run each case so many times; every run must be the same, byte for byte.")
  var `repeat`: Int = 1

  @Option(help: "The longest time of this machine that a case may take with all its runs, in seconds.")
  var timeLimit: Double?

  @Option(help: "The most steps of the world's schedule that a case may take with all its runs.")
  var stepLimit: Int?

  @Option(
    help: "Write the journal of each case into this folder, as NAME.trace.jsonl, and for one that fails NAME.html.")
  var trace: String?

  @Flag(
    help: """
      Write what happened into the expectations that fail, after showing the difference. A terminal asks for each file; \
      elsewhere nothing is written without --yes.
      """)
  var update = false

  @Flag(help: "With --update: write every file without asking.")
  var yes = false

  @Flag(help: "Go on: when a file is saved, run the cases that it touches again.")
  var watch = false

  @Option(help: "Compare the journal of each case with its kept trace in this folder, NAME.trace.jsonl.")
  var golden: String?

  @Option(
    help: ArgumentHelp(
      "Keep what servers and wallets outside the worlds answer in this HTTP Archive.", valueName: "har"))
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Answer with this HTTP Archive in place of servers and wallets outside the worlds.", valueName: "har"))
  var replay: String?

  @Flag(help: "Call servers of other machines; by default only servers of this machine are called.")
  var remote = false

  @Flag(help: "Start the programs of wallets that the files name; by default no program is started.")
  var programs = false

  @Flag(help: "Print the chosen cases with their tags, and run none.")
  var list = false

  @Flag(name: .shortAndLong, help: "Print no line for a case that goes as expected.")
  var quiet = false

  @Option(help: "Name so many of the slowest cases at the end.")
  var slowest: Int = 0

  @Flag(help: "Print the story of each case, step by step.")
  var story = false

  @Option(help: "Explain the decisions of a part of the system in each case: selector or checks.")
  var explain: ExplainReport.Topic?

  @Flag(help: "Check every signature and certificate chain again with the system's libcrypto.")
  var crossCheck = false

  func validate() throws {
    guard seed == nil || seeds == nil else { throw ValidationError("give --seed or --seeds") }
    guard `repeat` >= 1 else { throw ValidationError("--repeat takes a number from 1") }
    guard slowest >= 0 else { throw ValidationError("--slowest takes a number from 0") }
    guard stepLimit ?? 1 >= 1 else { throw ValidationError("--step-limit takes a number from 1") }
    guard (timeLimit ?? 1) > 0, timeLimit ?? 1 <= Self.longestTime else {
      throw ValidationError("--time-limit takes seconds, more than 0 and at most \(Int(Self.longestTime))")
    }
    if list, trace != nil || golden != nil || story || explain != nil {
      throw ValidationError("--list runs nothing; leave out --trace, --golden, --story and --explain")
    }
    if list || watch, !reporting.orders.isEmpty {
      throw ValidationError("reports are of one run; leave out --report with --list and --watch")
    }
    if yes, !update { throw ValidationError("--yes agrees to an update; give --update too") }
    if update {
      let others = [
        ("--seeds", seeds != nil), ("--watch", watch), ("--list", list), ("--fail-fast", failFast),
        ("--golden", golden != nil), ("--shard", reporting.shard != nil),
      ]
      if let (name, _) = others.first(where: \.1) {
        throw ValidationError("--update needs every failure of one run; leave out \(name)")
      }
    }
    guard record == nil || replay == nil else { throw ValidationError("give --record or --replay") }
    if record != nil, watch || list {
      throw ValidationError("--record keeps the answers of one run; leave out --watch and --list")
    }
    if watch, failFast { throw ValidationError("--watch continues after a failure; leave out --fail-fast") }
    if watch, reporting.shard != nil { throw ValidationError("--watch watches all files; leave out --shard") }
  }

  /// The longest limit of a case: a day.
  private static let longestTime = 86_400.0

  func run() throws {
    // An update writes files of one's own.
    var batch = BatchRun(paths: update ? paths : paths.map(ShippedFiles.scenario))
    do {
      batch.selection = try selection.selection
      try reporting.apply(to: &batch)
    } catch let error as ReportError {
      throw ExitCode.failing("Error: \(error)")
    }
    let control = RunControl(steps: stepLimit, time: timeLimit.map { .seconds($0) })
    batch.settings = RunSettings(
      seed: seed, seeds: seeds, sandbox: sandbox, jobs: running.jobs, repetitions: `repeat`,
      crossCheck: crossCheck ? CrossChecker.check : nil, control: control)
    batch.settings.commonArguments = commonArguments
    batch.failsFast = failFast
    batch.traceFolder = trace
    batch.tracePage = {
      try TracePage.html(of: $0.journal.entries, openings: $0.journal.openings, result: TracePage.Result($0))
    }
    batch.inputs = [selection.onlyFailed, reporting.durations].compactMap(\.self)
    if let golden {
      batch.golden = { GoldenTraces(golden).judged }
      batch.inputs += FolderListing(of: golden)?.names.map { "\(golden)/\($0)" } ?? []
    }
    batch.isQuiet = quiet
    batch.slowest = slowest
    batch.text = TextReport(isColored: Terminal.showsColors && !reporting.orders.contains(where: \.ownsStandardOutput))
    if story { batch.views.append { StoryReport.text(of: $0) } }
    if let topic = explain { batch.views.append { ExplainReport.text(of: $0, about: topic) } }
    let console = RunConsole(usesStandardError: reporting.orders.contains(where: \.ownsStandardOutput))
    if list { return try Self.finish(batch.list(console.output)) }
    let signals = InterruptSignals { _ in
      control.interrupt()
      ReportFile.hurry()
    }
    let calls = OwnServerCalls(
      folder: FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)"),
      environment: ProcessInfo.processInfo.environment, allowsRemote: remote)
    defer { calls.close() }
    let wallets = OwnWalletPrograms(isAllowed: programs)
    let live = LiveSource(servers: calls, wallets: wallets, control: control)
    batch.settings.outside = try replay.map(Self.recording) ?? live
    let verdict = run(batch, console)
    console.end()
    if let record {
      let recording = calls.recording.adding(wallets.recording)
      if recording.isEmpty {
        StandardError.write("nothing outside a world answered: \(record) is not written")
      } else {
        // What pages, phones and servers said in it is of the run's persons.
        let archive = recording.json(version: ProgramVersion.text)
        try Files.write([Files.Output(path: record, bytes: archive, isSecret: true)])
      }
    }
    if let signal = signals.received { throw ExitCode(128 + signal) }
    try Self.finish(verdict)
  }

  /// The arguments that decide about every case: what it is compared with, what limits it, and what answers outside its
  /// world.
  private var commonArguments: [String] {
    let files = [("--golden", golden), ("--replay", replay)].flatMap { name, file in file.map { [name, $0] } ?? [] }
    let limits = [("--step-limit", stepLimit.map(String.init)), ("--time-limit", timeLimit.map { "\($0)" })]
      .flatMap { name, value in value.map { [name, $0] } ?? [] }
    let repetitions = `repeat` > 1 ? ["--repeat", String(`repeat`)] : []
    return files + limits + repetitions + (remote ? ["--remote"] : []) + (programs ? ["--programs"] : [])
  }

  private static func recording(_ path: String) throws -> Recording {
    do {
      return try Recording(json: try Files.read(path, upTo: Recording.maximumLength))
    } catch let error as RecordingError {
      throw ExitCode.failing("\(TerminalSafe.text(path)): \(error.message)")
    }
  }

  private func run(_ batch: BatchRun, _ console: RunConsole) -> RunReport.Verdict {
    if watch {
      var watching = WatchRun(batch)
      return watching.run(console.output)
    }
    guard update else { return batch.run(console.output) }
    let asks = Terminal.isTerminal(STDIN_FILENO) && console.isTerminal
    let control = batch.settings.control
    let consent: UpdateRun.Consent =
      yes ? .all : asks ? .asking { _ in console.asks("write? [y/N] ", until: { control.isInterrupted }) } : .none
    let updating = UpdateRun(batch, consent) { path, bytes in try Files.writeSource(bytes, to: path) }
    return updating.run(console.output)
  }

  private static func finish(_ verdict: RunReport.Verdict) throws {
    if verdict != .passed { throw ExitCode(verdict.exitCode) }
  }
}

/// The servers and the programs of this machine. The worlds of a case have one time for both.
private struct LiveSource: OutsideSource {
  let servers: OwnServerCalls
  let wallets: OwnWalletPrograms
  let control: RunControl

  func links(of scenario: String, seed: UInt64) -> OutsideLinks? {
    let time = MachineTime { control.isInterrupted }
    return OutsideLinks(
      start: time.start, servers: servers.link(of: scenario, seed: seed, at: time),
      wallets: wallets.link(of: scenario, seed: seed, at: time))
  }
}

/// Options that choose cases.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: "Run only the cases whose path or name fits this expression.", transform: { try CaseExpression($0) })
  var filter: [CaseExpression] = []

  @Option(help: "Run only the cases whose tags fit this expression.", transform: { try CaseExpression($0) })
  var tag: [CaseExpression] = []

  @Option(name: .customLong("case"), help: "Run only the cases of exactly this name in the matrix of their file.")
  var caseName: String?

  @Option(
    help: ArgumentHelp("Run only the cases that failed in this JSON report, or were undecided.", valueName: "report"))
  var onlyFailed: String?

  /// The selection.
  var selection: CaseSelection {
    get throws {
      var selection = CaseSelection()
      selection.filters = filter
      selection.tags = tag
      selection.caseName = caseName
      selection.only = try onlyFailed.map { EarlierFailures(try ReportFile.read($0)) }
      return selection
    }
  }
}

/// Options for reports and for runs on many machines.
struct ReportingOptions: ParsableArguments {
  @Option(name: .customLong("report"), help: ReportOption.help, transform: { try ReportOrder($0) })
  var orders: [ReportOrder] = []

  @Option(
    help: ArgumentHelp(
      "Run one part of the cases: 2/5 for the second of five, or auto for the part that the environment names.",
      valueName: "shard"),
    transform: { try Shard.parse($0, environment: ProcessInfo.processInfo.environment) })
  var shard: Shard?

  @Option(
    help: ArgumentHelp("Balance the shards by the times of this JSON report, the same for all.", valueName: "report"))
  var durations: String?

  func validate() throws {
    do {
      try ReportOrder.check(orders)
    } catch {
      throw ValidationError("\(error)")
    }
    if durations != nil, shard == nil { throw ValidationError("--durations balances shards; give --shard too") }
  }

  /// Sets the options of a run.
  /// - Throws: ``ReportError`` if a report cannot be read.
  func apply(to batch: inout BatchRun) throws(ReportError) {
    batch.reports = orders
    batch.selection.shard = shard
    if let durations { batch.selection.durations = try ReportFile.read(durations).durations }
    if shard != nil { try ShardEnvironment.acknowledge(ProcessInfo.processInfo.environment) }
  }
}

extension ExplainReport.Topic: ExpressibleByArgument {}
extension SeedRange: ExpressibleByArgument {
  /// Reads the argument of an option.
  public init?(argument: String) { self.init(argument) }
}
