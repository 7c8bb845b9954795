import LocatedYAML
import Telling

/// The prompt that must be on the screen.
public struct PromptExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The app that the prompt is for; nil if no prompt must be on the screen.
  public var app: String?
  /// True if a prompt must be on the screen; nil if the file leaves it to ``app``.
  public var isShown: Bool?

  /// Creates an expectation of no prompt.
  public init() {}
}

extension Form where Value == PromptExpectation {
  static let prompt = Form.mapping(
    "prompt", { PromptExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the device used last", "the device"),
      Key("app", \.app, .name(.app), "the prompt on the screen asks whether this app may provide documents"),
      Key("shown", \.isShown, .boolean, "`false`: the screen shows no prompt"),
    ], expectsBesides: ["on"]
  ).checked { value, node, _ in
    if let isShown = value.isShown, isShown != (value.app != nil) {
      throw SourceProblem(
        .missingKey, isShown ? "name the app of the prompt" : "a prompt with an app is shown", at: node.position)
    }
  }
}

extension PromptExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_: WorldNames) -> String {
    app.map { "the system asks whether \($0) may provide documents" }
      ?? (isShown == true ? "a prompt is on the screen" : "no prompt is on the screen")
  }
}
