/// A flaw cannot be put into what it should be put into: there is nothing that it could change.
public struct FlawDoesNotFit: Error, Sendable, CustomStringConvertible {
  /// What is missing, for a person to read.
  public let description: String

  /// An error from its sentence.
  public init(_ description: String) { self.description = "the flaw does not fit: \(description)" }
}
