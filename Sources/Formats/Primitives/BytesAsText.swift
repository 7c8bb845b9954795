/// Base64url without padding (RFC 4648, 5).
///
/// The reader is strict: it refuses padding, white space, other characters, impossible lengths and bits set after the last
/// byte, so that each sequence of bytes has one text.
public enum Base64URL {
  private static let alphabet = Base64Alphabet(last: "-_")

  /// Encodes bytes as text.
  public static func encode(_ bytes: some Collection<UInt8>) -> String { encode(Array(bytes)) }

  /// Encodes bytes as text.
  public static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: alphabet.text(of: bytes.span), as: UTF8.self)
  }

  /// Returns the text of some bytes in UTF-8, without making a string of it.
  package static func characters(of bytes: [UInt8]) -> [UInt8] { alphabet.text(of: bytes.span) }

  /// Decodes a text, or returns nil if it is not strict base64url.
  public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8Span.span) }

  /// Decodes the UTF-8 of a text, or returns nil if it is not strict base64url.
  package static func decode(_ characters: Span<UInt8>) -> [UInt8]? { alphabet.bytes(in: characters) }

  /// Describes the first violation of strict base64url in a text, or returns nil if the text decodes.
  ///
  /// The description completes a message whose subject is the text: "is padded".
  public static func violation(in text: String) -> String? {
    if alphabet.isOfBytes(text.utf8Span.span) { return nil }
    let characters = Array(text.utf8)
    if let place = characters.firstIndex(where: { !alphabet.contains($0) }) {
      let isPadding = characters[place] == UInt8(ascii: "=")
      return isPadding ? "is padded" : "has a character outside base64url at \(place)"
    }
    return characters.count % 4 == 1 ? "has a length that base64url never has" : "has bits set after its last byte"
  }
}

/// Base64 with padding (RFC 4648, 4). The reader is as strict as that of ``Base64URL``.
public enum Base64 {
  private static let alphabet = Base64Alphabet(last: "+/")
  private static let padding = UInt8(ascii: "=")

  /// Encodes bytes as text.
  public static func encode(_ bytes: [UInt8]) -> String { String(decoding: characters(of: bytes), as: UTF8.self) }

  /// Returns the text of some bytes in UTF-8, without making a string of it.
  package static func characters(of bytes: [UInt8]) -> [UInt8] {
    var text = alphabet.text(of: bytes.span)
    while text.count % 4 != 0 { text.append(padding) }
    return text
  }

  /// Decodes a text, or returns nil if it is not strict base64.
  public static func decode(_ text: String) -> [UInt8]? {
    let characters = text.utf8Span.span
    guard characters.count % 4 == 0 else { return nil }
    var end = characters.count
    while end > 0, characters.count - end < 2, characters[end - 1] == padding { end -= 1 }
    return alphabet.bytes(in: characters.extracting(..<end))
  }
}

/// The characters of base64 as tables in both directions.
private struct Base64Alphabet: Sendable {
  /// The two characters of each twelve bits, the first one in the lower byte.
  private let pairs: [UInt16]
  /// The value of each byte; ``outside`` for a byte that is not a character.
  private let values: [UInt64]

  /// The value of a byte that is not a character. At each place of a group it sets bits above those of the group.
  private static let outside = UInt64.max
  /// Eight characters are six bytes.
  private static let groupLength = 8
  private static let bytesOfGroup = 6
  private static let bitsOfGroup = 48
  // Of spans with a constant length, the compiler checks the length once instead of each index.
  private static let pairCount = 64 * 64
  private static let byteCount = 256

  /// - Parameter last: The characters of the values 62 and 63.
  init(last: String) {
    let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8
    pairs = characters.flatMap { first in characters.map { second in UInt16(first) | UInt16(second) << 8 } }
    var values = [UInt64](repeating: Self.outside, count: Self.byteCount)
    for (value, character) in characters.enumerated() { values[Int(character)] = UInt64(value) }
    self.values = values
  }

  func contains(_ byte: UInt8) -> Bool { values[Int(byte)] != Self.outside }

  /// Returns the characters of some bytes, without padding.
  func text(of bytes: Span<UInt8>) -> [UInt8] {
    [UInt8](capacity: bytes.count / 3 * 4 + 4) { text in
      let pairs = pairs.span.extracting(..<Self.pairCount)
      let groups = bytes.count / 3
      for group in 0..<groups {
        let group = bytes.extracting(3 &* group..<3 &* group &+ 3)
        let bits = Int(group[0]) << 16 | Int(group[1]) << 8 | Int(group[2])
        let first = pairs[bits >> 12]
        let second = pairs[bits & 0xfff]
        text.append(UInt8(truncatingIfNeeded: first))
        text.append(UInt8(truncatingIfNeeded: first >> 8))
        text.append(UInt8(truncatingIfNeeded: second))
        text.append(UInt8(truncatingIfNeeded: second >> 8))
      }
      let rest = bytes.extracting((3 * groups)...)
      guard !rest.isEmpty else { return }
      let bits = Int(rest[0]) << 16 | (rest.count == 2 ? Int(rest[1]) << 8 : 0)
      let first = pairs[bits >> 12]
      text.append(UInt8(truncatingIfNeeded: first))
      text.append(UInt8(truncatingIfNeeded: first >> 8))
      if rest.count == 2 { text.append(UInt8(truncatingIfNeeded: pairs[bits & 0xfff])) }
    }
  }

  /// Returns the bytes of characters without padding, or nil for another byte, for a length that no bytes have, and for bits
  /// after the last byte.
  func bytes(in text: Span<UInt8>) -> [UInt8]? {
    let groups = text.count / Self.groupLength
    guard let rest = rest(of: text) else { return nil }
    // All bits of the groups, of which some must be zero.
    var found: UInt64 = 0
    let bytes = [UInt8](capacity: Self.bytesOfGroup * (groups + 1)) { bytes in
      let values = values.span.extracting(..<Self.byteCount)
      for group in 0..<groups {
        let group = text.extracting(Self.groupLength &* group..<Self.groupLength &* group &+ Self.groupLength)
        var bits: UInt64 = 0
        for place in group.indices { bits = bits << 6 | values[Int(group[place])] }
        found |= bits
        for byte in 1...Self.bytesOfGroup {
          bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(Self.bitsOfGroup &- 8 &* byte)))
        }
      }
      for byte in 0..<rest.count {
        bytes.append(UInt8(truncatingIfNeeded: rest.bits >> UInt64(8 * (rest.count - 1 - byte))))
      }
    }
    return found >> Self.bitsOfGroup == 0 ? bytes : nil
  }

  /// Returns whether characters without padding are those of some bytes, as ``bytes(in:)`` does.
  func isOfBytes(_ text: Span<UInt8>) -> Bool {
    guard rest(of: text) != nil else { return false }
    let values = values.span.extracting(..<Self.byteCount)
    var found: UInt64 = 0
    for place in text.indices { found |= values[Int(text[place])] }
    return found != Self.outside
  }

  /// Returns the bytes of the characters after the last whole group, the last one in the lowest byte, and their number; nil
  /// if the characters are not those of some bytes.
  private func rest(of text: Span<UInt8>) -> (bits: UInt64, count: Int)? {
    let rest = text.extracting((text.count / Self.groupLength * Self.groupLength)...)
    guard rest.count % 4 != 1 else { return nil }
    var bits: UInt64 = 0
    for place in rest.indices { bits = bits << 6 | values[Int(rest[place])] }
    let count = rest.count * 6 / 8
    let surplus = rest.count * 6 - count * 8
    guard bits >> (rest.count * 6) == 0, bits.trailingZeroBitCount >= surplus else { return nil }
    return (bits >> surplus, count)
  }
}

/// Base64 of a text that a person pasted or a tool wrapped: either alphabet of RFC 4648, with or without padding and white
/// space.
public enum PastedBase64 {
  /// Decodes a text, or returns nil if it is not base64.
  public static func decode(_ text: String) -> [UInt8]? {
    var characters = text.utf8.filter { $0 != 0x20 && !(0x09...0x0d).contains($0) }
    let whole = characters.count
    while characters.last == UInt8(ascii: "="), whole - characters.count < 2 { characters.removeLast() }
    guard whole == characters.count || whole % 4 == 0 else { return nil }
    let usesBoth =
      characters.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
      && characters.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    guard !usesBoth else { return nil }
    for place in characters.indices {
      if characters[place] == UInt8(ascii: "+") { characters[place] = UInt8(ascii: "-") }
      if characters[place] == UInt8(ascii: "/") { characters[place] = UInt8(ascii: "_") }
    }
    return Base64URL.decode(String(decoding: characters, as: UTF8.self))
  }
}

/// Hexadecimal digits in pairs.
public enum Hexadecimal {
  /// Decodes a text, or returns nil if it has other characters.
  public static func decode(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap(\.hexadecimalValue)
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

/// Returns bytes as lower-case hexadecimal digits.
public func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
  let bytes = Array(bytes)
  var text: [UInt8] = []
  text.reserveCapacity(2 * bytes.count)
  for byte in bytes {
    text.append(digit(byte >> 4))
    text.append(digit(byte & 15))
  }
  return String(decoding: text, as: UTF8.self)
}
