import ScenarioLanguage
import ScenarioRunner

/// Why a live world does not do something.
public struct InteractiveWorldError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Why, as a code.
  public enum Code: String, Sendable, CaseIterable {
    /// What was asked is no step of the scenario language.
    case unreadable = "live.unreadable"
    /// The step is not one for a world that is driven from outside.
    case unsuitable = "live.unsuitable"
    /// It cannot be done now: what would be touched is not there.
    case impossible = "live.impossible"
    /// The world has ended.
    case ended = "live.ended"
    /// So much happened in the world that it has ended.
    case full = "live.full"
    /// The world went wrong, or could not be made.
    case broken = "live.broken"
  }

  /// Why, as a code.
  public let code: Code
  /// Why, for a person to read.
  public let message: String

  /// A refusal from its parts.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ stop: ScenarioRun.Stop) {
    switch stop {
    case .failed(let failure):
      self.init(.impossible, failure.headline + (failure.caretNote.map { ": \($0)" } ?? ""))
    case .undecided(let message): self.init(.broken, message)
    }
  }

  /// The message with the code.
  public var description: String { "\(message) [\(code.rawValue)]" }
}
