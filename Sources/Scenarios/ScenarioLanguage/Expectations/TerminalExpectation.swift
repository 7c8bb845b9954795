import LocatedYAML
import Primitives
import Proximity
import Telling

/// The result that a terminal must show.
public struct TerminalExpectation: Sendable, Equatable {
  /// The terminal; nil for the one that the phone was held to last.
  public var name: String?
  /// Verified elements with their values in words.
  public var verified: [Named<String>]?
  /// The check that must refuse the response.
  public var refused: String?
  /// The outcome of a session without a response.
  public var ended: String?
  /// Identifiers of requested elements that must not be verified.
  public var without: [String]?
  /// Identifiers of everything that the terminal holds of the response after the session.
  public var keeps: [String]?

  /// Creates an expectation of nothing.
  public init() {}

  /// The outcomes of sessions without a response.
  public static let outcomes: [SessionOutcome] = [.cancelled, .terminatedByPeer, .timedOut, .failed]
}

extension Form where Value == TerminalExpectation {
  static let terminal = Form.mapping(
    "terminal", { TerminalExpectation() },
    [
      Key(
        "name", \.name, .name(.terminal), usual: "the one that the phone was held to last", "the terminal"),
      Key(
        "verified", \.verified, .named("element", .scalar),
        "the response is verified, and these elements have these values; `present` for any value"),
      Key("refused", \.refused, .code(CodeRegistry.verdicts, "code"), "the check that refuses the response"),
      Key(
        "ended", \.ended, .words(TerminalExpectation.outcomes.map(\.rawValue), "outcome"),
        "the session ended without a response: `terminated-by-peer` by the phone, `timed-out`, `failed`, or `cancelled` "
          + "by the terminal"),
      Key("without", \.without, .list(.name(.element)), "requested elements that are not verified"),
      Key(
        "keeps", \.keeps, .list(.text),
        "everything that the terminal holds of the newest response when its session has ended, in any order"),
    ], expectsBesides: ["name"])
}

extension TerminalExpectation: ExpectedContent {
  var device: String? { nil }

  /// The expectation in one sentence.
  func words(_ names: WorldNames) -> String {
    Wording.sentence(
      name.map(names.terminal) ?? "the terminal",
      [
        verified.map { "has verified \(Wording.elements($0.map(\.name)))" },
        refused.map { "refuses the response: \(CodeWords.finding($0))" },
        ended.map { "has no response: \(SessionOutcome(rawValue: $0)?.message ?? $0)" },
        without.map { "has not verified \(Wording.elements($0))" }, keeps.map { "keeps \(Wording.elements($0))" },
      ], otherwise: "has a screen")
  }
}
