/// Writes items in preferred serialization (RFC 8949, 4.1): minimal heads, definite lengths, shortest floats.
/// Containers are written as a head with its count, then that many items.
public struct CBORWriter: Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8]

  /// Creates an empty writer.
  /// - Parameter capacity: The number of bytes to reserve.
  public init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  mutating func head(major: UInt8, argument: UInt64) {
    let type = major << 5
    switch argument {
    case 0..<24: bytes.append(type | UInt8(argument))
    case 24..<0x100:
      bytes.append(type | 24)
      bytes.append(UInt8(argument))
    case 0x100..<0x1_0000:
      bytes.append(type | 25)
      appendBigEndian(argument, width: 2)
    case 0x1_0000..<0x1_0000_0000:
      bytes.append(type | 26)
      appendBigEndian(argument, width: 4)
    default:
      bytes.append(type | 27)
      appendBigEndian(argument, width: 8)
    }
  }

  /// Writes the bits of a float in their own width.
  mutating func floatBits(_ number: CBORFloatBits) {
    bytes.append(7 << 5 | number.information)
    appendBigEndian(number.bits, width: 1 << Int(number.information - 24))
  }

  private mutating func appendBigEndian(_ value: UInt64, width: Int) {
    for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  /// Writes an unsigned integer.
  public mutating func unsigned(_ value: UInt64) { head(major: 0, argument: value) }

  /// Writes an integer.
  public mutating func integer(_ value: Int) {
    if value >= 0 { head(major: 0, argument: UInt64(value)) } else { head(major: 1, argument: UInt64(-1 - value)) }
  }

  /// Writes the negative integer -1 - `argument`, which may be below the range of `Int`.
  public mutating func negative(argument: UInt64) { head(major: 1, argument: argument) }

  /// Writes a byte string.
  public mutating func byteString(_ content: [UInt8]) {
    head(major: 2, argument: UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  /// Writes a text string.
  public mutating func text(_ content: String) {
    head(major: 3, argument: UInt64(content.utf8.count))
    bytes.append(contentsOf: content.utf8)
  }

  /// Writes the head of an array; `count` items must follow.
  public mutating func array(_ count: Int) { head(major: 4, argument: UInt64(count)) }

  /// Writes the head of a map; `count` keys, each followed by its value, must follow.
  public mutating func map(_ count: Int) { head(major: 5, argument: UInt64(count)) }

  /// Writes a tag; one item must follow.
  public mutating func tag(_ number: UInt64) { head(major: 6, argument: number) }

  /// Writes true or false.
  public mutating func boolean(_ value: Bool) { bytes.append(value ? 0xf5 : 0xf4) }

  /// Writes null.
  public mutating func null() { bytes.append(0xf6) }

  /// Writes undefined.
  public mutating func undefined() { bytes.append(0xf7) }

  /// Writes a simple value. The values 24 to 31 do not exist and are written as null.
  public mutating func simple(_ value: UInt8) {
    if (24..<32).contains(value) { null() } else { head(major: 7, argument: UInt64(value)) }
  }

  /// Writes a floating-point number in the shortest width that preserves its value. Every NaN is written as 7e00.
  public mutating func float(_ value: Double) {
    let bits = value.isNaN ? 0x7ff8_0000_0000_0000 : value.bitPattern
    floatBits(CBORFloatBits(information: 27, bits: bits).shortest)
  }

  /// Writes items that are already encoded, unchanged.
  public mutating func encoded(_ item: [UInt8]) { bytes.append(contentsOf: item) }

  /// Writes tag 24 around a byte string that holds the encoded item (RFC 8949, 3.4.5.1).
  public mutating func embedded(_ item: [UInt8]) {
    tag(24)
    byteString(item)
  }

  /// Writes an entry of a map: a text key and the value that `write` writes.
  package mutating func member(_ key: String, _ write: (inout CBORWriter) -> Void) {
    text(key)
    write(&self)
  }

  /// Writes an entry of a map: a text key and an array, each element of which `write` writes.
  package mutating func member<Element>(
    _ key: String, each elements: [Element], _ write: (inout CBORWriter, Element) -> Void
  ) {
    text(key)
    array(elements.count)
    for element in elements { write(&self, element) }
  }

  /// Writes an entry of a map: an integer key and the value that `write` writes.
  package mutating func member(_ key: Int, _ write: (inout CBORWriter) -> Void) {
    integer(key)
    write(&self)
  }

  /// Writes a value, map entries in the order given.
  public mutating func value(_ value: CBORValue) {
    switch value {
    case .unsigned(let number): unsigned(number)
    case .negative(let argument): negative(argument: argument)
    case .bytes(let content): byteString(content)
    case .text(let content): text(content)
    case .array(let items):
      array(items.count)
      for item in items { self.value(item) }
    case .map(let entries):
      map(entries.count)
      for entry in entries {
        self.value(entry.key)
        self.value(entry.value)
      }
    case .tagged(let number, let content):
      tag(number)
      self.value(content)
    case .boolean(let flag): boolean(flag)
    case .null: null()
    case .undefined: undefined()
    case .simple(let number): simple(number)
    case .float(let number): float(number)
    }
  }

  /// Returns the bytes that `body` writes.
  public static func encode(capacity: Int = 64, _ body: (inout CBORWriter) -> Void) -> [UInt8] {
    var writer = CBORWriter(capacity: capacity)
    body(&writer)
    return writer.bytes
  }
}

/// A floating-point number as encoded: additional information 25, 26 or 27, and the bits that follow.
struct CBORFloatBits {
  let information: UInt8
  let bits: UInt64

  /// The number as a double.
  var value: Double {
    switch information {
    case 25: Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
    case 26: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    default: Double(bitPattern: bits)
    }
  }

  /// The same number in half the width, or nil if that would change its value or a NaN's payload (RFC 8949, 4.1).
  var halved: CBORFloatBits? {
    switch information {
    case 26:
      let single = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      if single.isNaN {
        guard bits & 0x1fff == 0 else { return nil }
        return CBORFloatBits(information: 25, bits: bits >> 16 & 0x8000 | 0x7c00 | bits >> 13 & 0x3ff)
      }
      let half = Float16(single)
      return Float(half) == single ? CBORFloatBits(information: 25, bits: UInt64(half.bitPattern)) : nil
    case 27:
      let double = Double(bitPattern: bits)
      if double.isNaN {
        guard bits & 0x1fff_ffff == 0 else { return nil }
        return CBORFloatBits(information: 26, bits: bits >> 32 & 0x8000_0000 | 0x7f80_0000 | bits >> 29 & 0x7f_ffff)
      }
      let single = Float(double)
      return Double(single) == double ? CBORFloatBits(information: 26, bits: UInt64(single.bitPattern)) : nil
    default: return nil
    }
  }

  /// The same number in the shortest width that preserves it.
  var shortest: CBORFloatBits { halved?.shortest ?? self }
}
