/// Steps over the items directly inside a container.
struct CBORRows {
  private let index: CBORIndex
  private var row: Int
  private let end: Int

  init(inside item: CBORItem) {
    index = item.index
    row = item.row + 1
    end = Int(item.node.next)
  }

  mutating func next() -> CBORItem? {
    guard row < end else { return nil }
    defer { row = Int(index.nodes[row].next) }
    return CBORItem(index, at: row)
  }
}

/// The items of an array, in the order received.
public struct CBORArray: Sendable, Sequence {
  let item: CBORItem

  init(_ item: CBORItem) { self.item = item }

  /// The number of items.
  public var count: Int { Int(item.node.argument) }

  /// True if the array is empty.
  public var isEmpty: Bool { count == 0 }

  /// The start of the array, in bytes from the start of the buffer.
  public var offset: Int { item.offset }

  /// Iterates over the items in order.
  public struct Iterator: IteratorProtocol {
    var rows: CBORRows

    /// Returns the next item.
    public mutating func next() -> CBORItem? { rows.next() }
  }

  /// Returns an iterator over the items.
  public func makeIterator() -> Iterator { Iterator(rows: CBORRows(inside: item)) }

  /// The item at a position from 0, or nil past the end.
  public subscript(position: Int) -> CBORItem? {
    guard position >= 0, position < count else { return nil }
    var row = item.row + 1
    for _ in 0..<position { row = Int(item.index.nodes[row].next) }
    return CBORItem(item.index, at: row)
  }

  /// Returns the item at a position from 0.
  /// - Throws: ``CBORError/Code/badValue`` past the end.
  public func at(_ position: Int) throws(CBORError) -> CBORItem {
    guard let found = self[position] else {
      throw CBORError(.badValue, at: offset, "the array has \(count) items, but item \(position) was requested")
    }
    return found
  }
}

/// The entries of a map, in the order received.
public struct CBORMap: Sendable, Sequence {
  let item: CBORItem

  init(_ item: CBORItem) { self.item = item }

  /// The number of entries.
  public var count: Int { Int(item.node.argument) }

  /// True if the map is empty.
  public var isEmpty: Bool { count == 0 }

  /// The start of the map, in bytes from the start of the buffer.
  public var offset: Int { item.offset }

  /// Iterates over the entries in order.
  public struct Iterator: IteratorProtocol {
    var rows: CBORRows

    /// Returns the next entry.
    public mutating func next() -> (key: CBORItem, value: CBORItem)? {
      guard let key = rows.next(), let value = rows.next() else { return nil }
      return (key, value)
    }
  }

  /// Returns an iterator over the entries.
  public func makeIterator() -> Iterator { Iterator(rows: CBORRows(inside: item)) }

  /// The value of a text key, or nil.
  public subscript(key: String) -> CBORItem? {
    item.index.value(of: key, inMapAt: item.row).map { CBORItem(item.index, at: $0) }
  }

  /// The value of an integer key, or nil.
  public subscript(key: Int) -> CBORItem? {
    item.index.value(of: key, inMapAt: item.row).map { CBORItem(item.index, at: $0) }
  }

  /// Returns the value of a required text key.
  /// - Throws: ``CBORError/Code/missingKey``.
  public func required(_ key: String) throws(CBORError) -> CBORItem {
    guard let value = self[key] else { throw missing("\"\(key)\"") }
    return value
  }

  /// Returns the value of a required integer key.
  /// - Throws: ``CBORError/Code/missingKey``.
  public func required(_ key: Int) throws(CBORError) -> CBORItem {
    guard let value = self[key] else { throw missing("\(key)") }
    return value
  }

  private func missing(_ key: String) -> CBORError { CBORError(.missingKey, at: offset, "the map has no key \(key)") }
}
