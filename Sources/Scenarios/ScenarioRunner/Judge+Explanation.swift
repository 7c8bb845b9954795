import LocatedYAML
import MobileDocument
import ScenarioLanguage
import SimulationKernel
import WebPresentment

extension Judge {
  /// Judges if a known mistake explains one of some decisions.
  func judge(_ explained: String, at path: StepPath, of decisions: [Decision]) -> ExpectationFailure? {
    if decisions.contains(where: { Self.explanations(of: $0).contains(explained) }) { return nil }
    let found = decisions.flatMap(Self.explanations(of:))
    return ExpectationFailure(
      at: path, found.isEmpty ? "nothing explains it" : "another mistake explains it",
      code: found.first ?? decisions.first?.code, evidence: decisions.flatMap(Self.evidence(of:)))
  }

  private static func explanations(of decision: Decision) -> [String] {
    decision.details.filter { $0.name == Explanation.field }.map(\.value)
  }

  /// The details of a check that failed, in columns; expected and found side by side where a mistake explains it.
  static func evidence(of check: Decision) -> [String] {
    let codes = explanations(of: check)
    guard !codes.isEmpty else { return check.details.map { "   \($0.name)  \($0.value)" } }
    // What differs stands behind the codes, as expected and found in turn, one pair for each.
    let rest = check.details.drop { $0.name != Explanation.field }.drop { $0.name == Explanation.field }
    let words = word(for: check)
    var lines = ["\(words.headline):"]
    for (code, offset) in zip(codes, stride(from: rest.startIndex, to: rest.endIndex - 1, by: 2)) {
      let (expected, found) = (rest[offset], rest[offset + 1])
      let field = expected.name.dropFirst("expected ".count)
      let width = max(words.found.count, "expected".count)
      lines.append("   \("expected".padded(to: width)) \(field)  \(expected.value)")
      lines.append(
        "   \(words.found.padded(to: width)) \(field)  \(found.value)       "
          + (VariantCodes.message(of: code) ?? code))
    }
    return lines
  }

  /// How to say what was found instead.
  private static func word(for check: Decision) -> (headline: String, found: String) {
    if check.code.hasPrefix("response.") {
      return check.code == ExchangeCheck.decryption.name(.transcript)
        ? ("the response opens with another transcript", "sealed")
        : ("the response was sealed otherwise", "sealed")
    }
    let codes = explanations(of: check)
    return codes.contains { $0.hasPrefix("transcript.") }
      ? ("the signature is good for another transcript", "signed")
      : ("the signature is good for other bytes", "signed")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
