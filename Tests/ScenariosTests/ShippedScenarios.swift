import Foundation

@testable import Scenarios

/// The scenarios that the project ships.
enum ShippedScenarios {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let folder = root.appendingPathComponent("scenarios").path

  static let files = ScenarioFinder.files(at: [folder], ProblemCollector())

  static func cases() throws -> [Scenario] {
    let problems = ProblemCollector()
    let scenarios = files.flatMap { ScenarioReader.read($0, problems) ?? [] }
    guard problems.isEmpty else { throw Unreadable(text: problems.rendered()) }
    return scenarios
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
