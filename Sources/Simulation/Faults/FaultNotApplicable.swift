/// A fault that finds nothing to change.
public struct FaultNotApplicable: Error, Sendable, CustomStringConvertible {
  /// A human-readable description of what is missing.
  public let description: String

  /// An error from its message.
  public init(_ description: String) { self.description = "the fault is not applicable: \(description)" }
}
