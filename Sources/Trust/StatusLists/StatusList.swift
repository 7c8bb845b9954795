/// A status list: a small number for each index (Token Status List draft, 4.1).
public struct StatusList: Sendable, Equatable {
  /// The number of bits of each entry.
  public enum EntrySize: Int, Sendable, CaseIterable {
    case one = 1
    case two = 2
    case four = 4
    case eight = 8
  }

  /// The number of bits of each entry: 1 in ISO/IEC 18013-5, which defines only valid and invalid.
  public let entrySize: EntrySize
  /// The entries, the first one in the lowest bits of the first byte.
  public private(set) var bytes: [UInt8]

  /// Creates a list from its bytes.
  public init(entrySize: EntrySize, bytes: [UInt8]) {
    self.entrySize = entrySize
    self.bytes = bytes
  }

  /// Creates a list of zeros with a number of entries, rounded up to whole bytes.
  public init(entrySize: EntrySize, count: Int) {
    self.init(entrySize: entrySize, bytes: [UInt8](repeating: 0, count: (max(0, count) * entrySize.rawValue + 7) / 8))
  }

  /// The number of entries.
  public var count: Int { bytes.count * 8 / entrySize.rawValue }

  /// The value at an index, or nil if the list is shorter.
  public subscript(index: UInt64) -> UInt8? {
    guard let (byte, shift) = place(of: index) else { return nil }
    return bytes[byte] >> shift & mask
  }

  /// Sets an entry to the lowest bits of a value. An index past the end changes nothing.
  public mutating func set(_ index: UInt64, to value: UInt8) {
    guard let (byte, shift) = place(of: index) else { return }
    bytes[byte] = bytes[byte] & ~(mask << shift) | (value & mask) << shift
  }

  private var mask: UInt8 { entrySize == .eight ? 0xff : 1 << UInt8(entrySize.rawValue) - 1 }

  private func place(of index: UInt64) -> (byte: Int, shift: Int)? {
    guard index < UInt64(count) else { return nil }
    let bit = Int(index) * entrySize.rawValue
    return (bit / 8, bit % 8)
  }
}

/// The values of entries in a status list (Token Status List draft, 7.1).
public enum StatusValue {
  /// The document is valid.
  public static let valid: UInt8 = 0
  /// The document was revoked permanently.
  public static let invalid: UInt8 = 1
  /// The document is suspended temporarily.
  public static let suspended: UInt8 = 2
}
