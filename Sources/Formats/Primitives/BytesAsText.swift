/// Base64url without padding (RFC 4648, 5).
///
/// The reader is strict: it refuses padding, white space, other characters, impossible lengths and bits set after the last
/// byte, so that each sequence of bytes has one text.
public enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 0xff, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()

  /// Encodes bytes as text.
  public static func encode(_ bytes: some Collection<UInt8>) -> String { encode(Array(bytes)) }

  /// Encodes bytes as text.
  public static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = alphabet
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var buffer: UInt32 = 0
    var bits = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(buffer >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(buffer << UInt32(6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text, or returns nil if it is not strict base64url.
  public static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    let values = values
    guard characters.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count * 3 / 4)
    var buffer: UInt32 = 0
    var bits = 0
    for character in characters {
      let value = values[Int(character)]
      guard value != 0xff else { return nil }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    guard buffer & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
    return bytes
  }

  /// Describes the first violation of strict base64url in a text, or returns nil if the text decodes.
  ///
  /// The description completes a message whose subject is the text: "is padded".
  public static func violation(in text: String) -> String? {
    let characters = Array(text.utf8)
    let values = values
    if let place = characters.firstIndex(where: { values[Int($0)] == 0xff }) {
      let isPadding = characters[place] == UInt8(ascii: "=")
      return isPadding ? "is padded" : "has a character outside base64url at \(place)"
    }
    guard characters.count % 4 != 1 else { return "has a length that base64url never has" }
    return decode(text) == nil ? "has bits set after its last byte" : nil
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
