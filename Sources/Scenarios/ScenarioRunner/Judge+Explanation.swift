import LocatedYAML
import MobileDocument
import ScenarioLanguage
import SimulationKernel
import WebPresentment

extension Judge {
  /// Judges whether a known mistake explains one of the decisions.
  func judge(_ explained: String, at path: StepPath, of decisions: [Decision]) -> ExpectationFailure? {
    if decisions.contains(where: { Self.explanations(of: $0).contains(explained) }) { return nil }
    let found = decisions.flatMap(Self.explanations(of:))
    return ExpectationFailure(
      at: path, found.isEmpty ? "the failure has no explanation" : "another mistake explains it",
      code: found.first ?? decisions.first?.code, evidence: decisions.flatMap(Self.evidence(of:)))
  }

  private static func explanations(of decision: Decision) -> [String] {
    decision.details.filter { $0.name == Explanation.field }.map(\.value)
  }

  /// The details of a failed check, in columns, with expected and found values of an explanation side by side.
  static func evidence(of check: Decision) -> [String] {
    let codes = explanations(of: check)
    guard !codes.isEmpty else { return check.details.map { "   \($0.name)  \($0.value)" } }
    // The differences follow the codes: pairs of expected and found, one for each code.
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

  /// The headline and the label of the found value.
  private static func word(for check: Decision) -> (headline: String, found: String) {
    if check.code.hasPrefix("response.") {
      return check.code == ExchangeCheck.decryption.name(.transcript)
        ? ("the response opens with another transcript", "sealed")
        : ("the response was sealed differently", "sealed")
    }
    let codes = explanations(of: check)
    return codes.contains { $0.hasPrefix("transcript.") }
      ? ("the signature fits another transcript", "signed")
      : ("the signature fits other bytes", "signed")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
