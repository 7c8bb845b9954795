import JSON

/// JSON bodies of messages between parties.
package enum JSONBody {
  /// The longest body in bytes that a party reads: the longest response in base64url and its other members.
  package static let maximumLength = 8 << 20

  package static func encode(_ value: some Encodable) -> [UInt8] { JSONCoding.encode(value) }

  /// Decodes a body, or returns nil if it is too long or not JSON of that shape.
  package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    guard bytes.count <= maximumLength else { return nil }
    return JSONCoding.decode(type, from: bytes)
  }
}

/// The refusal of a request to another party.
struct RefusalBody: Codable, Sendable {
  var code: String
  var message: String
}
