import Foundation
import LocatedYAML
import Reports
import ScenarioFiles
import ScenarioRunner
import Testing

@testable import Messaging
@testable import ScenarioLanguage
@testable import ScenarioSearch

@Suite("A search with random people and random faults")
struct ExploreTests {
  /// A search in the worlds of shipped scenarios that takes anything verified for a failure.
  static func plan(_ files: String..., verifiedIsFailure: Bool = true) throws -> ExplorePlan {
    let problems = ProblemCollector()
    var plan = ExplorePlan(
      try files.flatMap { try #require(ScenarioReader.read("\(SweepTests.scenarios)/\($0).yaml", problems)) })
    guard verifiedIsFailure else { return plan }
    plan.judgement = { journal, _ in
      let isVerified = journal.entries.contains { entry in
        if case .verdict(let verdict) = entry.event { verdict.verdict == .verified } else { false }
      }
      return isVerified ? ExploreFailure(name: "test.verified", headline: "something is verified") : nil
    }
    return plan
  }

  /// The first failing run of the headline. Shrinking it takes seconds.
  private static let result = Result { try plan("headline").run() }
  private static let first = result.map(\.found)

  @Test("A failing run is shrunk to what the failure needs")
  func shrinking() throws {
    let found = try #require(try Self.first.get())
    #expect(found.failure.name == "test.verified")
    #expect(found.steps.before > found.steps.after)
    let problems = ProblemCollector()
    let file = try SourceFile(path: "found.yaml", text: found.file)
    let scenario = try #require(ScenarioReader.read(file, problems)?.first, "\(problems.rendered())")
    let steps = scenario.steps.map(\.step.text)
    // Visit, tap, pick, agree, and the expectation.
    #expect(steps.count == 5, "\(steps)")
    #expect(steps.last == "{ invariants: hold }")
    #expect(scenario.world.devices.map(\.apps.count) == [1])
    #expect(scenario.world.issuers.count == 1)
    #expect(scenario.world.websites.map { $0.asks.flatMap(\.nameSpaces).flatMap(\.elements).count } == [1])
    #expect(ScenarioRun.run(scenario.parsing(.inProcess)).isPassed)
  }

  @Test("The same runs are found whatever the number of threads")
  func threads() throws {
    var plan = try Self.plan("headline", "cross-device/nearby-iphone", "in-app/accepted")
    let first = plan.run()
    plan.jobs = 3
    let second = plan.run()
    #expect(first.found?.run == second.found?.run)
    #expect(first.found?.file == second.found?.file)
    let reports = [first, second].map { ExploreReport($0, file: "found.yaml") }
    #expect(reports[0].text == reports[1].text && reports[0].page == reports[1].page)
  }

  @Test("The page has what the runs reached, with the run in which each came first")
  func reach() throws {
    var plan = try Self.plan("headline", verifiedIsFailure: false)
    plan.runs = 40
    let whole = plan.run()
    #expect(whole.faults.count > 5 && !whole.absentFaults.isEmpty)
    #expect(Set(whole.faults).isDisjoint(with: whole.absentFaults))
    plan.runs = 20
    let half = plan.run()
    for kind in ExploreReach.Kind.allCases {
      let (first, all) = (half.reach.items(of: kind), whole.reach.items(of: kind))
      #expect(!all.isEmpty, "\(kind)")
      // What the first half reached is what the whole reached in its first half.
      #expect(first.map(\.name) == all.filter { $0.run <= 20 }.map(\.name))
      #expect(first.map(\.run) == all.filter { $0.run <= 20 }.map(\.run))
      #expect(whole.reach.count(of: kind, within: 20) == first.count)
    }
    #expect(whole.reach.lastNewRun > 20 && whole.reach.lastNewRun <= 40)
    let page = ExploreReport(whole, file: "found.yaml").page
    #expect(page.contains("The last new thing happened in run \(whole.reach.lastNewRun) of 40."))
    for fault in whole.faults + whole.absentFaults { #expect(page.contains("<code>\(fault)</code>")) }
  }

  /// An error of writing a file.
  private struct Unwritable: Error {}

  @Test("A report is whole without its scenario file, and names the file only after it is written")
  func unwritableScenario() throws {
    let result = try Self.result.get()
    let report = ExploreReport(result, file: "found.yaml")
    let found = try #require(result.found)
    let start = "run \(found.run) fails: something is verified [test.verified]\n   world of: "
    let ending = " that changed something\n" + report.text.split(separator: "\n").suffix(1).joined() + "\n"

    var (text, before, written) = ("", "", "")
    report.print({ text += $0 }, writing: { (before, written) = (text, $0) })
    #expect(written == found.file)
    #expect(before.hasPrefix(start) && !before.contains("found.yaml"), "\(before)")
    #expect(text == report.text)
    #expect(text.contains("\n   written: found.yaml") && text.contains("\n   again: presentment run found.yaml\n"))
    #expect(text.hasSuffix(ending), "\(text)")

    text = ""
    #expect(throws: Unwritable.self) {
      try report.print({ text += $0 }, writing: { _ in throw Unwritable() })
    }
    #expect(text.hasPrefix(start) && text.hasSuffix(ending) && !text.contains("found.yaml"), "\(text)")
  }

  @Test("The same number of a run gives the same run, and another number another one")
  func numbers() throws {
    var plan = try Self.plan("headline")
    let first = try #require(try Self.first.get())
    plan.firstRun = first.run
    plan.runs = 1
    #expect(plan.run().found?.file == first.file)
    plan.firstRun = first.run + 1
    plan.runs = 10_000
    #expect(try #require(plan.run().found).run > first.run)
  }

  @Test("Random people with random faults break no invariant")
  func invariants() throws {
    var plan = try Self.plan(
      "headline", "cross-device/qr-code-on-a-laptop", "in-app/accepted", verifiedIsFailure: false)
    plan.runs = 100
    let result = plan.run()
    #expect(result.found == nil, "\(ExploreReport(result, file: "found.yaml").text)")
    #expect(result.runs == 100)
    #expect(result.steps > 300)
    #expect(result.faults.count > 10)
  }

  @Test("The runs are the same in confined processes, and a report says if they are not confined")
  func sandboxes() throws {
    let problems = ProblemCollector()
    let scenarios = try #require(ScenarioReader.read("\(SweepTests.scenarios)/headline.yaml", problems))
    var plans = [ExplorePlan(scenarios), ExplorePlan(scenarios, sandbox: .process)]
    for index in plans.indices { plans[index].runs = 12 }
    #expect(plans.map { $0.scenarios.first?.sandbox } == [.inProcess, .process])
    let results = plans.map { $0.run() }
    #expect(results[0].steps == results[1].steps && results[0].faults == results[1].faults)
    let texts = results.map { ExploreReport($0, file: "found.yaml").text }
    #expect(texts[0].hasPrefix(texts[1]) && texts[1].hasSuffix("no failure\n"))
    #expect(
      texts[0].hasSuffix(
        "\nrequests are parsed in this process, not confined, to save a third of the time; "
          + "--sandbox process confines it\n"))
  }

  @Test("A case that needs a sandbox's process or a folder is left out")
  func leftOut() throws {
    #expect(try Self.plan("faults/sandbox/process-misbehaves").scenarios.isEmpty)
    let result = try Self.plan("faults/sandbox/process-misbehaves").run()
    #expect(result.runs == 0)
    #expect(ExploreReport(result, file: "found.yaml").text.contains(": no failure\n"))
  }
}
