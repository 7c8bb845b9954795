import ScenarioLanguage
import ScenarioRunner

/// An error of a live world.
public struct InteractiveWorldError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: String, Sendable, CaseIterable {
    /// The input is not a step of the scenario language.
    case unreadable = "live.unreadable"
    /// The step is not supported in a live world.
    case unsuitable = "live.unsuitable"
    /// The step cannot be done now: its subject does not exist.
    case impossible = "live.impossible"
    /// The world has ended.
    case ended = "live.ended"
    /// The journal reached its limit, so the world has ended.
    case full = "live.full"
    /// The world failed, or could not be created.
    case broken = "live.broken"
  }

  /// The kind of error.
  public let code: Code
  /// A human-readable description.
  public let message: String

  /// Creates an error.
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
