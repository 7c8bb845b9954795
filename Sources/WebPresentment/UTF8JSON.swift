import Foundation

/// JSON in UTF-8 and nothing else (RFC 8259, 8.1). The library's reader would also take UTF-16, UTF-32 and a byte order
/// mark, which other readers of the same bytes refuse.
enum UTF8JSON {
  /// What the bytes hold; nil when they are no JSON of that shape.
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    // In the wider encodings every ASCII character, such as the brackets that JSON cannot do without, has a zero byte.
    guard !bytes.contains(0), !bytes.starts(with: [0xef, 0xbb, 0xbf]) else { return nil }
    return try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
