/// The items of an array, in the order in which they were received.
public struct CBORArray: Sendable, Sequence {
  let item: CBORItem

  init(_ item: CBORItem) { self.item = item }

  /// How many items there are.
  public var count: Int { Int(item.node.argument) }

  /// Whether there is none.
  public var isEmpty: Bool { count == 0 }

  /// Where the array starts, in bytes from the start of the buffer.
  public var offset: Int { item.offset }

  /// Walks the items in order.
  public struct Iterator: IteratorProtocol {
    let index: CBORIndex
    var row: Int
    let end: Int

    /// The next item.
    public mutating func next() -> CBORItem? {
      guard row < end else { return nil }
      defer { row = Int(index.nodes[row].next) }
      return CBORItem(index, at: row)
    }
  }

  /// An iterator from the first item on.
  public func makeIterator() -> Iterator {
    Iterator(index: item.index, row: item.row + 1, end: Int(item.node.next))
  }

  /// The item at a position from 0, or nil past the end.
  public subscript(position: Int) -> CBORItem? {
    guard position >= 0, position < count else { return nil }
    var row = item.row + 1
    for _ in 0..<position { row = Int(item.index.nodes[row].next) }
    return CBORItem(item.index, at: row)
  }

  /// The item at a position from 0.
  /// - Throws: ``CBORError/Code/badValue`` past the end.
  public func at(_ position: Int) throws(CBORError) -> CBORItem {
    guard let found = self[position] else {
      throw CBORError(.badValue, at: offset, "the array has \(count) items, number \(position) is asked for")
    }
    return found
  }
}

/// The entries of a map, in the order in which they were received.
public struct CBORMap: Sendable, Sequence {
  let item: CBORItem

  init(_ item: CBORItem) { self.item = item }

  /// How many entries there are.
  public var count: Int { Int(item.node.argument) }

  /// Whether there is none.
  public var isEmpty: Bool { count == 0 }

  /// Where the map starts, in bytes from the start of the buffer.
  public var offset: Int { item.offset }

  /// Walks the entries in order.
  public struct Iterator: IteratorProtocol {
    let index: CBORIndex
    var row: Int
    let end: Int

    /// The next entry.
    public mutating func next() -> (key: CBORItem, value: CBORItem)? {
      guard row < end else { return nil }
      let value = Int(index.nodes[row].next)
      defer { row = Int(index.nodes[value].next) }
      return (CBORItem(index, at: row), CBORItem(index, at: value))
    }
  }

  /// An iterator from the first entry on.
  public func makeIterator() -> Iterator {
    Iterator(index: item.index, row: item.row + 1, end: Int(item.node.next))
  }

  /// The value of a text key, or nil.
  public subscript(key: String) -> CBORItem? {
    for entry in self where entry.key.node.major == 3 && entry.key.content.elementsEqual(key.utf8) {
      return entry.value
    }
    return nil
  }

  /// The value of an integer key, or nil.
  public subscript(key: Int) -> CBORItem? {
    let major: UInt8 = key < 0 ? 1 : 0
    let argument = UInt64(key < 0 ? -1 - key : key)
    for entry in self where entry.key.node.major == major && entry.key.node.argument == argument {
      return entry.value
    }
    return nil
  }

  /// The value of a text key that must be there.
  /// - Throws: ``CBORError/Code/missingKey``.
  public func required(_ key: String) throws(CBORError) -> CBORItem {
    guard let value = self[key] else {
      throw CBORError(.missingKey, at: offset, "the map has no key \"\(key)\"")
    }
    return value
  }

  /// The value of an integer key that must be there.
  /// - Throws: ``CBORError/Code/missingKey``.
  public func required(_ key: Int) throws(CBORError) -> CBORItem {
    guard let value = self[key] else { throw CBORError(.missingKey, at: offset, "the map has no key \(key)") }
    return value
  }
}
