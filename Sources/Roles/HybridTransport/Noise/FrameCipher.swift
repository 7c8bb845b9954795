import Crypto
import FoundationEssentials
import Primitives

/// One direction of a session: AES-256-GCM without associated data, whose nonce is a counter.
package struct FrameCipher: KeepsSecrets, Sendable {
  private let key: SymmetricKey
  /// The counter of the next message.
  package private(set) var counter: UInt32

  /// The last counter that Chromium uses.
  package static let maximumCounter: UInt32 = 1 << 24 - 1

  /// Creates a cipher.
  /// - Parameter key: 32 bytes.
  package init(key: [UInt8], counter: UInt32 = 0) {
    self.key = SymmetricKey(data: key)
    self.counter = counter
  }

  /// Encrypts a padded message and advances the counter.
  /// - Throws: ``HybridError`` with `frameCounter`.
  package mutating func seal(_ padded: [UInt8]) throws(HybridError) -> [UInt8] {
    let nonce = try nonce()
    guard let sealed = try? AES.GCM.seal(padded, using: key, nonce: nonce) else {
      throw HybridError(.frameAuthentication, "the key does not have 32 bytes")
    }
    counter += 1
    return Array(sealed.ciphertext) + Array(sealed.tag)
  }

  /// Decrypts a message. The counter advances only if the message verifies.
  /// - Returns: The padded message.
  /// - Throws: ``HybridError`` with `frameCounter`, `frameSize` or `frameAuthentication`.
  package mutating func open(_ message: [UInt8]) throws(HybridError) -> [UInt8] {
    guard message.count <= HybridLimits.messageBytes else {
      throw HybridError(
        .frameSize, "the message is larger than \(HybridLimits.messageBytes) bytes", evidence: "\(message.count) bytes")
    }
    let nonce = try nonce()
    guard message.count >= NoiseState.tagLength,
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: message.dropLast(NoiseState.tagLength), tag: message.suffix(NoiseState.tagLength)),
      let padded = try? AES.GCM.open(box, using: key)
    else {
      throw HybridError(
        .frameAuthentication, "the message does not decrypt with this direction's key and counter",
        evidence: "\(message.count) bytes, counter \(counter)")
    }
    counter += 1
    return Array(padded)
  }

  private func nonce() throws(HybridError) -> AES.GCM.Nonce {
    let bytes = [UInt8](repeating: 0, count: 8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
    guard counter <= Self.maximumCounter, let nonce = try? AES.GCM.Nonce(data: bytes) else {
      throw HybridError(.frameCounter, "the counter is beyond its maximum", evidence: "\(counter)")
    }
    return nonce
  }
}

/// The padding of a message: zero bytes and their number, to a multiple of 32. A relay sees lengths on that grid only.
package enum FramePadding {
  /// The grid of the lengths.
  package static let grid = 32

  /// Pads a message.
  package static func pad(_ message: [UInt8]) -> [UInt8] {
    let zeros = grid - message.count % grid - 1
    return message + [UInt8](repeating: 0, count: zeros) + [UInt8(zeros)]
  }

  /// Returns the message of padded bytes. Other implementations pad to other lengths and with other filler, so neither is
  /// checked.
  /// - Throws: ``HybridError`` with `framePadding`.
  package static func unpad(_ padded: [UInt8]) throws(HybridError) -> [UInt8] {
    guard let last = padded.last, Int(last) < padded.count else {
      throw HybridError(
        .framePadding, "the padding is longer than the message",
        evidence: "\(padded.count) bytes, padding \(padded.last.map { "\(Int($0) + 1)" } ?? "missing")")
    }
    return Array(padded.dropLast(Int(last) + 1))
  }
}

/// Both directions of an established session.
struct HybridSession: Sendable {
  private var writing: FrameCipher
  private var reading: FrameCipher

  init(_ keys: NoiseKeys) {
    writing = FrameCipher(key: keys.writing)
    reading = FrameCipher(key: keys.reading)
  }

  /// Encrypts a message as an end's conduct forms it.
  mutating func seal(_ plaintext: [UInt8], _ conduct: some FrameConduct) throws(HybridError) -> [UInt8] {
    try writing.seal(conduct.padded(FramePadding.pad(conduct.plaintext(plaintext))))
  }

  /// Decrypts a message and takes its padding off.
  mutating func open(_ message: [UInt8]) throws(HybridError) -> [UInt8] {
    try FramePadding.unpad(try reading.open(message))
  }
}
