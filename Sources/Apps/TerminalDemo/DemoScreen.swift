import QRCode
import Vocabulary

/// The content of a demonstration's screen: a title, lines, and the person's choices.
public struct DemoScreen: Sendable, Equatable {
  /// A line of a screen.
  public struct Line: Sendable, Equatable {
    /// The tone of a line.
    public enum Tone: Sendable {
      case plain, heading, quiet, good, warning, bad, picture
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

  /// A QR code.
  public struct Code: Sendable, Equatable {
    /// The text.
    public var text: String
    /// The drawing, in half blocks.
    public var drawing: [String]

    /// The code of a text, at the smaller level: it is on a screen, and a terminal has few rows.
    init(_ text: String) {
      self.text = text
      drawing = (try? QRSymbol(text, level: .low))?.halfBlocks ?? []
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

  /// The device with the screen.
  struct Device: Sendable, Equatable {
    /// Its title for people.
    var title: String
    /// True for a window of a browser, false for a phone.
    var isDesktop: Bool
    /// The time.
    var time: String
    /// True in flight mode.
    var isInFlightMode: Bool
    /// The host of the page, or the name of the app, below the status bar.
    var address: String?
    /// The page below a sheet; nil without a sheet.
    var behind: [Line]?
  }

  /// The title.
  public var title: String
  /// The QR code above the lines; nil without one.
  public var code: Code?
  /// The lines.
  public var lines: [Line]
  /// The person's choices, the most likely first; then those that every screen has.
  public var choices: [Choice]
  /// The number of the choices that every screen has.
  var generalCount = 0
  /// The device; nil for a view of the demonstration.
  var device: Device?

  /// The choices of the screen itself.
  var ownChoices: ArraySlice<Choice> { choices.dropLast(generalCount) }
}

/// The action of a key.
public enum DemoAction: Sendable, Equatable {
  /// An action of the person in the world. A play is taken over first.
  case step(Action.ByPerson)
  /// An action of the clerk at a terminal.
  case clerk(Action.ByClerk, terminal: String)
  /// An action that the person found by hand, at a place that stays open.
  case deed(Action)
  /// Shows what the person can do by hand. A play is taken over first.
  case byHand(DemoState.HandPlace?)
  /// Takes the last act back.
  case undo
  /// Another view of the same state.
  case look(DemoState.Look)
  /// Starts the world again with faults.
  case begin(faults: [String])
  /// Adds the chosen faults to each other, or lets each replace the others.
  case combineFaults(Bool)
  /// Goes to the start, to the end, or to the step before.
  case start, end, back
  /// Goes to the next step, or does it in a world that was taken over.
  case next
  /// Plays the scenario by itself, or stops.
  case play
  /// Goes back from a world that was taken over to the play.
  case leave
  /// Ends the demonstration.
  case quit
}

extension DemoScreen {
  /// The screen for a state.
  public init(_ state: DemoState) {
    switch state.look {
    case .faults: self = Self.faults(state)
    case .checks: self = Self.checks(state)
    case .message(let number): self = Self.message(number, state)
    case .byHand(let place): self = Self.byHand(place, state)
    case .entry(let entry): self = Self.entry(entry, state)
    case .authentication(let method): self = Self.authentication(method, state)
    case .plain, .hiddenApps: self = Self.device(state)
    }
    if state.look == .plain { choices = Self.clerk(state) + choices }
    let general = Self.general(state)
    choices += general
    generalCount = general.count
  }

  private static func general(_ state: DemoState) -> [Choice] {
    var choices: [Choice] = []
    // Every letter belongs to the text.
    if case .entry = state.look { return [] }
    if state.look == .plain {
      if !state.checks.isEmpty { choices.append(Choice(key: "k", label: "every check", action: .look(.checks))) }
      choices.append(Choice(key: "f", label: "faults", action: .look(.faults)))
      choices.append(Choice(key: "M", label: "by hand", action: .byHand(nil)))
      if state.canUndo { choices.append(Choice(key: "U", label: "undo", action: .undo)) }
      if state.story?.live != nil { choices.append(Choice(key: "r", label: "back to the run", action: .leave)) }
      return choices + [Choice(key: "q", label: "quit", action: .quit)]
    }
    choices.append(Choice(key: "b", label: "back", action: .look(state.back)))
    if case .byHand = state.look, state.canUndo { choices.append(Choice(key: "U", label: "undo", action: .undo)) }
    return choices + [Choice(key: "q", label: "close", action: .look(.plain))]
  }
}
