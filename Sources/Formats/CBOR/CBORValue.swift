/// A value on its own, without the bytes it came from: for building, comparing and showing. What was received and will
/// be hashed or verified stays a ``CBORItem``.
public indirect enum CBORValue: Sendable, Equatable {
  /// An unsigned integer.
  case unsigned(UInt64)
  /// The negative integer -1 - argument.
  case negative(UInt64)
  /// A byte string.
  case bytes([UInt8])
  /// A text string.
  case text(String)
  /// An array.
  case array([CBORValue])
  /// A map, entries in order.
  case map([Entry])
  /// A tagged item.
  case tagged(UInt64, CBORValue)
  /// True or false.
  case boolean(Bool)
  /// Null.
  case null
  /// Undefined.
  case undefined
  /// Any other simple value.
  case simple(UInt8)
  /// A floating-point number.
  case float(Double)

  /// One entry of a map.
  public struct Entry: Sendable, Equatable {
    /// The key.
    public let key: CBORValue
    /// The value.
    public let value: CBORValue

    /// An entry from its parts.
    public init(_ key: CBORValue, _ value: CBORValue) {
      self.key = key
      self.value = value
    }
  }

  /// An integer.
  public static func integer(_ value: Int) -> CBORValue {
    value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(-1 - value))
  }

  /// A map with text keys, in the order given.
  public static func textMap(_ entries: [(String, CBORValue)]) -> CBORValue {
    .map(entries.map { Entry(.text($0.0), $0.1) })
  }

  /// The value of an item. The contents of tag 24 stay the byte string they are.
  public init(_ item: CBORItem) {
    let node = item.node
    switch item.kind {
    case .unsigned: self = .unsigned(node.argument)
    case .negative: self = .negative(node.argument)
    case .bytes: self = .bytes([UInt8](item.content))
    case .text: self = .text(String(decoding: item.content, as: UTF8.self))
    case .array: self = .array(item.children.map(CBORValue.init))
    case .map: self = .map(CBORMap(item).map { Entry(CBORValue($0.key), CBORValue($0.value)) })
    case .tagged: self = .tagged(node.argument, CBORValue(CBORItem(item.index, at: item.row + 1)))
    case .boolean: self = .boolean(node.information == 21)
    case .null: self = .null
    case .undefined: self = .undefined
    case .simple: self = .simple(UInt8(truncatingIfNeeded: node.argument))
    case .float: self = .float((try? item.float()) ?? .nan)
    }
  }

  /// The value in preferred serialization (RFC 8949, 4.1), map entries in the order they have here.
  public var encoded: [UInt8] { CBORWriter.encode { $0.value(self) } }

  /// The same value with the entries of every map in the bytewise order of their keys (RFC 8949, 4.2.1).
  public var deterministic: CBORValue {
    switch self {
    case .array(let items): .array(items.map(\.deterministic))
    case .tagged(let number, let content): .tagged(number, content.deterministic)
    case .map(let entries):
      .map(
        entries
          .map { (key: $0.key.deterministic.encoded, entry: Entry($0.key.deterministic, $0.value.deterministic)) }
          .sorted { $0.key.lexicographicallyPrecedes($1.key) }
          .map(\.entry))
    default: self
    }
  }

  /// Equal in kind and content; a NaN equals a NaN, and zeros differ in sign.
  public static func == (left: CBORValue, right: CBORValue) -> Bool {
    switch (left, right) {
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.negative(let a), .negative(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.tagged(let a, let x), .tagged(let b, let y)): a == b && x == y
    case (.boolean(let a), .boolean(let b)): a == b
    case (.null, .null), (.undefined, .undefined): true
    case (.simple(let a), .simple(let b)): a == b
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
    default: false
    }
  }
}
