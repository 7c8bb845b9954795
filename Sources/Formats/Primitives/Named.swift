/// A value with a name, as in a mapping whose order counts.
public struct Named<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The name.
  public var name: String
  /// The value.
  public var value: Value

  /// Creates a named value.
  public init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }
}
