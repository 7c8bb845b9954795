import LocatedYAML
import ScenarioLanguage

/// The cases of a run: every condition must hold.
public struct CaseSelection: Sendable {
  /// Expressions over texts in the path or the name.
  public var filters: [CaseExpression] = []
  /// Expressions over tags.
  public var tags: [CaseExpression] = []
  /// The exact name of a case in the matrix of its file.
  public var caseName: String?
  /// The only cases to choose from, for example the failed ones of an earlier run; nil for all.
  public var only: Set<CaseIdentity>?

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
      && (only?.contains(CaseIdentity(scenario)) ?? true)
  }
}

/// What tells a case from every other one in a run.
public struct CaseIdentity: Hashable, Sendable {
  /// Path of the file as given.
  public let path: String
  /// Name of the case in a file with a matrix.
  public let caseName: String?

  /// Creates the identity of a case.
  public init(path: String, caseName: String?) {
    self.path = path
    self.caseName = caseName
  }

  /// Creates the identity of a case.
  public init(_ scenario: Scenario) { self.init(path: scenario.path, caseName: scenario.caseName) }
}
