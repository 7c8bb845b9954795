import ScenarioLanguage
import ShippedScenarios
import Testing

@testable import ScenarioRunner

/// Cases whose verdict could depend on what a seed draws: the fraction of a second at which a document is ordered, and
/// the characters of the encryption information.
@Suite("Every seed, the same verdict")
struct SeedTests {
  static let cases = [
    "valid for no time", "valid for no time for a strict site", "transcript.encryption-info.standard-base64",
  ]

  /// Seeds under which one of the cases failed before its fault was made independent of the draws, and some others.
  static let seeds: [UInt64] = [1, 2, 10, 23, 41, 52, 58, 61]

  @Test("a fault finds something to change under every seed", arguments: cases)
  func faultsDoNotDependOnDraws(_ name: String) throws {
    let scenarios = try ShippedScenarios.cases().filter { $0.caseName == name }
    try #require(!scenarios.isEmpty)
    for seed in Self.seeds {
      let results = RunPlan(scenarios: scenarios, RunSettings(seed: seed, jobs: 2)).run()
      for result in results { #expect(result.isPassed, "\(result.scenario.path), seed \(seed)") }
    }
  }
}
