import ScenarioLanguage
import ShippedScenarios
import Testing

@testable import ScenarioRunner

@Suite("Runs under many seeds")
struct SeedRangeTests {
  @Test("a range is written with two dots")
  func reads() throws {
    let range = try #require(SeedRange("1..1000"))
    #expect(range.seeds == 1...1000)
    #expect(range.count == 1000)
    #expect(range.description == "1..1000")
    #expect(SeedRange("7..7")?.count == 1)
  }

  @Test(
    "another text is not a range",
    arguments: [
      "", "7", "..", "1..", "..3", "3..1", "1...3", "1..2..3", "-1..3", "+1..3", "1.. 3", "a..b",
      "0..18446744073709551615", "1..10000001", "0..18446744073709551616",
    ])
  func refuses(_ text: String) { #expect(SeedRange(text) == nil) }

  private func plan(_ scenarios: [Scenario], _ seeds: SeedRange, jobs: Int) -> RunPlan {
    RunPlan(scenarios: scenarios, RunSettings(seeds: seeds, jobs: jobs))
  }

  @Test("one result for each case, with the numbers of its seeds")
  func folds() throws {
    let cases = Array(try ShippedScenarios.cases().prefix(3))
    let seeds = try #require(SeedRange("1..5"))
    for jobs in [1, 2] {
      let results = plan(cases, seeds, jobs: jobs).run()
      #expect(results.map(\.scenario.name) == cases.map(\.name))
      for result in results {
        #expect(result.isPassed)
        #expect(result.seed == 1)
        #expect(result.seedTally?.text == "5 seeds (1..5), all as expected")
      }
    }
  }

  @Test("the first failing seed is the result, and its command repeats it")
  func names() throws {
    var failing = try ShippedScenarios.headline()
    // Every run takes time, so none is within this limit.
    failing.limit = .nanoseconds(1)
    let seeds = try #require(SeedRange("3..32"))
    let result = try #require(plan([failing], seeds, jobs: 2).run().first)
    #expect(result.isFailed)
    #expect(result.seed == 3)
    let tally = try #require(result.seedTally)
    #expect(tally.failures == 30)
    #expect(tally.failed == Array(3...22))
    #expect(tally.text.hasPrefix("30 seeds (3..32), 30 not as expected: 3, 4, 5, "))
    #expect(tally.text.hasSuffix(", 22 and 10 more"))
    #expect(result.command.contains("--seed 3"))
    guard case .failed(let failure) = result.outcome else { return }
    #expect(failure.rendered(for: result).contains(tally.text))
  }

  @Test("an empty plan has no results")
  func empty() throws {
    #expect(plan([], try #require(SeedRange("1..3")), jobs: 2).run().isEmpty)
  }
}
