/// A value with keys or other secrets. It prints as the name of its type.
public protocol KeepsSecrets: CustomStringConvertible, CustomReflectable {}

extension KeepsSecrets {
  /// The name of the type.
  public var description: String { "\(Self.self)" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
