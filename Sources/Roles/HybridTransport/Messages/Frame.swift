/// A message of an established session: a type byte and a payload.
package struct Frame: Sendable, Equatable {
  /// The type of a message.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// The client platform ends the session. Chromium refuses it from a phone.
    case shutdown = 0
    /// A command or an answer of CTAP2 for a passkey.
    case ctap = 1
    /// Linking information from the phone. It answers nothing.
    case update = 2
    /// A request or an answer for digital credentials.
    case json = 3
  }

  /// The type.
  package let kind: Kind
  /// The bytes after the type.
  package let payload: [UInt8]

  /// Creates a message.
  package init(_ kind: Kind, _ payload: [UInt8] = []) {
    self.kind = kind
    self.payload = payload
  }

  /// Type and payload.
  package var plaintext: [UInt8] { [kind.rawValue] + payload }

  /// Reads a decrypted message without its padding.
  /// - Throws: ``HybridError`` with `frameEmpty` or `frameType`.
  package init(plaintext: [UInt8]) throws(HybridError) {
    guard let first = plaintext.first else { throw HybridError(.frameEmpty, "the message has no type byte") }
    guard let kind = Kind(rawValue: first) else {
      throw HybridError(.frameType, "unknown type of a message", evidence: "\(first)", at: "byte 0")
    }
    self.init(kind, Array(plaintext.dropFirst()))
  }

  /// Requires the payload of an update: one CBOR map, whose content is ignored.
  /// - Throws: ``HybridError`` with `framePayload`.
  func requireMap() throws(HybridError) {
    do { _ = try CanonicalCBOR.map(payload) } catch { throw HybridError(.framePayload, error) }
  }
}
