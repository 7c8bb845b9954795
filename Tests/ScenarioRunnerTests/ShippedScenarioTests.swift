import Foundation
import ScenarioFiles
import ShippedScenarios
import Testing

@testable import LocatedYAML
@testable import ScenarioLanguage

/// Each with its own seed and without a cross-check. `CrossCheckTests` runs one with another seed; `make test` runs all
/// with the cross-check at its end.
@Suite("Every shipped scenario")
struct ShippedScenarioTests {
  @Test("every scenario passes", arguments: ShippedScenarios.files)
  func passes(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      if case .failed(let failure) = result.outcome { Issue.record("\(failure.rendered(for: result))") }
      // Two cases show the keys; any other that is kept back would hide a defect.
      switch result.outcome {
      case .skipped, .failedAsExpected: #expect(file.hasSuffix("/language/not-run-or-failing.yaml"))
      default: #expect(result.isPassed)
      }
    }
  }

  @Test("every scenario gives the reason for its expectations", arguments: ShippedScenarios.files)
  func saysWhy(file: String) throws {
    let problems = ProblemCollector()
    for scenario in try #require(ScenarioReader.read(file, problems)) {
      #expect(!(scenario.because ?? "").isEmpty)
    }
  }

  @Test("every scenario, world and flow has the layout of the command 'format'")
  func layout() throws {
    let files = ScenarioFinder.allFiles(at: [ShippedScenarios.folder], ProblemCollector())
    #expect(files.count > ShippedScenarios.files.count)
    for path in files {
      let file = try SourceFile(readingFrom: path)
      #expect(try YAMLFormatter.formatted(file) == file.text, "\(path): run 'presentment format scenarios'")
    }
  }

  @Test("scenarios are found")
  func found() {
    #expect(ShippedScenarios.files.contains { $0.hasSuffix("/headline.yaml") })
    #expect(!ShippedScenarios.files.contains { $0.contains("/worlds/") })
  }
}
