import LocatedYAML
import PassKit
import Primitives
import Telling

/// The result that a requesting app must show.
public struct InAppExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The app; nil for the one opened last.
  public var name: String?
  /// True if the document can be requested.
  public var isAvailable: Bool?
  /// Verified elements with their values in words.
  public var verified: [Named<String>]?
  /// The check that must refuse the answer.
  public var refused: String?
  /// The name of the error that the newest request must have thrown.
  public var error: String?
  /// Identifiers of elements that must not be verified.
  public var without: [String]?

  /// Creates an expectation of nothing.
  public init() {}
}

extension Form where Value == InAppExpectation {
  static let inApp = Form.mapping(
    "in-app", { InAppExpectation() },
    [
      Key("name", \.name, .name(.requestingApp), usual: "the app opened last", "the requesting app"),
      Key("on", \.device, .name(.device), usual: "the device used last", "the device"),
      Key("available", \.isAvailable, .boolean, "`canRequestDocument` returned this: the app shows its button, or not"),
      Key(
        "verified", \.verified, .named("element", .scalar),
        "the answer is verified, and these elements have these values; `present` for any value"),
      Key("refused", \.refused, .code(CodeRegistry.verdicts, "code"), "the check that refuses the answer"),
      Key(
        "throws", \.error, .words(PKIdentityError.Code.allCases.map { "\($0)" }, "error"),
        "the `PKIdentityError` of the newest request"),
      Key("without", \.without, .list(.name(.element)), "elements that are not verified"),
    ], expectsBesides: ["name", "on"])
}

extension InAppExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_: WorldNames) -> String {
    Wording.sentence(
      name ?? "the app",
      [
        isAvailable.map { $0 ? "can request the document" : "cannot request the document" },
        verified.map { "has verified \(Wording.elements($0.map(\.name)))" },
        refused.map { "refuses the answer: \(CodeWords.finding($0))" },
        error.map { "gets the error \($0)" }, without.map { "has not verified \(Wording.elements($0))" },
      ], otherwise: "has a screen")
  }
}
