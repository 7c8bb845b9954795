import Checks
import Messaging

/// The words for codes in sentences, from the declarations of checks and events that the reference is made of.
enum CodeWords {
  /// A finding: the message of a check's reason, or the code if it has no declaration.
  static func finding(_ code: String) -> String {
    guard let (check, reason) = declarations[code] else { return code }
    return reason?.message ?? check.reason(nil)?.message ?? "not as it must be: \(check.title)"
  }

  /// A decision of a party as a sentence.
  ///
  /// - Parameters:
  ///   - outcome: the outcome as in scenario files; nil for any.
  ///   - party: the party with its article.
  static func decision(_ code: String, outcome: String?, by party: String) -> String {
    if let (check, _) = declarations[code] {
      return switch outcome {
      case CheckResult.Status.passed.rawValue: "\(party) finds: \(check.title)"
      case CheckResult.Status.deviates.rawValue: "\(party) accepts a departure: \(finding(code))"
      case CheckResult.Status.notReached.rawValue: "\(party) does not check: \(check.title)"
      default: "\(party) notices: \(finding(code))"
      }
    }
    guard let event = events[code] else { return "\(party) decides \(code)\(outcome.map { ": \($0)" } ?? "")" }
    let meaning = event.meaning.prefix { $0 != ";" }.replacing("`", with: "")
    guard case .value = event.outcome, let outcome else { return "\(party) notes: \(meaning)" }
    return "\(party) notes: \(meaning), here \(outcome)"
  }

  private static let declarations: [String: (CheckDefinition, CheckDefinition.Reason?)] = {
    let named = CheckTable.all.flatMap(\.definitions).flatMap { check in
      [(check.id, (check, CheckDefinition.Reason?.none))]
        + check.reasons.compactMap { reason in reason.id.map { ("\(check.id)/\($0)", (check, reason)) } }
    }
    return Dictionary(named) { first, _ in first }
  }()

  private static let events = Dictionary(
    JournalEvent.definitions.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
