/// The base64 texts in a message, decoded level by level. Accepts both alphabets of RFC 4648 without their strictness: a
/// leak is a leak in any spelling.
enum Base64Layers {
  /// base64 in JSON in base64 in JSON: the raw request for an app has its texts at the third level.
  private static let maximumDepth = 4
  /// The length of the shortest text that can hold a pattern.
  private static let minimumText = (PatternSet.minimumLength * 8 + 5) / 6
  /// The value of a byte that is not a character.
  private static let outside: UInt8 = 0xff
  /// The value of each byte.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: outside, count: 256)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    for (characters, value) in [("+-", 62), ("/_", 63)] as [(String, UInt8)] {
      for character in characters.utf8 { values[Int(character)] = value }
    }
    return values
  }()

  /// Returns true for a byte that is a character of one of the alphabets.
  static func isCharacter(_ byte: UInt8) -> Bool { values[Int(byte)] != outside }

  /// Returns the bytes, then the decoded bytes of each base64 text in them, and of the texts in these, down to
  /// ``maximumDepth``.
  static func of(_ bytes: [UInt8]) -> [[UInt8]] {
    var layers: [[UInt8]] = []
    add(bytes, depth: 0, to: &layers)
    return layers
  }

  private static func add(_ bytes: [UInt8], depth: Int, to layers: inout [[UInt8]]) {
    layers.append(bytes)
    guard depth < maximumDepth else { return }
    let values = values.span
    let count = bytes.count
    // Always after a byte that is not a character.
    var start = 0
    while start + minimumText <= count {
      var end = start + minimumText
      while end > start, values[Int(bytes[end - 1])] != outside { end -= 1 }
      guard end == start else {
        start = end
        continue
      }
      end += minimumText
      while end < count, values[Int(bytes[end])] != outside { end += 1 }
      add(decoded(bytes.span.extracting(start..<end)), depth: depth + 1, to: &layers)
      start = end + 1
    }
  }

  /// Returns the bytes of a text of characters. Drops the bits after the last whole byte.
  static func decoded(_ text: Span<UInt8>) -> [UInt8] {
    [UInt8](capacity: text.count / 4 * 3 + 2) { bytes in
      let values = values.span
      var place = 0
      while place + 4 <= text.count {
        let second = values[Int(text[place + 1])]
        let third = values[Int(text[place + 2])]
        bytes.append(values[Int(text[place])] << 2 | second >> 4)
        bytes.append(second << 4 | third >> 2)
        bytes.append(third << 6 | values[Int(text[place + 3])])
        place += 4
      }
      guard place + 2 <= text.count else { return }
      let second = values[Int(text[place + 1])]
      bytes.append(values[Int(text[place])] << 2 | second >> 4)
      if place + 3 == text.count { bytes.append(second << 4 | values[Int(text[place + 2])] >> 2) }
    }
  }
}
