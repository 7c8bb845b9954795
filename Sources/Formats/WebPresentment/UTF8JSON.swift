import FoundationEssentials

/// JSON in UTF-8 and nothing else (RFC 8259, 8.1). The library's reader would also take UTF-16, UTF-32 and a byte order
/// mark, which other readers of the same bytes refuse.
package enum UTF8JSON {
  /// What the bytes hold; nil when they are no JSON of that shape.
  package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    // In the wider encodings every ASCII character, such as the brackets that JSON cannot do without, has a zero byte.
    guard !bytes.contains(0), !bytes.starts(with: [0xef, 0xbb, 0xbf]) else { return nil }
    return try? JSONDecoder().decode(type, from: Data(bytes))
  }

  /// The JSON of a message, members in alphabetical order, so that the same value is always the same bytes.
  package static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Messages hold texts, numbers, arrays and maps only, which JSON can always express.
    guard let data = try? encoder.encode(value) else { return Array("null".utf8) }
    return [UInt8](data)
  }
}
