import ArgumentParser
import CommandSupport
import Foundation
import LocatedYAML
import Reports
import ScenarioFiles
import ScenarioLanguage
import ScenarioSearch
import Synchronization
import Vocabulary

/// `presentment explore [SCENARIO ...]`
struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore", abstract: "Search for failures: a random person, random faults, and the invariants.",
    discussion: """
      Each run draws a world from the cases, faults from the catalogue, and what the person does. The invariants judge \
      it. A run that fails is made smaller: steps, faults and parts of the world are taken out as long as it fails in \
      the same way. What is left is written as a scenario file that fails by itself.

      Exit codes: 0 if no run fails, 1 if one does, 2 if there is no world to explore.
      """)

  @Argument(help: "Scenario files, or folders of them, whose worlds are explored.")
  var paths: [String] = Self.shipped

  private static let shipped = ["scenarios"]

  @Option(help: "The number of the first run. Everything in a run is drawn from its number.")
  var seed: UInt64 = 1

  @Option(help: "The most runs.")
  var runs: Int = 10_000

  @Option(help: "Begin no further run after so many seconds.")
  var time: Double?

  @Option(help: SandboxOption.searchHelp)
  var sandbox: WorldDescription.SandboxPlace = .inProcess

  @OptionGroup var running: JobsOptions

  @Option(help: "The scenario file to write when a run fails.")
  var output: String = "found.yaml"

  @Option(help: "Write a page with what the search reached, and in which run it was new, into this file.")
  var html: String?

  func validate() throws {
    guard (1...Self.maximumRuns).contains(runs) else {
      throw ValidationError("--runs takes a number from 1 to \(Self.maximumRuns)")
    }
    guard (time ?? 1) > 0, time ?? 1 <= Self.longestTime else {
      throw ValidationError("--time takes seconds, more than 0 and at most \(Int(Self.longestTime))")
    }
  }

  /// The longest search: a week.
  private static let longestTime = 604_800.0
  /// The most runs: what is kept of each takes memory.
  private static let maximumRuns = 10_000_000

  func run() throws {
    let problems = ProblemCollector()
    var worlds = WorldSources()
    let files = ScenarioFinder.files(at: paths.map(ShippedFiles.scenario), problems)
    let scenarios = files.flatMap { ScenarioReader.read($0, worlds: &worlds, problems) ?? [] }
    guard problems.isEmpty else { throw ExitCode.failing(problems.rendered()) }
    try Files.requireDistinct([output, html], from: files + worlds.paths)
    var plan = ExplorePlan(scenarios, sandbox: sandbox)
    guard !plan.scenarios.isEmpty else { throw ExitCode.failing("no case has a world to explore") }
    if let obstacle = plan.obstacle { throw ExitCode.failing(obstacle) }
    plan.firstRun = seed
    plan.runs = runs
    plan.jobs = running.jobs
    if let time {
      let end = ContinuousClock.now + .seconds(time)
      plan.isOver = { ContinuousClock.now >= end }
    }
    let progress = ExploreProgress()
    let result = plan.run { progress.show($0) }
    progress.clear()
    let report = ExploreReport(result, file: output)
    do {
      try report.print({ StandardOutput.print($0, terminator: "") }) { (scenario) in
        try ReportFile.write(Array(scenario.utf8), to: output)
      }
    } catch {
      throw ExitCode.failing("the scenario cannot be written: \(error)")
    }
    if let html {
      do { try ReportFile.write(Array(report.page.utf8), to: html) } catch {
        throw ExitCode.failing("the page cannot be written: \(error)")
      }
    }
    if result.found != nil { throw ExitCode(1) }
  }
}

/// The progress of a search: on one line of a terminal, or a line every so often elsewhere.
private final class ExploreProgress: Sendable {
  private let start = ContinuousClock.now
  private let isTerminal = Terminal.rewritesLines(STDERR_FILENO)
  private let shown = Mutex(ContinuousClock.now)

  /// The time between two lines.
  private var interval: Duration { isTerminal ? .milliseconds(200) : .seconds(10) }

  /// Shows the number of runs that have ended.
  func show(_ count: Int) {
    let now = ContinuousClock.now
    let isDue = shown.withLock { last in
      guard now - last >= interval else { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let seconds = max(1, (now - start).components.seconds)
    let text = "\(count) runs, \(count / Int(seconds)) each second"
    StandardError.put(isTerminal ? "\r\u{1b}[K" + text : text + "\n")
  }

  /// Takes the line away.
  func clear() { if isTerminal { StandardError.put("\r\u{1b}[K") } }
}
