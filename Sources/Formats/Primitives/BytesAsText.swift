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
  public static func encode(_ bytes: [UInt8]) -> String {
    var text = alphabet.text(of: bytes.span)
    while text.count % 4 != 0 { text.append(padding) }
    return String(decoding: text, as: UTF8.self)
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
  private let characters: [UInt8]
  /// The value of each byte; ``outside`` for a byte that is not a character.
  private let values: [UInt32]

  /// The value of a byte that is not a character. At each place of a group it sets bits above those of the group.
  private static let outside = UInt32.max
  private static let bitsAboveGroup: UInt32 = 0xff00_0000
  // Of spans with a constant length, the compiler checks the length once instead of each index.
  private static let characterCount = 64
  private static let byteCount = 256

  /// - Parameter last: The characters of the values 62 and 63.
  init(last: String) {
    characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
    var values = [UInt32](repeating: Self.outside, count: Self.byteCount)
    for (value, character) in characters.enumerated() { values[Int(character)] = UInt32(value) }
    self.values = values
  }

  func contains(_ byte: UInt8) -> Bool { values[Int(byte)] != Self.outside }

  /// Returns the characters of some bytes, without padding.
  func text(of bytes: Span<UInt8>) -> [UInt8] {
    [UInt8](capacity: bytes.count / 3 * 4 + 4) { text in
      let characters = characters.span.extracting(..<Self.characterCount)
      let groups = bytes.count / 3
      for group in 0..<groups {
        let group = bytes.extracting(3 &* group..<3 &* group &+ 3)
        let bits = Int(group[0]) << 16 | Int(group[1]) << 8 | Int(group[2])
        text.append(characters[bits >> 18])
        text.append(characters[bits >> 12 & 63])
        text.append(characters[bits >> 6 & 63])
        text.append(characters[bits & 63])
      }
      let rest = bytes.extracting((3 * groups)...)
      guard !rest.isEmpty else { return }
      let bits = Int(rest[0]) << 16 | (rest.count == 2 ? Int(rest[1]) << 8 : 0)
      text.append(characters[bits >> 18])
      text.append(characters[bits >> 12 & 63])
      if rest.count == 2 { text.append(characters[bits >> 6 & 63]) }
    }
  }

  /// Returns the bytes of characters without padding, or nil for another byte, for a length that no bytes have, and for bits
  /// after the last byte.
  func bytes(in text: Span<UInt8>) -> [UInt8]? {
    let groups = text.count / 4
    let rest = text.extracting((4 * groups)...)
    guard let last = lastGroup(rest) else { return nil }
    // All bits of the groups, of which some must be zero.
    var found: UInt32 = 0
    let bytes = [UInt8](capacity: 3 * groups + 2) { bytes in
      let values = values.span.extracting(..<Self.byteCount)
      for group in 0..<groups {
        let group = text.extracting(4 &* group..<4 &* group &+ 4)
        let bits =
          values[Int(group[0])] << 18 | values[Int(group[1])] << 12 | values[Int(group[2])] << 6 | values[Int(group[3])]
        found |= bits
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
      }
      if rest.count > 1 { bytes.append(UInt8(truncatingIfNeeded: last >> 16)) }
      if rest.count > 2 { bytes.append(UInt8(truncatingIfNeeded: last >> 8)) }
    }
    return found & Self.bitsAboveGroup == 0 ? bytes : nil
  }

  /// Returns whether characters without padding are those of some bytes, as ``bytes(in:)`` does.
  func isOfBytes(_ text: Span<UInt8>) -> Bool {
    let groups = text.count / 4
    guard lastGroup(text.extracting((4 * groups)...)) != nil else { return false }
    let values = values.span.extracting(..<Self.byteCount)
    let whole = text.extracting(..<(4 * groups))
    var found: UInt32 = 0
    for place in whole.indices { found |= values[Int(whole[place])] }
    return found != Self.outside
  }

  /// Returns the bits of the characters after the last whole group, or nil if they are not those of one or two bytes.
  private func lastGroup(_ rest: Span<UInt8>) -> UInt32? {
    guard rest.count != 1 else { return nil }
    var bits: UInt32 = 0
    for place in rest.indices { bits |= values[Int(rest[place])] << UInt32(18 - 6 * place) }
    let surplus: UInt32 = rest.count == 3 ? 0xff : 0xffff
    return bits & (Self.bitsAboveGroup | surplus) == 0 ? bits : nil
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
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
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
