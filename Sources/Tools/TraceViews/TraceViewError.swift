import Primitives

/// The reason why a trace cannot be read or shown.
public struct TraceViewError: CodedError, Equatable {
  /// The kinds of errors.
  public enum Code: String, Sendable, CaseIterable {
    /// The file or folder cannot be read.
    case unreadable = "trace.unreadable"
    /// The file has more than ``TraceFile/maximumLength`` bytes.
    case tooLarge = "trace.too-large"
    /// A line is not a line of a trace.
    case line = "trace.line"
    /// The file has no line.
    case empty = "trace.empty"
    /// The files of the page are missing.
    case files = "trace.files"
  }

  /// The kind of error.
  public let code: Code
  /// A human-readable description.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
