import Foundation

@testable import LocatedYAML
@testable import ScenarioLanguage
@testable import ScenarioRunner

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

  /// On a thread of its own, so that the threads of other tests do not wait for it.
  private static let ran = Task {
    let plan = RunPlan(scenarios: try cases(), jobs: 2)
    return await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: plan.run()) }.start()
    }
  }

  /// Every case.
  static func cases() throws -> [Scenario] { try read.get() }

  /// Every case that is run and has to pass.
  static func passingCases() throws -> [Scenario] {
    try cases().filter { $0.skip == nil && $0.expectedFailure == nil }
  }

  /// The result of every case with its own seed, computed once for all tests.
  static func results() async throws -> [CaseResult] { try await ran.value }

  /// The same for the cases of one file.
  static func results(of file: String) async throws -> [CaseResult] {
    let found = try await results().filter { $0.scenario.path == file }
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
