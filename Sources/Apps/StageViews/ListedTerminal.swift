import InteractiveWorlds
import JSON
import ScenarioLanguage
import Telling
import Vocabulary

/// A terminal of a world, for the stage.
struct ListedTerminal: JSONObjectWritable {
  private let terminal: WorldDescription.Terminal
  /// True if a device is held to it in the run.
  private let isUsed: Bool

  /// The terminals of a world.
  /// - Parameter isUsed: Returns whether the run uses a terminal.
  static func all(of world: WorldDescription, isUsed: (String) -> Bool = { _ in true }) -> [ListedTerminal] {
    world.terminals.map { ListedTerminal(terminal: $0, isUsed: isUsed($0.identifier)) }
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("icon", terminal.brand.picture)
    json.member("isUsed", isUsed)
    json.member("name", terminal.identifier)
    json.member("title", terminal.brand.name)
  }
}

extension TerminalView: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    if !answers.isEmpty { json.member("answers", answers.map { TerminalAnswer($0, at: identifier) }) }
    json.member("code", code)
    if !elements.isEmpty { json.member("facts", elements.map(DeviceScreen.Fact.init)) }
    if !kept.isEmpty { json.member("kept", kept) }
    if !overheard.isEmpty { json.member("overheard", overheard) }
    json.member("phase", phase.rawValue)
    json.member("reason", reason)
    json.member("title", phase.title)
    json.member("way", way)
    json.member("words", words)
  }
}

/// An answer of the clerk, with its step.
private struct TerminalAnswer: JSONObjectWritable {
  let label: String
  let text: String

  init(_ answer: Action.ByClerk, at terminal: String) {
    label = answer.label
    text = Step(.action(.clerk(answer, terminal: terminal))).text
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("label", label)
    json.member("text", text)
  }
}

extension OverheardMessage: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("clear", clear)
    json.member("message", message)
    json.member("sealed", sealed)
    json.member("sender", sender)
    json.member("size", size)
    json.member("title", title)
  }
}
