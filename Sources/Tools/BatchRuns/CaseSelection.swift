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

  /// True for a case of the run.
  public func contains(_ scenario: Scenario) -> Bool {
    filters.allSatisfy { $0.holds { text in scenario.path.contains(text) || scenario.name.contains(text) } }
      && tags.allSatisfy { $0.holds { tag in scenario.tags.contains(tag) } }
      && (caseName == nil || scenario.caseName == caseName)
      && (only?.contains(scenario) ?? true)
  }
}
