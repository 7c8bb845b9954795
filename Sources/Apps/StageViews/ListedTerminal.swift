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
    // The answers of the clerk, with their steps.
    let said = answers.map { ["label": $0.label, "text": Step(.action(.clerk($0, terminal: identifier))).text] }
    if !answers.isEmpty { json.member("answers", said) }
    json.member("code", code)
    if !elements.isEmpty { json.member("facts", elements.map(\.fact)) }
    if !kept.isEmpty { json.member("kept", kept) }
    if !overheard.isEmpty { json.member("overheard", overheard) }
    json.member("phase", phase.rawValue)
    json.member("reason", reason)
    json.member("title", phase.title)
    json.member("way", way)
    json.member("words", words)
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
