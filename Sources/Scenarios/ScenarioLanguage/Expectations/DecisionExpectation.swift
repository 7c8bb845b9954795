import LocatedYAML
import Messaging
import Primitives
import Telling

/// A decision that a party must have made since the last action.
public struct DecisionExpectation: Sendable, Equatable {
  /// The device of the party; nil for any.
  public var device: String?
  /// Role of the party.
  public var role = ""
  /// Code of the decision.
  public var code = ""
  /// The outcome; nil for any.
  public var outcome: String?
  /// The known mistake that must explain the decision.
  public var explained: String?
  /// The number of such decisions; nil for at least one.
  public var count: Int?

  /// Creates an empty expectation.
  public init() {}
}

extension Form where Value == DecisionExpectation {
  static let decision = Form.mapping(
    "decision", { DecisionExpectation() },
    [
      Key("by", required: \.role, .words(Party.Role.allCases.map(\.rawValue), "role"), "the role of the party"),
      Key("code", required: \.code, .code(CodeRegistry.all, "code"), "the check or the decision"),
      Key("outcome", \.outcome, .text, usual: "any", "the outcome, for example `passed` or `failed`"),
      Key(
        "explained", \.explained, .code(CodeRegistry.explanations, "explanation"),
        "the known mistake that explains the decision"),
      Key(
        "count", \.count, .count, usual: "at least once",
        "the number of such decisions: `never`, `once`, or a whole number"),
      Key("on", \.device, .name(.device), usual: "any", "the device of the party"),
    ]
  ).checked { value, node, _ in
    // A check is reported when it passes too: without an outcome, "revoked" would mean "was looked at".
    guard value.outcome == nil, value.explained == nil, CodeRegistry.isCheckThatCanPass(value.code) else { return }
    throw SourceProblem(
      .missingKey, "the check \(value.code) can pass and fail: say the outcome",
      at: node["code"]?.position ?? node.position,
      hint: "add 'outcome: failed', 'outcome: deviates' or 'outcome: passed'")
  }
}

extension DecisionExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_: WorldNames) -> String {
    let decision = CodeWords.decision(code, outcome: outcome, by: CodeWords.party(role))
    return count.map { $0 == 0 ? "not yet: \(decision)" : "\(decision), \($0.counted("time")) so far" } ?? decision
  }
}
