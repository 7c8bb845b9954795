import CrossCheck
import Foundation
import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner

/// The scenarios that the project ships, and what comes of them: each is read and run once for the tests of all targets.
public enum ShippedScenarios {
  /// The package's folder.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the scenarios.
  public static let folder = root.appendingPathComponent("scenarios").path

  /// The paths of the files.
  public static let files = ScenarioFinder.files(at: [folder], ProblemCollector())

  /// A seed that no scenario has.
  public static let otherSeed: UInt64 = 1_000_003

  private static let read = Result { try cases(in: folder) }
  private static let ran = run { RunPlan(scenarios: try cases(), RunSettings(jobs: 2)) }
  private static let ranOfFiles = Task { Dictionary(grouping: try await results()) { $0.scenario.path } }
  private static let ranOtherSeed = run {
    RunPlan(scenarios: try cases(), RunSettings(seed: otherSeed, jobs: 2, crossCheck: CrossChecker.check))
  }

  /// Runs a plan on a thread of its own, so that the threads of tests do not wait for it.
  private static func run(_ plan: @escaping @Sendable () throws -> RunPlan) -> Task<[CaseResult], any Error> {
    Task {
      let plan = try plan()
      return await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: plan.run()) }.start()
      }
    }
  }

  /// Returns every case.
  public static func cases() throws -> [Scenario] { try read.get() }

  /// Returns the cases of a file or folder.
  public static func cases(in path: String) throws -> [Scenario] {
    let problems = ProblemCollector()
    let cases = ScenarioFinder.files(at: [path], problems).flatMap { ScenarioReader.read($0, problems) ?? [] }
    guard problems.isEmpty else { throw Unreadable(text: problems.rendered()) }
    return cases
  }

  /// Returns the result of every case with its own seed.
  public static func results() async throws -> [CaseResult] { try await ran.value }

  /// Returns the result of every case with a seed that none has, cross-checked.
  public static func resultsWithOtherSeed() async throws -> [CaseResult] { try await ranOtherSeed.value }

  /// Returns the results of the cases of a file with their own seeds.
  public static func results(of file: String) async throws -> [CaseResult] {
    guard let found = try await ranOfFiles.value[file] else { throw Unreadable(text: "\(file) has no case") }
    return found
  }

  /// Returns the headline.
  public static func headline() throws -> Scenario {
    guard let scenario = try cases(in: folder + "/headline.yaml").first else {
      throw Unreadable(text: "headline.yaml has no case")
    }
    return scenario
  }

  /// A scenario that cannot be read.
  public struct Unreadable: Error {
    /// The problems.
    public let text: String
  }
}
