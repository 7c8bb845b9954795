import Primitives

/// The report of a run for people: what is wrong first, then a line for each group.
public struct SuiteText: Sendable {
  private let result: SuiteResult
  /// The line that repeats a case, without its id.
  private let command: String
  private let isWhole: Bool
  private let isStrict: Bool

  /// A report.
  /// - Parameters:
  ///   - command: The command without the choice of cases.
  ///   - isWhole: True to list the cases that went right or were not tested, too.
  ///   - isStrict: True if mistakes that no clause forbids fail the run.
  public init(_ result: SuiteResult, command: String, isWhole: Bool = false, isStrict: Bool = false) {
    (self.result, self.command, self.isWhole, self.isStrict) = (result, command, isWhole, isStrict)
  }

  /// The text, without a line end after its last line.
  public var text: String {
    var blocks = (result.suite.mistakes + [.unclear]).compactMap { verdict in
      block(verdict.definition.title, result.outcomes.filter { $0.verdict == verdict && $0.known == nil })
    }
    blocks += [block("KNOWN", result.outcomes.filter { $0.known != nil })].compactMap(\.self)
    if !result.stale.isEmpty {
      blocks.append((["NOT TRUE ANY MORE"] + result.stale.map { "  \($0)" }).joined(separator: "\n"))
    }
    let facts = result.outcomes.filter { $0.verdict == .accepts || $0.verdict == .refuses }
    if isWhole {
      blocks += [
        block("FACTS", facts), block("RIGHT", result.outcomes.filter { $0.verdict == .right }),
      ].compactMap(\.self)
    }
    if let untested { blocks.append(untested) }
    if let stop = result.stop {
      blocks.append(
        (["\(stop.message) [\(stop.code.rawValue)]"] + stop.details.map { "  \(TerminalSafe.text($0))" }).joined(
          separator: "\n"))
    }
    if !result.outcomes.isEmpty { blocks.append(table) }
    blocks += result.remarks.map { "note: \($0)" }
    return (blocks + [total]).joined(separator: "\n\n")
  }

  private func block(_ title: String, _ outcomes: [CaseOutcome]) -> String? {
    guard !outcomes.isEmpty else { return nil }
    let weights: [SuiteCase.Weight] = [.must, .should, .may]
    let numbers = weights.compactMap { weight in
      let count = outcomes.filter { $0.weight == weight }.count
      return count == 0 ? nil : "\(count) \(weight.rawValue)"
    }
    var lines = ["\(title)  \(outcomes.count) (\(numbers.joined(separator: ", ")))"]
    for weight in weights {
      for outcome in outcomes where outcome.weight == weight {
        let found = outcome.suiteCase
        let check = found.check.map { "  [\($0)]" } ?? ""
        lines.append("  \(found.id)  \(weight.rawValue)  \(found.title)\(check)")
        if outcome.verdict != .right || isWhole { lines.append("      \(outcome.detail)") }
        if outcome.isWrong { lines.append("      \(found.clause)") }
        if let known = outcome.known { lines.append("      known: \(TerminalSafe.text(known))") }
        if let reason = outcome.reason { lines.append("      the \(result.subject)'s reason: \(reason)") }
        if outcome.isWrong, outcome.known == nil { lines.append("      again: \(command) --filter \(found.id)") }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The reasons why cases were not tested, with the number of each.
  private var untested: String? {
    let outcomes = result.outcomes.filter { $0.verdict == .notTested }
    guard !outcomes.isEmpty else { return nil }
    var lines = ["NOT TESTED  \(outcomes.count)"]
    for reason in outcomes.map(\.detail).uniqued() {
      let found = outcomes.filter { $0.detail == reason }
      lines.append("  \(found.count)  \(TerminalSafe.text(reason))")
      if isWhole { lines += found.map { "      \($0.suiteCase.id)  \($0.weight.rawValue)  \($0.suiteCase.title)" } }
    }
    return lines.joined(separator: "\n")
  }

  /// A line for each group: right of decided, by weight.
  private var table: String {
    var rows = [["group", "must", "should", "accepts", "refuses", "slowest"]]
    for group in result.suite.groups {
      let outcomes = result.outcomes.filter { $0.suiteCase.group == group }
      guard !outcomes.isEmpty else { continue }
      func part(_ weight: SuiteCase.Weight) -> String {
        let counted = outcomes.filter { $0.suiteCase.weight == weight && $0.isDecided }
        return counted.isEmpty ? "-" : "\(counted.filter { !$0.isWrong }.count)/\(counted.count)"
      }
      func number(_ verdict: CaseOutcome.Verdict) -> String {
        let count = outcomes.filter { $0.verdict == verdict }.count
        return count == 0 ? "-" : "\(count)"
      }
      let slowest = outcomes.map(\.time).max() ?? .zero
      rows.append([
        group.rawValue, part(.must), part(.should), number(.accepts), number(.refuses),
        "\(Int((slowest / .milliseconds(1)).rounded())) ms",
      ])
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + space : space + cell.0
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private var total: String {
    func count(_ verdict: CaseOutcome.Verdict) -> Int { result.outcomes.filter { $0.verdict == verdict }.count }
    let undecided = result.planned - result.decided - count(.notTested)
    let rest = [("not tested", count(.notTested)), ("undecided", undecided)].filter { $0.1 > 0 }
    let cases = ["planned \(result.planned)", "decided \(result.decided)"] + rest.map { "\($0) \($1)" }
    let known = result.outcomes.filter { $0.known != nil }.count
    let mistakes =
      result.suite.mistakes.filter { count($0) > 0 }.map { $0.words(count($0)) } + (known > 0 ? ["\(known) known"] : [])
    let nothing =
      result.decided == 0
      ? "nothing was decided" : undecided > 0 ? "nothing that was decided is wrong" : "nothing is wrong"
    let line = "\(cases.joined(separator: ", ")): \(mistakes.isEmpty ? nothing : mistakes.joined(separator: ", "))"
    return ([line] + [failures].compactMap(\.self)).joined(separator: "\n")
  }

  /// The number of cases that fail the run, and of those that a strict run fails for besides; nil if there are none.
  private var failures: String? {
    let failing = result.outcomes.filter { $0.counts(isStrict: isStrict) }.count
    let further = result.outcomes.filter { $0.counts(isStrict: true) }.count - failing
    guard failing + further > 0 else { return nil }
    let now = "\(failing == 0 ? "none" : "\(failing)") \(failing < 2 ? "fails" : "fail") this run"
    return further == 0 ? now : "\(now); \(further) more with --strict"
  }
}
