/// Limits on the cost of reading. They keep untrusted input from causing more work than its own size justifies.
public struct CBORLimits: Sendable, Equatable {
  /// The longest input, in bytes.
  public var bytes: Int
  /// The deepest level of an item. The outermost item is on the first level. Each array, map, tag, string in chunks and
  /// byte string of tag 24 adds a level to its content.
  public var depth: Int
  /// The most items in one input, including those inside embedded items.
  public var items: Int

  /// Creates custom limits.
  public init(bytes: Int, depth: Int, items: Int) {
    self.bytes = bytes
    self.depth = depth
    self.items = items
  }

  /// The limits for requests, responses and documents.
  ///
  /// Encrypted responses of 80 kB are seen in the wild, so 4 MiB leaves room for large portraits. A complete response has
  /// fewer than 16 levels including embedded items, so 32 is ample and keeps recursion far from the end of the stack.
  /// 65,536 items are a hundred documents of several hundred elements.
  public static let standard = CBORLimits(bytes: 4 << 20, depth: 32, items: 65_536)
}

/// Departures from the encoding required by ISO/IEC 18013-5, 8.3 that a reader may accept.
///
/// Deployed issuers depart from the encoding and cannot be fixed here, so data signed by an issuer is read with
/// ``CBORLeniency/received``. Data from a website is read without leniency.
public struct CBORLeniency: OptionSet, Sendable {
  /// The departures as bits.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Accepts heads longer and floats wider than needed, and reports them as deviations.
  public static let nonMinimalHeads = CBORLeniency(rawValue: 1)
  /// Accepts indefinite lengths, and reports them as deviations.
  public static let indefiniteLengths = CBORLeniency(rawValue: 2)

  /// The leniency for data made by an issuer.
  public static let received: CBORLeniency = [.nonMinimalHeads, .indefiniteLengths]
}

/// An accepted departure, always reported as a finding.
public struct CBORDeviation: Sendable, Equatable {
  /// The broken rule: ``CBORError/Code/nonMinimalHead`` or ``CBORError/Code/indefiniteLength``.
  public let code: CBORError.Code
  /// The place, in bytes from the start of the buffer.
  public let offset: Int
}
