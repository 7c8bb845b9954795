/// Bytes as hexadecimal digits.
public enum Hex {
  /// The bytes of a text of hexadecimal digits in upper or lower case, ignoring white space; nil for other text.
  public static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for character in text.utf8 {
      let digit: UInt8
      switch character {
      case 0x30...0x39: digit = character - 0x30
      case 0x41...0x46: digit = character - 0x41 + 10
      case 0x61...0x66: digit = character - 0x61 + 10
      case 0x09, 0x0a, 0x0d, 0x20: continue
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }

  /// The bytes of a test's own digits; empty for other text.
  public static func bytes(_ text: String) -> [UInt8] { decode(text) ?? [] }
}
