/// A small generator that is determined by its seed, so that a test's random values can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator from its seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits (SplitMix64).
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// A drawn number from 0 and below a bound, which is above 0.
  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A drawn byte.
  public mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 32) }

  /// Returns true with a probability in percent.
  public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  /// Drawn bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}

/// Damage to bytes, for readers of untrusted input.
public enum Damage {
  /// Every proper prefix.
  public static func truncations(of bytes: [UInt8]) -> [[UInt8]] { bytes.indices.map { Array(bytes[..<$0]) } }

  /// Every truncation, and every byte changed once to a random other value.
  public static func sample(of bytes: [UInt8], seed: UInt64) -> [[UInt8]] {
    var generator = SeededGenerator(seed: seed)
    return truncations(of: bytes)
      + bytes.indices.map { place in
        var changed = bytes
        changed[place] ^= UInt8.random(in: 1...255, using: &generator)
        return changed
      }
  }
}
