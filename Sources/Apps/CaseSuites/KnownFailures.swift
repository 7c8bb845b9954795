import LocatedYAML
import Primitives

/// A file of mistakes of a program that its people know, each with its reason: a run then fails for news only.
public struct KnownFailures: Sendable {
  /// The entries, in the order of the file.
  private let entries: [Entry]

  /// An entry.
  struct Entry: Sendable {
    /// The id of a case; `*` matches any characters.
    var pattern: String
    /// The target that it is about; nil for every one.
    var target: String?
    /// The verdict that is known: another one is news.
    var verdict: CaseOutcome.Verdict
    /// The reason.
    var reason: String
    /// The end of the entry, after which it is a mistake itself; nil for none.
    var until: DateTime?
    /// True if the case goes right at times.
    var isFlaky: Bool
    let position: SourcePosition
  }

  /// No known mistakes.
  public init() { entries = [] }

  /// Reads a file: a list of entries.
  /// - Parameter suite: The suite with the cases that entries name.
  /// - Returns: The entries, or nil when a problem was reported.
  public static func read(_ path: String, of suite: Suite, _ problems: ProblemCollector) -> KnownFailures? {
    SourceNode.read(path, problems).flatMap { KnownFailures($0, suite, problems) }
  }

  /// Reads the text of a file.
  package static func read(_ file: SourceFile, of suite: Suite, _ problems: ProblemCollector) -> KnownFailures? {
    SourceNode.parse(file, problems).flatMap { KnownFailures($0, suite, problems) }
  }

  private static let keys = ["case", "target", "verdict", "because", "until", "flaky"]

  private init?(_ root: SourceNode, _ suite: Suite, _ problems: ProblemCollector) {
    let verdicts = (suite.mistakes + [.unclear]).map(\.rawValue)
    let read = root.each(problems) { node -> Entry? in
      guard let entries = node.entries(known: Self.keys, problems) else { return nil }
      func required(_ key: String) throws -> SourceNode {
        guard let entry = entries[key] else { throw node.missing(key) }
        return entry.value
      }
      let pattern = try required("case").string()
      guard suite.cases.contains(where: { CaseName.matches($0.id, pattern) }) else {
        throw SourceProblem(
          .unknownName, "no case has the id \(SourceText.quote(pattern))", at: try required("case").position,
          suggestion: NearestName.of(pattern, in: suite.cases.map(\.id)))
      }
      let verdict = try required("verdict").oneOf(verdicts, "verdict")
      let reason = try required("because").string()
      guard reason.contains(where: \.isLetter) else {
        throw SourceProblem(
          .missingKey, "the reason of the known mistake is missing", at: try required("because").position)
      }
      return Entry(
        pattern: pattern, target: try entries["target"]?.value.string(),
        verdict: CaseOutcome.Verdict(rawValue: verdict) ?? .unclear, reason: reason,
        until: try entries["until"].map { DateTime(secondsSince1970: try $0.value.date().secondsSince1970) },
        isFlaky: try entries["flaky"]?.value.boolean() ?? false, position: node.position)
    }
    guard let read, problems.isEmpty else { return nil }
    entries = read
  }

  /// The known mistakes of a file's entries for the wrong outcomes, whose reasons people have to fill in.
  public static func written(_ outcomes: [CaseOutcome], target: String) -> String {
    let entries = outcomes.filter { $0.isWrong || $0.verdict == .unclear }.map { outcome in
      YAMLValue.mapping([
        .init("case", .text(outcome.suiteCase.id)), .init("target", .text(target)),
        .init("verdict", .text(outcome.verdict.rawValue)), .init("because", .text("?")),
      ])
    }
    return YAMLValue.list(entries).block()
  }

  /// Marks the outcomes that are known, and adds a problem for each entry that is not true any more.
  public func applied(to result: SuiteResult, at moment: DateTime) -> SuiteResult {
    var result = result
    for entry in entries where entry.target == nil || entry.target == result.target {
      let place = entry.position.description
      if let until = entry.until, until < moment {
        result.stale.append("\(place): the known mistake '\(entry.pattern)' ended at \(until)")
        continue
      }
      let tried = result.outcomes.indices.filter { CaseName.matches(result.outcomes[$0].suiteCase.id, entry.pattern) }
      let known = tried.filter { result.outcomes[$0].verdict == entry.verdict }
      for index in known { result.outcomes[index].known = entry.reason }
      // A run of other cases says nothing about the entry.
      if known.isEmpty, !tried.isEmpty, !entry.isFlaky {
        result.stale.append("\(place): no case of '\(entry.pattern)' is \(entry.verdict.rawValue) any more")
      }
    }
    return result
  }
}
