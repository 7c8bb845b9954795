import LocatedYAML
import Primitives

/// An unusable report, or wrong orders about reports and shards.
public struct ReportError: CodedError, Equatable {
  /// The kinds of failure.
  public enum Code: String, CaseIterable, Sendable {
    /// The text is not a format with a file.
    case format = "report.format"
    /// The file cannot be written.
    case unwritable = "report.unwritable"
    /// The file cannot be read.
    case unreadable = "report.unreadable"
    /// The file is not a JSON report of this version.
    case malformed = "report.malformed"
    /// The reports are not those of all shards of one run.
    case merge = "report.merge"
    /// The text or the environment does not name one shard.
    case shard = "report.shard"
  }

  /// The kind of failure.
  public let code: Code
  /// A human-readable description of the failure.
  public let message: String

  /// Creates an error.
  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message. Paths and names in it are safe to print.
  public var description: String { SourceText.visible(message) }
}
