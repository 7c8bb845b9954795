import Foundation
import Testing

@testable import LocatedYAML
@testable import ScenarioLanguage

/// With the seed of each, and without a cross-check: `CrossCheckTests` runs one with another seed, and with
/// the same one by `make test` at its end.
@Suite("Every shipped scenario")
struct ShippedScenarioTests {
  @Test("passes", arguments: ShippedScenarios.files)
  func passes(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      if case .failed(let failure) = result.outcome { Issue.record("\(failure.rendered(for: result))") }
      #expect(result.isPassed)
    }
  }

  @Test("says why what it expects is right", arguments: ShippedScenarios.files)
  func saysWhy(file: String) throws {
    let problems = ProblemCollector()
    for scenario in try #require(ScenarioReader.read(file, problems)) {
      #expect(!(scenario.because ?? "").isEmpty)
    }
  }

  @Test("is found")
  func found() {
    #expect(ShippedScenarios.files.contains { $0.hasSuffix("/headline.yaml") })
    #expect(!ShippedScenarios.files.contains { $0.contains("/worlds/") })
  }
}
