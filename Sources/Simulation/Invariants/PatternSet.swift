/// Byte strings to search for in one pass over a message, through the base64 texts in it.
struct PatternSet {
  private struct Pattern {
    let bytes: [UInt8]
    let name: String
  }

  /// Patterns by their first four bytes.
  private var patterns: [UInt32: [Pattern]] = [:]
  /// True for the first two bytes of every pattern.
  private var starts: [Bool] = []

  /// A shorter pattern is found anywhere.
  static let minimumLength = 5
  /// base64 in JSON in base64 in JSON: the raw request for an app has its texts at the third level.
  private static let maximumDepth = 4
  /// The length of the shortest base64 text that can hold a pattern.
  private static let minimumText = (minimumLength * 8 + 5) / 6

  /// True if there is nothing to search for.
  var isEmpty: Bool { patterns.isEmpty }

  /// Adds a pattern. A pattern that is too short to be found by chance only is left out.
  mutating func insert(_ bytes: [UInt8], named name: String) {
    guard bytes.count >= Self.minimumLength else { return }
    if starts.isEmpty { starts = [Bool](repeating: false, count: 1 << 16) }
    let key = bytes[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    if patterns[key]?.contains(where: { $0.bytes == bytes }) == true { return }
    patterns[key, default: []].append(Pattern(bytes: bytes, name: name))
    starts[Int(key >> 16)] = true
  }

  /// Returns the name of the first pattern in bytes or in a base64 text in them, to any sensible depth; or nil.
  func firstName(in bytes: [UInt8]) -> String? { firstName(in: bytes, depth: 0) }

  private func firstName(in bytes: [UInt8], depth: Int) -> String? {
    if let name = literalName(in: bytes) { return name }
    guard depth < Self.maximumDepth else { return nil }
    var start = 0
    while start < bytes.count {
      guard Base64Text.digits[Int(bytes[start])] >= 0 else {
        start += 1
        continue
      }
      var end = start + 1
      while end < bytes.count, Base64Text.digits[Int(bytes[end])] >= 0 { end += 1 }
      if end - start >= Self.minimumText,
        let name = firstName(in: Base64Text.decoded(bytes[start..<end]), depth: depth + 1)
      {
        return name
      }
      start = end + 1
    }
    return nil
  }

  private func literalName(in bytes: [UInt8]) -> String? {
    guard !patterns.isEmpty else { return nil }
    var key: UInt32 = 0
    for (end, byte) in bytes.enumerated() {
      key = key << 8 | UInt32(byte)
      guard end >= 3, starts[Int(key >> 16)], let candidates = patterns[key] else { continue }
      let rest = bytes[(end - 3)...]
      if let found = candidates.first(where: { rest.starts(with: $0.bytes) }) { return found.name }
    }
    return nil
  }
}

/// base64 and base64url without their strictness: a leak is a leak in any spelling.
enum Base64Text {
  /// The value of each character, and -1 for bytes that are not of either alphabet.
  static let digits: [Int8] = {
    var digits = [Int8](repeating: -1, count: 256)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    for (value, character) in alphabet.enumerated() { digits[Int(character)] = Int8(value) }
    for (characters, value) in [("+-", 62), ("/_", 63)] {
      for character in characters.utf8 { digits[Int(character)] = Int8(value) }
    }
    return digits
  }()

  /// Returns the bytes of a text of these characters; the bits after the last whole byte are dropped.
  static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for character in text {
      bits = bits << 6 | UInt32(UInt8(bitPattern: digits[Int(character)]))
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
