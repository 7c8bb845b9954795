import Foundation

/// JSON bodies of messages: members in alphabetical order, so that the same value is always the same bytes.
enum JSONBody {
  /// Longest body in bytes that a party reads: the longest response in base64url, and room for the rest.
  static let maximumLength = 8 << 20

  static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The message types hold texts, numbers, arrays and maps only, which JSON can always express.
    guard let data = try? encoder.encode(value) else { return Array("null".utf8) }
    return [UInt8](data)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    guard bytes.count <= maximumLength else { return nil }
    return try? JSONDecoder().decode(type, from: Data(bytes))
  }
}

/// Why a request to another party was refused, as JSON.
struct RefusalBody: Codable, Sendable {
  var code: String
  var sentence: String
}
