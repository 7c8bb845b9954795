/// Escape sequences in strings (RFC 8259, 7).
enum JSONEscape {
  /// Returns whether a string must not contain a byte unescaped.
  static func isNeeded(for byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Returns the number of bytes before the first one that a string must not contain unescaped.
  static func plainCount(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var place = start
    let end = min(start + block, bytes.count)
    while place < end {
      if isNeeded(for: bytes[place]) { return place - start }
      place += 1
    }
    // Some texts are long, and escapes are rare. A block without a branch inside is read many bytes at a time.
    while place + block <= bytes.count {
      let part = bytes.extracting(place..<place + block)
      var found: UInt8 = 0
      for offset in part.indices { found |= isNeeded(for: part[offset]) ? 1 : 0 }
      if found != 0 { break }
      place += block
    }
    while place < bytes.count, !isNeeded(for: bytes[place]) { place += 1 }
    return place - start
  }

  private static let block = 16
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
      unit = unit << 4 | (digit(content[place]) ?? 0)
      place += 1
    }
    return unit
  }

  /// Returns whether a code unit is the first half of a surrogate pair.
  static func isHighSurrogate(_ unit: UInt32) -> Bool { (0xd800..<0xdc00).contains(unit) }

  /// Returns the code point of a surrogate pair.
  static func codePoint(_ high: UInt32, _ low: UInt32) -> UInt32 { 0x10000 &+ (high & 0x3ff) << 10 &+ (low & 0x3ff) }

  /// Returns the value of a hexadecimal digit, or nil for another byte.
  static func digit(_ byte: UInt8) -> UInt32? { Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt32.init) }
}
