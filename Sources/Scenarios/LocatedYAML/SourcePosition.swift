/// The position of a token in a file.
public struct SourcePosition: Hashable, Sendable {
  /// The file.
  public let file: SourceFile
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1 in Unicode scalars; a tab is one column.
  public let column: Int
  /// The length of the token in its line, in Unicode scalars. It is 0 for something missing.
  public let length: Int

  /// A position of a token of `length` scalars. Lines and columns count from 1.
  public init(file: SourceFile, line: Int, column: Int, length: Int = 1) {
    self.file = file
    self.line = line
    self.column = column
    self.length = length
  }
}

extension SourcePosition: Comparable {
  /// By path, then line, then column, then length.
  public static func < (first: SourcePosition, second: SourcePosition) -> Bool {
    (first.file.path, first.line, first.column, first.length)
      < (second.file.path, second.line, second.column, second.length)
  }
}

extension SourcePosition: CustomStringConvertible {
  /// `path:line:column`.
  public var description: String { "\(file.path):\(line):\(column)" }
}

/// A value with its position.
public struct Located<Value> {
  /// The value.
  public let value: Value
  /// The position.
  public let position: SourcePosition

  /// A value and its place.
  public init(_ value: Value, at position: SourcePosition) {
    self.value = value
    self.position = position
  }

  /// The same place, another value. Rethrows what `transform` throws.
  public func map<Other, Failure: Error>(
    _ transform: (Value) throws(Failure) -> Other
  ) throws(Failure) -> Located<Other> {
    Located<Other>(try transform(value), at: position)
  }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
