import Primitives

/// A UUID of 128 bits. CBOR and text have its bytes in the order of RFC 9562, Bluetooth data in reverse.
public struct BluetoothUUID: Sendable, Hashable, CustomStringConvertible {
  /// The 16 bytes in the order of RFC 9562.
  public let bytes: [UInt8]

  /// The number of bytes.
  public static let length = 16

  /// Creates a UUID, or returns nil for another number of bytes than 16.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// Creates a UUID from bytes in Bluetooth's order, or returns nil for another number of bytes than 16.
  public init?(reversed bytes: [UInt8]) { self.init(bytes.reversed()) }

  /// The 16 bytes in Bluetooth's order.
  public var reversed: [UInt8] { bytes.reversed() }

  /// Indicates whether the variant bits are those of RFC 9562. Deployed readers send others.
  public var hasStandardVariant: Bool { bytes[8] & 0xc0 == 0x80 }

  /// The text with hyphens, in lower case.
  public var description: String {
    [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]]
      .map(hexadecimal).joined(separator: "-")
  }
}
