/// A case of a suite: what happens to the program under test, and what it must do.
public struct SuiteCase: Sendable, Identifiable {
  /// The identifier: lower-case words joined by dots and dashes. It never changes its meaning.
  public let id: String
  /// The group in reports.
  public let group: Group
  /// The title, as a phrase.
  public let title: String
  /// The clause of the standard, or the text that the case follows from.
  public let clause: String
  /// The verdict that the program must give.
  public let expects: Expectation
  /// How much it matters.
  public let weight: Weight
  /// The check of presentment's own program that fails; nil for a case without one.
  public let check: String?

  /// A group of cases.
  public struct Group: Sendable, RawRepresentable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a group.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The verdicts that a program must give.
  public enum Expectation: String, Sendable {
    case accept, refuse, either
    /// A refusal, or a warning to the person before anything is sent.
    case warn
  }

  /// How much a case matters.
  public enum Weight: String, Sendable {
    /// A clause obliges the program, or data of a person would be wrongly accepted or wrongly given away.
    case must
    /// The sender broke a rule, and nothing obliges the program to notice.
    case should
    /// Seen in deployed software, or read in two ways: a fact about the program, and no failure.
    case may
  }

  /// Creates a case.
  package init(
    id: String, group: Group, title: String, clause: String, expects: Expectation, weight: Weight, check: String?
  ) {
    self.id = id
    self.group = group
    self.title = title
    self.clause = clause
    self.expects = expects
    self.weight = weight
    self.check = check
  }
}

/// A suite: the kind of program under test, and the cases.
public struct Suite: Sendable {
  /// The kind of program: `server` or `wallet`.
  public let subject: String
  /// The cases, in their order.
  public let cases: [SuiteCase]
  /// The groups, in the order of reports.
  public let groups: [SuiteCase.Group]
  /// The mistakes that the suite finds, in the order of reports.
  public let mistakes: [CaseOutcome.Verdict]
  /// The page of the documentation with the cases, whose part between its markers is generated.
  package let page: String

  /// Creates a suite.
  package init(
    subject: String, cases: [SuiteCase], groups: [SuiteCase.Group], mistakes: [CaseOutcome.Verdict], page: String
  ) {
    self.subject = subject
    self.cases = cases
    self.groups = groups
    self.mistakes = mistakes
    self.page = page
  }
}

/// The ids of cases as people choose them.
public enum CaseName {
  /// Returns whether an id matches a pattern, in which `*` matches any characters.
  public static func matches(_ id: String, _ pattern: String) -> Bool { matches(id[...], pattern[...]) }

  private static func matches(_ id: Substring, _ pattern: Substring) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return id == pattern }
    guard let first = parts.first, let last = parts.last, id.hasPrefix(first) else { return false }
    var rest = id.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last) && rest.count >= last.count
  }
}
