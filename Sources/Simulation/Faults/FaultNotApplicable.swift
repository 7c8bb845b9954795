/// A fault cannot be put into what it should be put into: there is nothing that it could change.
public struct FaultNotApplicable: Error, Sendable, CustomStringConvertible {
  /// What is missing, for a person to read.
  public let description: String

  /// An error from its sentence.
  public init(_ description: String) { self.description = "the fault is not applicable: \(description)" }
}
