import Primitives

/// Escape sequences in strings (RFC 8259, 7).
enum JSONEscape {
  /// Returns whether a string must not contain a byte unescaped.
  static func isNeeded(for byte: UInt8) -> Bool {
    byte ^ quotationMarkBit <= controlLimit || byte == UInt8(ascii: "\\")
  }

  // The quotation mark is 0x22. With this bit changed it is 0x20, next to the control characters, which change places.
  private static let quotationMarkBit: UInt8 = 0x02
  private static let controlLimit: UInt8 = 0x20

  /// Returns the number of bytes before the first one that a string must not contain unescaped.
  static func plainCount(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var place = start
    while place + wordLength <= bytes.count {
      let found = escapes(inWord: bytes.extracting(place..<place + wordLength))
      guard found == 0 else { return place - start + found.trailingZeroBitCount / 8 }
      place += wordLength
      guard place - start == nearCount else { continue }
      // Most texts have ended by now, and escapes are rare in long ones. The compiler turns a block of constant length
      // without a branch into vectors.
      while place + block <= bytes.count, !hasEscape(bytes.extracting(place..<place + block)) { place += block }
    }
    if place > start, place < bytes.count {
      // The last word begins with bytes that are known to be plain.
      place = bytes.count - wordLength
      let found = escapes(inWord: bytes.extracting(place...))
      place += found == 0 ? wordLength : found.trailingZeroBitCount / 8
      return place - start
    }
    while place < bytes.count, !isNeeded(for: bytes[place]) { place += 1 }
    return place - start
  }

  private static let nearCount = 32
  private static let block = 128
  private static let wordLength = 8

  /// Returns whether a block contains a byte that a string must not contain unescaped.
  @inline(__always) private static func hasEscape(_ bytes: Span<UInt8>) -> Bool {
    var found: UInt8 = 0
    for place in bytes.indices {
      let byte = bytes[place]
      found |= (byte ^ quotationMarkBit <= controlLimit ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0)
    }
    return found != 0
  }

  /// Returns the highest bit of the first byte that a string must not contain unescaped, the lowest bits being the first
  /// byte; 0 without one. Bits above that one have no meaning.
  @inline(__always) private static func escapes(inWord bytes: Span<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    for place in 0..<wordLength { word |= UInt64(bytes[place]) << UInt64(8 * place) }
    let ones: UInt64 = 0x0101_0101_0101_0101
    // The highest bit of a byte that is less than a limit of at most 0x80. A borrow reaches only later bytes.
    func less(_ word: UInt64, than limit: UInt8) -> UInt64 { (word &- ones &* UInt64(limit)) & ~word & ones << 7 }
    return less(word ^ ones &* UInt64(quotationMarkBit), than: controlLimit + 1)
      | less(word ^ ones &* UInt64(UInt8(ascii: "\\")), than: 1)
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  /// Writes the escape sequence of a byte: the short one if there is one.
  static func write(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0a: output.append(UInt8(ascii: "n"))
    case 0x0c: output.append(UInt8(ascii: "f"))
    case 0x0d: output.append(UInt8(ascii: "r"))
    default:
      output += "u00".utf8
      output.append(hexadecimal[Int(byte >> 4)])
      output.append(hexadecimal[Int(byte & 15)])
    }
  }

  /// Returns a string's content without escape sequences. ``JSONReader`` has checked them.
  static func removed(from string: ArraySlice<UInt8>) -> [UInt8] {
    let content = string.span
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var place = 0
    while true {
      let plain = place..<place + plainCount(content, from: place)
      text += string[string.startIndex + plain.lowerBound..<string.startIndex + plain.upperBound]
      guard plain.upperBound + 1 < content.count else { return text }
      let kind = content[plain.upperBound + 1]
      place = plain.upperBound + 2
      switch kind {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0c)
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        var value = codeUnit(content, at: &place)
        if isHighSurrogate(value) {
          place += 2
          value = codePoint(value, codeUnit(content, at: &place))
        }
        text += String(Character(Unicode.Scalar(value) ?? "\u{fffd}")).utf8
      default: text.append(kind)
      }
    }
  }

  private static func codeUnit(_ content: Span<UInt8>, at place: inout Int) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 where place < content.count {
      unit = unit << 4 | UInt32(content[place].hexadecimalValue ?? 0)
      place += 1
    }
    return unit
  }

  /// Returns whether a code unit is the first half of a surrogate pair.
  static func isHighSurrogate(_ unit: UInt32) -> Bool { (0xd800..<0xdc00).contains(unit) }

  /// Returns the code point of a surrogate pair.
  static func codePoint(_ high: UInt32, _ low: UInt32) -> UInt32 { 0x10000 &+ (high & 0x3ff) << 10 &+ (low & 0x3ff) }
}
