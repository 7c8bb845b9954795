/// Byte strings to search for in one pass over bytes.
///
/// The search looks at two bytes and goes on by up to four, because the two are not next to each other at the beginning of
/// any pattern (Wu and Manber, "A fast algorithm for multi-pattern searching", 1994).
struct PatternSet {
  private struct Pattern {
    let bytes: [UInt8]
    let name: String
  }

  /// Patterns by their first four bytes.
  private var patterns: [UInt32: [Pattern]] = [:]
  /// By the place of two bytes, the bytes to go on by if the first ``minimumLength`` bytes of a pattern would end with them,
  /// and ``beginning`` if a pattern begins with them.
  private var steps: [UInt8] = []

  /// The length of the shortest pattern in bytes. A shorter one occurs by chance.
  static let minimumLength = 5
  /// The bits of an entry of ``steps`` for the bytes to go on by.
  private static let step: UInt8 = 0x7f
  private static let beginning: UInt8 = 0x80
  /// The number of places of two bytes. Two pairs at one place make steps shorter and hide nothing.
  private static let places = 1 << 13

  private static func place(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 5 ^ Int(second) }

  /// True if there is nothing to search for.
  var isEmpty: Bool { patterns.isEmpty }

  /// Adds a pattern, unless it is shorter than ``minimumLength``.
  mutating func insert(_ bytes: [UInt8], named name: String) {
    guard bytes.count >= Self.minimumLength else { return }
    let last = Self.minimumLength - 1
    if steps.isEmpty { steps = [UInt8](repeating: UInt8(last), count: Self.places) }
    let key = bytes[..<last].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    if patterns[key]?.contains(where: { $0.bytes == bytes }) == true { return }
    patterns[key, default: []].append(Pattern(bytes: bytes, name: name))
    for end in 1...last {
      let place = Self.place(bytes[end - 1], bytes[end])
      steps[place] = steps[place] & Self.beginning | min(steps[place] & Self.step, UInt8(last - end))
    }
    steps[Self.place(bytes[0], bytes[1])] |= Self.beginning
  }

  /// Returns the name of the first pattern in the first of some byte strings that has one, or nil.
  func firstName(in layers: [[UInt8]]) -> String? {
    guard !isEmpty else { return nil }
    for layer in layers {
      if let name = firstName(in: layer) { return name }
    }
    return nil
  }

  private func firstName(in bytes: [UInt8]) -> String? {
    let (bytes, steps) = (bytes.span, steps.span)
    let last = Self.minimumLength - 1
    var end = last
    while end < bytes.count {
      let step = steps[Self.place(bytes[end - 1], bytes[end])] & Self.step
      guard step == 0 else {
        end += Int(step)
        continue
      }
      if steps[Self.place(bytes[end - last], bytes[end - last + 1])] & Self.beginning != 0,
        let name = name(at: end - last, in: bytes)
      {
        return name
      }
      end += 1
    }
    return nil
  }

  /// The name of the pattern that begins at a place with enough bytes after it, or nil.
  private func name(at start: Int, in bytes: Span<UInt8>) -> String? {
    let key = (start..<start + Self.minimumLength - 1).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[$1]) }
    return patterns[key]?.first { pattern in
      pattern.bytes.count <= bytes.count - start
        && pattern.bytes.indices.allSatisfy { pattern.bytes[$0] == bytes[start + $0] }
    }?.name
  }
}
