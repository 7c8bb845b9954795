/// How much one reading may cost. Every bound exists so that a stranger's bytes cannot buy more work than they carry.
public struct CBORLimits: Sendable, Equatable {
  /// Longest input, in bytes.
  public var bytes: Int
  /// Deepest level an item may stand on. The outermost item is on the first; an array, a map, a tag and a string that
  /// comes in chunks put what they hold one level deeper, and so does the byte string of tag 24.
  public var depth: Int
  /// Most items in one input, those inside embedded items counted.
  public var items: Int

  /// Bounds of your own.
  public init(bytes: Int, depth: Int, items: Int) {
    self.bytes = bytes
    self.depth = depth
    self.items = items
  }

  /// The bounds for requests, responses and documents.
  ///
  /// Sealed responses of 80 kB are seen in the wild, so 4 MiB leaves room for large portraits; a complete response is
  /// fewer than 16 levels deep with its embedded items, so 32 is ample and keeps recursion far from the stack's end;
  /// 65,536 items are a hundred documents of several hundred elements.
  public static let standard = CBORLimits(bytes: 4 << 20, depth: 32, items: 65_536)
}

/// Departures from the encoding that ISO/IEC 18013-5 clause 8.3 requires and that a reading may let pass.
///
/// Documents are issued by software that nobody here can mend, so what an issuer signed is read with
/// ``CBORLeniency/received``; what a website sends is read with none.
public struct CBORLeniency: OptionSet, Sendable {
  /// The set of departures as bits.
  public let rawValue: UInt8

  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Heads longer and floats wider than needed are read and reported as deviations.
  public static let nonMinimalHeads = CBORLeniency(rawValue: 1)
  /// Indefinite lengths are read and reported as deviations.
  public static let indefiniteLengths = CBORLeniency(rawValue: 2)

  /// What data that an issuer made needs.
  public static let received: CBORLeniency = [.nonMinimalHeads, .indefiniteLengths]
}

/// A departure that was let pass: accepted with a finding, never silently.
public struct CBORDeviation: Sendable, Equatable {
  /// Which rule the bytes depart from: ``CBORError/Code/nonMinimalHead`` or ``CBORError/Code/indefiniteLength``.
  public let code: CBORError.Code
  /// Where, in bytes from the start of the buffer.
  public let offset: Int
}
