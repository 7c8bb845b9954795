/// A change of one value of a file.
public struct SourceChange: Hashable, Sendable {
  /// The new value.
  public enum Content: Hashable, Sendable {
    /// A scalar.
    case scalar(YAMLValue)
    /// A list of texts.
    case list(ListChange)
  }

  /// The position of the value.
  public let position: SourcePosition
  /// The positions of the mappings around the value that belong to the same part of the file.
  public let containers: [SourcePosition]
  /// The new value.
  public let content: Content

  /// Creates a change.
  public init(at position: SourcePosition, in containers: [SourcePosition], _ content: Content) {
    self.position = position
    self.containers = containers
    self.content = content
  }
}

/// A change of a list of texts whose order does not count: each item that stays keeps its place.
public struct ListChange: Hashable, Sendable {
  /// The items before.
  public let old: [String]
  /// For each item before the text in its place; nil if the item is removed.
  public let places: [String?]
  /// The items after the last one.
  public let added: [String]

  /// The items after the change.
  public var items: [String] { places.compactMap(\.self) + added }

  /// Creates a change. New items take the places of removed ones.
  public init(from old: [String], to new: [String]) {
    var rest = new
    var places: [String?] = old.map { text in rest.firstIndex(of: text).map { rest.remove(at: $0) } }
    for place in places.indices where places[place] == nil && !rest.isEmpty { places[place] = rest.removeFirst() }
    self.old = old
    self.places = places
    added = rest
  }
}
