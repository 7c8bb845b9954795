/// A status list: a small number for each index (Token Status List draft, 4.1).
public struct StatusList: Sendable, Equatable {
  /// Bits of each entry.
  public enum EntrySize: Int, Sendable, CaseIterable {
    case one = 1
    case two = 2
    case four = 4
    case eight = 8
  }

  /// Bits of each entry: 1 in ISO/IEC 18013-5, where nothing but invalid is known.
  public let entrySize: EntrySize
  /// The entries, the first one in the lowest bits of the first byte.
  public private(set) var bytes: [UInt8]

  /// A list from its bytes.
  public init(entrySize: EntrySize, bytes: [UInt8]) {
    self.entrySize = entrySize
    self.bytes = bytes
  }

  /// A list of zeros with room for so many entries, rounded up to whole bytes.
  public init(entrySize: EntrySize, count: Int) {
    self.init(
      entrySize: entrySize, bytes: [UInt8](repeating: 0, count: (max(0, count) * entrySize.rawValue + 7) / 8))
  }

  /// How many entries it has.
  public var count: Int { bytes.count * 8 / entrySize.rawValue }

  /// What an entry says; nil when the list has no such entry.
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

/// What an entry of a status list says (Token Status List draft, 7.1).
public enum StatusValue {
  /// The document is valid.
  public static let valid: UInt8 = 0
  /// The document was revoked, for ever.
  public static let invalid: UInt8 = 1
  /// The document does not count for the time being.
  public static let suspended: UInt8 = 2
}
