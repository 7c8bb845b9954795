import Ecosystem

/// What a demonstration shows at one moment, however it is drawn: a heading, lines, and what the person can do.
public struct DemoScreen: Sendable, Equatable {
  /// A line of a screen.
  public struct Line: Sendable, Equatable {
    /// How a line is meant.
    public enum Tone: Sendable {
      case plain, heading, quiet, good, bad, picture
    }

    /// What stands there.
    public var text: String
    /// How it is meant.
    public var tone: Tone

    init(_ text: String, _ tone: Tone = .plain) {
      self.text = text
      self.tone = tone
    }
  }

  /// What the person can do: a key, what it is called, and what comes of it.
  public struct Choice: Sendable, Equatable {
    /// The key.
    public var key: Character
    /// What it is called.
    public var label: String
    /// What comes of it.
    public var action: DemoAction
  }

  /// Whose screen it is.
  public var title: String
  /// What stands on it.
  public var lines: [Line]
  /// What the person can do, the most likely first.
  public var choices: [Choice]
}

/// What comes of a key.
public enum DemoAction: Sendable, Equatable {
  /// An action of the person in the world.
  case step(Action.ByPerson)
  /// Another view of the same moment.
  case look(DemoState.Look)
  /// The world begins again, with these things going wrong.
  case begin(faults: [String])
  /// The demonstration ends.
  case quit
}
