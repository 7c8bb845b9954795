import Foundation
import WebPresentment

/// JSON bodies of messages: members in alphabetical order, so that the same value is always the same bytes.
enum JSONBody {
  /// Longest body in bytes that a party reads: the longest response in base64url, and room for the rest.
  static let maximumLength = 8 << 20

  static func encode(_ value: some Encodable) -> [UInt8] { UTF8JSON.encode(value) }

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
