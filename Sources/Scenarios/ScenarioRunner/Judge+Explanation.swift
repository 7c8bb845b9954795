import Checks
import LocatedYAML
import Messaging
import MobileDocument
import RelyingParty
import ScenarioLanguage
import WebPresentment

extension Judge {
  /// Judges if a known variant explains one of some checks.
  func judge(_ explained: String, at path: StepPath, of checks: [CheckResult]) -> ExpectationFailure? {
    let found = checks.flatMap(\.explanations)
    if found.contains(explained) { return nil }
    return ExpectationFailure(
      at: path, found.isEmpty ? "nothing explains it" : "another variant explains it",
      code: found.first ?? checks.first?.name, evidence: checks.flatMap(Self.evidence(of:)))
  }

  /// The evidence of a failed check in columns, the expected value above the found one.
  static func evidence(of check: CheckResult) -> [String] {
    let codes = check.explanations
    let rest = check.evidence.filter { $0.field != Explanation.field }
    guard !codes.isEmpty else { return rest.flatMap { lines(of: $0, found: nil) } }
    let words = words(for: check)
    // Each explanation has one field with an expected and a found value.
    let explained = rest.filter { $0.expected != nil && $0.found != nil }
    return ["\(words.headline):"]
      + zip(codes, explained).flatMap { code, evidence in
        lines(of: evidence, found: words.found, explanation: VariantCodes.message(of: code) ?? code)
      }
  }

  private static func lines(
    of evidence: CheckResult.Evidence, found word: String?, explanation: String? = nil
  ) -> [String] {
    let word = word ?? "found"
    let width = max(word.count, "expected".count)
    let note = explanation.map { "       \($0)" } ?? ""
    guard let expected = evidence.expected else {
      return evidence.found.map { ["   \(evidence.field)  \($0)\(note)"] } ?? []
    }
    return ["   \("expected".padded(to: width)) \(evidence.field)  \(expected)"]
      + (evidence.found.map { ["   \(word.padded(to: width)) \(evidence.field)  \($0)\(note)"] } ?? [])
  }

  /// The words for a value that another variant explains.
  private static func words(for check: CheckResult) -> (headline: String, found: String) {
    if check.check.hasPrefix("response.") {
      return check.name == ExchangeCheck.decryption.name(.transcript)
        ? ("the response opens with another transcript", "sealed")
        : ("the response was sealed in another way", "sealed")
    }
    return check.explanations.contains { $0.hasPrefix("transcript.") }
      ? ("the signature is good for another transcript", "signed")
      : ("the signature is good for other bytes", "signed")
  }
}

extension CheckResult {
  /// The codes of the known variants that explain the failure.
  var explanations: [String] { evidence.filter { $0.field == Explanation.field }.compactMap(\.found) }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
