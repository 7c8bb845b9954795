import Ecosystem

/// The content of a demonstration's screen: a title, lines, and the person's choices.
public struct DemoScreen: Sendable, Equatable {
  /// A line of a screen.
  public struct Line: Sendable, Equatable {
    /// The tone of a line.
    public enum Tone: Sendable {
      case plain, heading, quiet, good, bad, picture
    }

    /// The text.
    public var text: String
    /// The tone.
    public var tone: Tone

    init(_ text: String, _ tone: Tone = .plain) {
      self.text = text
      self.tone = tone
    }
  }

  /// A choice of the person.
  public struct Choice: Sendable, Equatable {
    /// The key.
    public var key: Character
    /// The label.
    public var label: String
    /// The action.
    public var action: DemoAction
  }

  /// The title.
  public var title: String
  /// The lines.
  public var lines: [Line]
  /// The person's choices, the most likely first.
  public var choices: [Choice]
}

/// The action of a key.
public enum DemoAction: Sendable, Equatable {
  /// An action of the person in the world.
  case step(Action.ByPerson)
  /// Another view of the same state.
  case look(DemoState.Look)
  /// Starts the world again with faults.
  case begin(faults: [String])
  /// Ends the demonstration.
  case quit
}
