/// A value of a file: text, a list, or a mapping, and where it stands.
///
/// Trees come from `SourceNode.parse`, nest no deeper than `SourceLimits.depth`, and are walked by recursion.
public struct SourceNode: Hashable, Sendable {
  /// Where the value stands: the scalar, the brackets of a list or mapping written in one line, else its first token.
  public let position: SourcePosition
  /// What it is.
  public let content: Content

  /// The kinds of values.
  public enum Content: Hashable, Sendable {
    /// Text, a number, true, false or nothing.
    case scalar(SourceScalar)
    /// A list.
    case sequence([SourceNode])
    /// Keys and values in the order in which they were written. No key comes twice.
    case mapping([Entry])
  }

  /// A key of a mapping and its value.
  public struct Entry: Hashable, Sendable {
    /// The key, as text whatever it looks like: `on`, `21` and `true` are the text that stands there.
    public let key: Located<String>
    /// The value.
    public let value: SourceNode

    /// A key and its value.
    public init(key: Located<String>, value: SourceNode) {
      self.key = key
      self.value = value
    }
  }

  /// A value at a place.
  public init(_ content: Content, at position: SourcePosition) {
    self.content = content
    self.position = position
  }
}

extension SourceNode {
  /// The value of a key of this mapping; nil where there is no such key, or no mapping.
  public subscript(key: String) -> SourceNode? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key.value == key }?.value
  }

  /// The scalar that this value is, if it is one.
  public var scalar: SourceScalar? {
    guard case .scalar(let scalar) = content else { return nil }
    return scalar
  }

  /// Whether this is a scalar that stands for nothing: `null`, `~`, or a key with nothing after it.
  public var isNull: Bool { scalar?.value == .null }

  /// What this is, as a phrase for a sentence: "a list", "the text 'Kelly'", "nothing".
  public var phrase: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .scalar(let scalar): scalar.phrase
    }
  }
}
