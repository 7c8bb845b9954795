import ScenarioLanguage

/// The cases of an earlier run that are worth running again.
public struct EarlierFailures: Sendable {
  /// The cases that failed or were undecided.
  public let cases: Set<CaseIdentity>
  private let files: Set<String>

  /// The cases that failed or were undecided, and every case of a file that could not be read. Of an incomplete run, the
  /// cases that it did not reach are not known.
  public init(_ report: RunReport) {
    cases = Set(report.cases.filter(\.verdict.isBad).map(\.identity))
    files = Set(report.unreadable.map(\.path))
  }

  /// Failures that are known otherwise.
  public init(cases: Set<CaseIdentity>) {
    self.cases = cases
    files = []
  }

  /// True if everything was as expected.
  public var isEmpty: Bool { cases.isEmpty && files.isEmpty }

  /// Returns whether a case is among them.
  public func contains(_ scenario: Scenario) -> Bool {
    contains(CaseIdentity(scenario))
  }

  /// Returns whether a case is among them.
  func contains(_ identity: CaseIdentity) -> Bool { cases.contains(identity) || files.contains(identity.path) }
}
