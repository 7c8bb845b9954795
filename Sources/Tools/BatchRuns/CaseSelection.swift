import Foundation
import LocatedYAML
import Reports
import ScenarioLanguage

/// The choice of a run's cases, for which every condition must hold, and of the part that this machine runs.
public struct CaseSelection: Sendable {
  /// Expressions over texts in the path or the name.
  public var filters: [CaseExpression] = []
  /// Expressions over tags.
  public var tags: [CaseExpression] = []
  /// The exact name of a case in the matrix of its file.
  public var caseName: String?
  /// The failures of an earlier run, to choose from; nil for all cases.
  public var only: EarlierFailures?
  /// The part of the chosen cases that this machine runs; nil for all.
  public var shard: Shard?
  /// The times of cases in an earlier run, to balance shards by.
  public var durations: [CaseIdentity: ReportedTime] = [:]

  /// A selection of every case.
  public init() {}

  /// The conditions in words.
  var words: String {
    let conditions =
      filters.map { "path or name has \($0)" } + tags.map { "tag is \($0)" }
      + (caseName.map { ["the case is called \(SourceText.quote($0))"] } ?? [])
      + (only == nil ? [] : ["it did not pass before"])
    return conditions.joined(separator: " and ")
  }

  /// A problem for each failure of the earlier run whose case is no longer there: a run that leaves it out would say that
  /// everything passes. A case of a file that exists and is not read was left out by the paths of the run.
  func gone(from files: FilesOfRun) -> ProblemCollector {
    let problems = ProblemCollector()
    guard let only else { return problems }
    let known = Set(files.scenarios.map { CaseIdentity($0) })
    let read = Set(known.map(\.path))
    let unreadable = Set(
      files.entries.compactMap { if case .unreadable(let path, _, _) = $0 { path } else { nil } })
    for one in only.cases.sorted(by: { ($0.path, $0.name) < ($1.path, $1.name) })
    where !known.contains(one) && !unreadable.contains(one.path) && fits(path: one.path, name: one.name)
      && (read.contains(one.path) || !FileManager.default.fileExists(atPath: one.path))
    {
      problems.report(
        SourceProblem(
          .notFound, "the case \(SourceText.quote(one.name)) of the earlier report is not there any more",
          path: one.path, hint: "make the report again, or leave out --only-failed"))
    }
    return problems
  }

  private func fits(path: String, name: String) -> Bool {
    filters.allSatisfy { $0.holds { text in path.contains(text) || name.contains(text) } }
  }

  /// True for a case of the run.
  public func contains(_ scenario: Scenario) -> Bool {
    fits(path: scenario.path, name: scenario.name)
      && tags.allSatisfy { $0.holds { tag in scenario.tags.contains(tag) } }
      && (caseName == nil || scenario.caseName == caseName)
      && (only?.contains(scenario) ?? true)
  }
}
