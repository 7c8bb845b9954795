import Crypto
import FoundationEssentials
import Primitives

/// One direction of a session: AES-256-GCM without associated data, whose nonce is the sender's identifier and a counter
/// that is not sent (ISO/IEC 18013-5, 9.1.1.5).
public struct SessionCipher: Sendable, KeepsSecrets {
  /// The sender of a direction.
  public enum Sender: UInt8, Sendable, CaseIterable {
    /// The reader.
    case reader = 0
    /// The mdoc.
    case device = 1
  }

  fileprivate let key: SymmetricKey
  /// The sender of the direction.
  package let sender: Sender
  /// The counter of the next message.
  public private(set) var counter: UInt32

  /// The number of bytes of an authentication tag.
  public static let tagLength = 16

  /// Creates the cipher of a direction.
  public init(_ sender: Sender, _ keys: SessionKeys, counter: UInt32 = 1) {
    self.sender = sender
    key = sender == .reader ? keys.reader : keys.device
    self.counter = counter
  }

  /// Encrypts a message and advances the counter.
  /// - Throws: ``ProximityError`` with `sessionCounter`.
  public mutating func seal(_ plaintext: [UInt8]) throws(ProximityError) -> [UInt8] {
    let nonce = try nonce()
    guard let sealed = try? AES.GCM.seal(plaintext, using: key, nonce: nonce) else {
      throw ProximityError(.sessionAuthentication, "the message cannot be encrypted")
    }
    counter += 1
    return Array(sealed.ciphertext) + Array(sealed.tag)
  }

  /// Decrypts a message. The counter advances only if the message verifies.
  /// - Throws: ``ProximityError`` with `sessionCounter` or `sessionAuthentication`.
  public mutating func open(_ data: [UInt8]) throws(ProximityError) -> [UInt8] {
    let nonce = try nonce()
    guard data.count >= Self.tagLength,
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: data.dropLast(Self.tagLength), tag: data.suffix(Self.tagLength)),
      let plaintext = try? AES.GCM.open(box, using: key)
    else {
      throw ProximityError(
        .sessionAuthentication, "the data does not decrypt with the direction's key and next counter",
        evidence: "\(data.count) bytes, counter \(counter)")
    }
    counter += 1
    return Array(plaintext)
  }

  /// Advances the counter for a message that is encrypted elsewhere.
  /// - Throws: ``ProximityError`` with `sessionCounter`.
  package mutating func skip() throws(ProximityError) {
    _ = try nonce()
    counter += 1
  }

  /// The nonce of the next message. The last counter stays unused, so that it never wraps.
  private func nonce() throws(ProximityError) -> AES.GCM.Nonce {
    let bytes =
      [UInt8](repeating: 0, count: 7) + [sender.rawValue]
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
    guard counter < .max, let nonce = try? AES.GCM.Nonce(data: bytes) else {
      throw ProximityError(.sessionCounter, "the session has no counter left", evidence: "\(counter)")
    }
    return nonce
  }
}

/// The key and the counter of an mdoc's answer, for the app that encrypts it. The parts of the device that carry the answer
/// do not see it then.
public struct AnswerSeal: Sendable, KeepsSecrets {
  private let cipher: SessionCipher

  init(_ cipher: SessionCipher) { self.cipher = cipher }

  /// Creates a seal from its bytes, or returns nil if the key does not have 32.
  package init?(key: [UInt8], counter: UInt32) {
    guard key.count == Self.keyLength else { return nil }
    cipher = SessionCipher(.device, SessionKeys(reader: [], device: key), counter: counter)
  }

  /// The number of bytes of a key.
  private static let keyLength = 32

  /// The bytes of the key.
  package var key: [UInt8] { unsafe cipher.key.withUnsafeBytes { unsafe Array($0) } }
  /// The counter.
  package var counter: UInt32 { cipher.counter }

  /// Encrypts the answer.
  /// - Throws: ``ProximityError`` with `sessionCounter`.
  public func sealed(_ response: [UInt8]) throws(ProximityError) -> [UInt8] {
    var cipher = cipher
    return try cipher.seal(response)
  }
}
