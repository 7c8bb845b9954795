import Foundation

@testable import Scenarios

/// The scenarios that the project ships.
enum ShippedScenarios {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let folder = root.appendingPathComponent("scenarios").path

  static let files = ScenarioFinder.files(at: [folder], ProblemCollector())

  private static let read = Result<[Scenario], any Error> {
    let problems = ProblemCollector()
    let scenarios = files.flatMap { ScenarioReader.read($0, problems) ?? [] }
    guard problems.isEmpty else { throw Unreadable(text: problems.rendered()) }
    return scenarios
  }

  private static let ran = read.map { ScenarioRunner.run(ScenarioRunner.Plan(scenarios: $0, jobs: 2)) }

  /// Every case.
  static func cases() throws -> [Scenario] { try read.get() }

  /// What every case came to with its own seed: run once for all tests that look at it.
  static func results() throws -> [CaseResult] { try ran.get() }

  /// The same for the cases of one file.
  static func results(of file: String) throws -> [CaseResult] {
    let found = try results().filter { $0.scenario.path == file }
    guard !found.isEmpty else { throw Unreadable(text: "\(file) has no case") }
    return found
  }

  static func headline() throws -> Scenario {
    let problems = ProblemCollector()
    guard let scenario = ScenarioReader.read(folder + "/headline.yaml", problems)?.first else {
      throw Unreadable(text: problems.rendered())
    }
    return scenario
  }

  struct Unreadable: Error {
    let text: String
  }
}
