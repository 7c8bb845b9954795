import LocatedYAML
import Telling

/// The exception that the page's newest call must have thrown.
public struct ExceptionExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The frame whose script called; nil for any document.
  public var frame: String?
  /// Name of the exception.
  public var name: String?
  /// The rule that rejected the call.
  public var code: String?
  /// Texts that the message must contain.
  public var mentions: [String]?
  /// Texts that the message must not contain.
  public var omits: [String]?

  /// Creates an expectation of any exception.
  public init() {}
}

extension Form where Value == ExceptionExpectation {
  static let exception = Form.mapping(
    "exception", { ExceptionExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the one with the page opened last", "the device"),
      Key("frame", \.frame, .frame, usual: "any", "the frame whose script called"),
      Key("name", \.name, .code(CodeRegistry.exceptionNames, "exception"), "the name of the exception"),
      Key("code", \.code, .code(CodeRegistry.browser, "code"), "the rule that rejected the call"),
      Key(
        "mentions", \.mentions,
        Form<[String]>.list(.text).checked { texts, node, _ in
          if texts.allSatisfy(\.isEmpty) {
            throw SourceProblem(.missingKey, "the expectation is empty", at: node.position)
          }
        }, "texts that the message contains"),
      Key("omits", \.omits, .list(.text), "texts that the message does not contain"),
    ], expectsBesides: ["on"])
}

extension ExceptionExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_: WorldNames) -> String {
    Wording.clauses(
      "the \(frame.map { "call of the frame \($0)" } ?? "page's call") throws",
      [
        name ?? "an exception", code.map { "because \(CodeWords.finding($0))" },
        Wording.quoted(mentions).map { "that says \($0)" },
        Wording.quoted(omits).map { "that does not say \($0)" },
      ],
      otherwise: "an exception")
  }
}
