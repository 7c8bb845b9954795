/// A value without its encoding: for building, comparing and printing. Received data to be hashed or verified stays a
/// ``CBORItem``.
public enum CBORValue: Sendable, Equatable {
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
  indirect case tagged(UInt64, CBORValue)
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

    /// Creates an entry.
    public init(_ key: CBORValue, _ value: CBORValue) {
      self.key = key
      self.value = value
    }
  }

  /// Returns an integer.
  public static func integer(_ value: Int) -> CBORValue {
    value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(-1 - value))
  }

  /// Returns a map with integer keys, of those entries that have a value, in the order given.
  package static func map(present entries: [(Int, CBORValue?)]) -> CBORValue {
    .map(entries.compactMap { key, value in value.map { Entry(.integer(key), $0) } })
  }

  /// Returns a map with text keys, in the order given.
  public static func textMap(_ entries: [(String, CBORValue)]) -> CBORValue {
    .map(entries.map { Entry(.text($0.0), $0.1) })
  }

  /// Creates the value of an item. The content of tag 24 stays a byte string.
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

  /// The value in preferred serialization (RFC 8949, 4.1), with map entries in their order here.
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

  /// Compares kind and content. All NaNs are equal; zeros of different sign are not.
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

/// `#6.24(bstr .cbor Value)`: a decoded value together with its received bytes. Digests and signatures are computed over
/// the bytes, never over a re-encoding (ISO/IEC 18013-5, 9.1.2.5).
public struct EncodedCBOR<Value: Sendable>: Sendable {
  /// The decoded value.
  public let value: Value
  /// The whole tagged item as received, including the tag and the byte-string head.
  public let bytes: [UInt8]

  /// Reads the value inside a received tag-24 item and keeps the item's bytes.
  /// - Throws: The error of `read`, or ``CBORError/Code/wrongType`` if the item is not tag 24.
  @inlinable public init(_ item: CBORItem, read: (CBORItem) throws(CBORError) -> Value) throws(CBORError) {
    value = try read(try item.embedded())
    bytes = [UInt8](item.encoded)
  }

  /// Wraps a new value with its encoding.
  @inlinable public init(_ value: Value, encodedAs content: [UInt8]) {
    self.value = value
    bytes = CBORWriter.encode(capacity: content.count + 8) { $0.embedded(content) }
  }
}
