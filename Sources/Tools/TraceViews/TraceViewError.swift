import Primitives

/// The reason why a trace cannot be read or shown.
public typealias TraceViewError = CodedFailure<TraceViewErrorCode>

/// The kinds of errors.
public enum TraceViewErrorCode: String, Sendable, CaseIterable {
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
