import FoundationEssentials

/// Swift values as JSON in UTF-8 (RFC 8259, 8.1).
///
/// Reading goes through the library's decoder, which maps members to the properties of a type. Use ``JSONReader`` where the
/// order of members, the spelling of numbers or repeated names matter.
package enum JSONCoding {
  /// Decodes a value, or returns nil if the bytes are not JSON of that shape.
  ///
  /// The library's decoder also accepts UTF-16, UTF-32 and a byte order mark, which other readers of the same bytes refuse.
  package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    // In UTF-16 and UTF-32 every ASCII character has a zero byte, and JSON always contains ASCII characters.
    guard !bytes.contains(0), !bytes.starts(with: [0xef, 0xbb, 0xbf]) else { return nil }
    return try? JSONDecoder().decode(type, from: Data(bytes))
  }

  /// Encodes a value with members in alphabetical order, so that equal values have equal bytes.
  package static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    // The encoder only fails on non-finite numbers, which are written as texts.
    guard let data = try? encoder.encode(value) else { return Array("null".utf8) }
    return [UInt8](data)
  }

  /// Encodes a value as text, which is YAML too.
  package static func text(_ value: some Encodable) -> String { String(decoding: encode(value), as: UTF8.self) }
}
