/// One step into a value.
package enum CBORPlace {
  /// The value of an entry of a map.
  case member(CBORValue)
  /// An item of an array, counted from 0.
  case element(Int)
  /// The item inside tag 24.
  case embedded
}

extension CBORValue {
  /// The same value with another one at the end of a path; unchanged where the path leads nowhere.
  package func changing(_ path: [CBORPlace], _ change: (CBORValue) -> CBORValue) -> CBORValue {
    guard let first = path.first else { return change(self) }
    let rest = Array(path.dropFirst())
    switch (first, self) {
    case (.member(let key), .map(let entries)):
      return .map(entries.map { $0.key == key ? Entry(key, $0.value.changing(rest, change)) : $0 })
    case (.element(let position), .array(let items)):
      return .array(items.enumerated().map { $0 == position ? $1.changing(rest, change) : $1 })
    case (.embedded, .tagged(24, .bytes(let bytes))):
      guard let item = try? CBORReader.read(bytes, readingEmbedded: false) else { return self }
      return .tagged(24, .bytes(CBORValue(item).changing(rest, change).encoded))
    default:
      return self
    }
  }

  /// The same map with one more entry, which takes the place of one with the same key; anything else unchanged.
  package func adding(_ key: String, _ value: CBORValue) -> CBORValue {
    guard case .map(let entries) = self else { return self }
    return .map(entries.filter { $0.key != .text(key) } + [Entry(.text(key), value)])
  }

  /// The same map without an entry; anything else unchanged.
  package func removing(_ key: CBORValue) -> CBORValue {
    guard case .map(let entries) = self else { return self }
    return .map(entries.filter { $0.key != key })
  }
}
