import BatchRuns
import Foundation
import LocatedYAML
import Recordings
import Reports
import ScenarioFiles
import ShippedScenarios
import SimulationKernel
import Synchronization
import Testing

@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("Limits, interruptions and outcomes of runs")
struct RunControlTests {
  private static func headline(_ change: (inout Scenario) -> Void = { _ in }) throws -> Scenario {
    var scenario = try #require(try ShippedScenarios.cases().first { $0.path.hasSuffix("headline.yaml") })
    change(&scenario)
    return scenario.parsing(.inProcess)
  }

  private static func failing() throws -> Scenario {
    let problems = ProblemCollector()
    let text = try BatchRunTests.headlineText {
      $0.replacingOccurrences(of: "given_name: Kelly", with: "given_name: Nelly")
    }
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write("wrong.yaml", text)
    let cases = try #require(ScenarioReader.read(folder.path + "/wrong.yaml", problems))
    return try #require(cases.first).parsing(.inProcess)
  }

  @Test("a case with a reason to be skipped does not run") func skips() throws {
    let result = ScenarioRun.run(try Self.headline { $0.skip = "no reason" })
    guard case .skipped("no reason") = result.outcome else {
      Issue.record("\(result.outcome)")
      return
    }
    #expect(result.journal.entries.isEmpty && TextReport.detail(for: result) == nil)
    #expect(
      TextReport().line(for: result).hasPrefix("skipped  ") && TextReport().line(for: result).hasSuffix("(no reason)"))
  }

  @Test("a case that is expected to fail must fail") func expectsFailure() throws {
    var failing = try Self.failing()
    failing.expectedFailure = "the name is wrong"
    let result = ScenarioRun.run(failing)
    guard case .failedAsExpected(let failure, "the name is wrong") = result.outcome else {
      Issue.record("\(result.outcome)")
      return
    }
    #expect(failure.headline == "given_name has another value")
    let other = ScenarioRun.run(try Self.headline { $0.expectedFailure = "it is broken" })
    #expect(other.isFailed)
    #expect(TextReport.detail(for: other)?.contains("it is expected to fail") == true)
  }

  @Test("a case fails at the step that ends after its limit") func limits() throws {
    let whole = ScenarioRun.run(try Self.headline())
    #expect(whole.isPassed && whole.virtualDuration > .zero && whole.duration > .zero)
    #expect(ScenarioRun.run(try Self.headline { $0.limit = whole.virtualDuration }).isPassed)
    let late = ScenarioRun.run(try Self.headline { $0.limit = .milliseconds(1) })
    guard case .failed(let failure) = late.outcome else {
      Issue.record("\(late.outcome)")
      return
    }
    #expect(failure.headline == "the case takes longer than its limit of 1 ms" && failure.position != nil)
  }

  @Test("a limit of steps ends a case, undecided") func limitsSteps() throws {
    let result = ScenarioRun.run(try Self.headline(), limits: RunLimits(steps: 100))
    guard case .undecided(let message) = result.outcome else {
      Issue.record("\(result.outcome)")
      return
    }
    #expect(message == "the case takes more than 100 steps of its world")
    #expect(ScenarioRun.run(try Self.headline(), limits: RunLimits(steps: 1_000_000)).isPassed)
  }

  @Test("an interruption ends the case that runs, and no other begins") func interrupts() throws {
    let control = RunControl()
    let plan = RunPlan(
      scenarios: Array(repeating: try Self.headline(), count: 20), RunSettings(jobs: 2, control: control))
    let finished = Mutex(0)
    let results = plan.run { _, _ in
      if finished.withLock({ count in
        count += 1
        return count == 3
      }) {
        control.interrupt()
      }
    }
    #expect(control.isInterrupted)
    // The other thread may have ended its case before it saw the order.
    #expect((3...5).contains(results.count) && results.allSatisfy(\.isPassed))
    #expect(plan.run().isEmpty)
  }

  @Test("a run that ends fast reports nothing after the first failure", arguments: [1, 2]) func failsFast(jobs: Int)
    throws
  {
    let folder = try BatchRunTests.folderWithWorld()
    for number in 1...9 {
      let text = try BatchRunTests.headlineText {
        number < 4 ? $0 : $0.replacingOccurrences(of: "given_name: Kelly", with: "given_name: Nelly")
      }
      try folder.write("file-\(number).yaml", text)
    }
    var batch = BatchRun(paths: [folder.path])
    batch.failsFast = true
    batch.settings.jobs = jobs
    let printed = BatchRunTests.run(batch)
    #expect(printed.verdict == .failed)
    #expect(printed.output.last == "3 passed, 1 failed")
    #expect(printed.output.contains("stopped after 4 of 9"))
    #expect(printed.output.count { $0.hasPrefix("passed") } == 3)
    // Its detail, and once more at the end.
    #expect(printed.output.count { $0.hasPrefix("FAILED") } == 2)
  }

  @Test("the end names each failure with its command, and the slowest cases on request") func summary() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write("a.yaml", try BatchRunTests.headlineText())
    try folder.write(
      "b.yaml",
      try BatchRunTests.headlineText { $0.replacingOccurrences(of: "given_name: Kelly", with: "given_name: Nelly") })
    var batch = BatchRun(paths: [folder.path])
    batch.slowest = 1
    batch.isQuiet = true
    let printed = BatchRunTests.run(batch)
    let lines = printed.output.joined(separator: "\n").split(separator: "\n").map(String.init)
    #expect(!lines.contains { $0.hasPrefix("passed") })
    #expect(lines.suffix(3).first == "   given_name has another value")
    #expect(lines.suffix(2).first == "   presentment run \(folder.path)/b.yaml --seed 7")
    #expect(lines.count { $0.contains(" ms  ") } == 1)
  }

  @Test("repeated runs of a case are compared") func repeats() throws {
    let plan = RunPlan(scenarios: [try Self.headline()], RunSettings(repetitions: 3))
    #expect(plan.run().first?.isPassed == true)
  }

  /// Recorded answers from outside a world, which a test changes for a run.
  private final class RecordedSource: OutsideSource {
    private let recording: Recording
    private let change: @Sendable (Int, OutsideLinks) -> OutsideLinks
    private let runs = Mutex(0)

    init(recording: Recording, _ change: @escaping @Sendable (_ run: Int, OutsideLinks) -> OutsideLinks) {
      self.recording = recording
      self.change = change
    }

    func links(of scenario: String, seed: UInt64) -> OutsideLinks? {
      let number = runs.withLock { runs in
        runs += 1
        return runs
      }
      return recording.links(of: scenario, seed: seed).map { change(number, $0) }
    }
  }

  /// A case with a server outside its world, and what that server said.
  private static func outside() throws -> (scenario: Scenario, recording: Recording) {
    let folder = try BatchRunTests.Folder()
    let shipped = "\(ShippedScenarios.folder)/own-server/"
    let line = "      recording: files/shop.har\n"
    let text = try String(contentsOfFile: shipped + "a-server-outside.yaml", encoding: .utf8)
    #expect(text.contains(line))
    try folder.write("outside.yaml", text.replacing(line, with: ""))
    let problems = ProblemCollector()
    let cases = try #require(ScenarioReader.read(folder.path + "/outside.yaml", problems), "\(problems.rendered())")
    // The person declines, so that nothing is recorded that depends on the time.
    let scenario = cases[1].parsing(.inProcess)
    let file = try Data(contentsOf: URL(fileURLWithPath: shipped + "files/shop.har"))
    return (scenario, try Recording(json: Array(file)))
  }

  @Test("a repetition that differs from the first run leaves its case undecided")
  func differs() throws {
    let (scenario, recording) = try Self.outside()
    var settings = RunSettings(repetitions: 5)
    settings.outside = RecordedSource(recording: recording) { _, links in links }
    #expect(RunPlan(scenarios: [scenario], settings).run().first?.isPassed == true)
    settings.outside = RecordedSource(recording: recording) { number, links in
      let start = number == 3 ? links.start.adding(seconds: 1) : links.start
      return OutsideLinks(start: start, servers: links.servers, wallets: links.wallets)
    }
    let result = try #require(RunPlan(scenarios: [scenario], settings).run().first)
    #expect(
      result.outcome.headline == "run 3 of 5 differs from the first, though the seed is the same", "\(result.outcome)")
  }

  @Test("a case whose repetitions a limit ends is undecided, with the number of its runs")
  func limitsRepetitions() throws {
    let message = "the case takes longer than it may"
    let limits = RunLimits()
    let outside = try Self.outside()
    var settings = RunSettings(repetitions: 1_000_000_000)
    settings.outside = RecordedSource(recording: outside.recording) { number, links in
      if number == 4 { limits.end(because: message) }
      return links
    }
    let plan = RunPlan(scenarios: [outside.scenario], settings)
    let result = plan.run(outside.scenario, seed: nil, limits)
    #expect(result.outcome.headline == "3 of 1000000000 runs were made: \(message)", "\(result.outcome)")
    let scenario = try Self.headline()
    // The first power of two that is enough for one run is too few for two.
    let steps = try #require(
      (6..<20).map { 1 << $0 }.first { ScenarioRun.run(scenario, limits: RunLimits(steps: $0)).isPassed })
    let twice = RunPlan(scenarios: [scenario], RunSettings(repetitions: 2))
      .run(scenario, seed: nil, RunLimits(steps: steps))
    #expect(
      twice.outcome.headline == "1 of 2 runs were made: the case takes more than \(steps) steps of its world",
      "\(twice.outcome)")
  }

  @Test("a failure stays one when a limit ends its repetitions, and a skipped case has none")
  func limitsRepetitionsOfOthers() throws {
    let failing = try Self.failing()
    let control = RunControl(time: .milliseconds(500))
    let plan = RunPlan(scenarios: [failing], RunSettings(repetitions: 1_000_000_000, control: control))
    #expect(plan.run().first?.isBad == true)
    let skipped = try Self.headline { $0.skip = "no reason" }
    let others = RunPlan(scenarios: [skipped], RunSettings(repetitions: .max))
    #expect(others.run().first?.outcome.verdict == .skipped)
  }

  @Test("runs of the next case are not counted for a case that was interrupted") func foldsSeeds() throws {
    let seeds = try #require(SeedRange(1...2))
    let finished = Mutex<[Int]>([])
    let folding = RunPlan.Folding(seeds, keepsJournals: false) { number, _ in finished.withLock { $0.append(number) } }
    let run = RunPlan.Kept(ScenarioRun.run(try Self.headline { $0.skip = "no reason" }))
    #expect(folding.take(run, ofCase: 0) == nil)
    #expect(folding.take(run, ofCase: 1) == nil && folding.take(run, ofCase: 1) != nil)
    #expect(finished.withLock { $0 } == [1])
  }
}
