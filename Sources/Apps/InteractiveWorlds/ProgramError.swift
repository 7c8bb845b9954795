import Primitives

/// An error of the program's surroundings: it cannot do its work where it runs.
public struct ProgramError: CodedError, Equatable {
  /// The kinds of errors.
  public enum Code: String, Sendable {
    /// The terminal cannot be controlled.
    case terminal = "program.terminal"
    /// Files that come with the program are missing.
    case files = "program.files"
    /// A measurement has no result.
    case measurement = "program.measurement"
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
}
