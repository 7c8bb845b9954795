import InteractiveWorlds
import JSON
import ScenarioLanguage
import Telling
import Vocabulary

/// A terminal of a world, for the stage.
struct ListedTerminal: JSONObjectWritable {
  var name: String
  var title: String
  var icon: String
  /// True if a device is held to it in the run.
  var isUsed: Bool

  /// The terminals of a world.
  /// - Parameter used: Those that the run uses; nil for all.
  static func all(of world: WorldDescription, used: Set<String>? = nil) -> [ListedTerminal] {
    world.terminals.map { terminal in
      ListedTerminal(
        name: terminal.identifier, title: terminal.brand.name, icon: terminal.brand.picture,
        isUsed: used?.contains(terminal.identifier) ?? true)
    }
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("icon", icon)
    json.member("isUsed", isUsed)
    json.member("name", name)
    json.member("title", title)
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
