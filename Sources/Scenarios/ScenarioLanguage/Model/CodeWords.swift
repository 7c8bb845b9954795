import Checks
import Faults
import Messaging
import Primitives

/// The words for codes in sentences, from the declarations of checks and events that the reference is made of.
enum CodeWords {
  /// A finding within a sentence: the message of a check's reason, or the code if it has no declaration.
  static func finding(_ code: String) -> String {
    guard let (check, reason) = declarations[code] else { return code }
    let message = reason?.message ?? check.reason(nil)?.message ?? "not as it must be: \(check.title)"
    return message.hasSuffix(".") ? String(message.dropLast()).withinASentence : message
  }

  /// A role with its article. Most parties of some roles have names of their own.
  static func party(_ role: String) -> String {
    guard let known = Party.Role(rawValue: role) else { return "the \(role)" }
    let title = Party(known, "").shortTitle
    return known == .issuer ? "the issuing authority" : "the \(title.isEmpty ? role.replacing("-", with: " ") : title)"
  }

  /// A decision of a party as a sentence.
  ///
  /// - Parameters:
  ///   - outcome: The outcome as in scenario files; nil for any.
  ///   - party: The party with its article.
  static func decision(_ code: String, outcome: String?, by party: String) -> String {
    if let (check, _) = declarations[code] {
      return switch outcome {
      case CheckResult.Status.passed.rawValue: "\(party) finds: \(check.title)"
      case CheckResult.Status.deviates.rawValue: "\(party) accepts a departure: \(finding(code))"
      case CheckResult.Status.notReached.rawValue: "\(party) does not check: \(check.title)"
      default: "\(party) notices: \(finding(code))"
      }
    }
    if let fault = FaultCatalogue.fault(code) {
      return outcome == FaultEvent.Effect.applied.outcome
        ? "the fault acts: \(fault.title)" : "the fault changes nothing: \(fault.title)"
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
