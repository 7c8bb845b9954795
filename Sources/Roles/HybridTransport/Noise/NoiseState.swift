import Crypto
import FoundationEssentials
import Primitives

/// The symmetric state of a Noise handshake with P-256, AES-256-GCM and SHA-256 (Noise Protocol Framework, 5.2).
package struct NoiseState: KeepsSecrets, Sendable {
  /// A handshake pattern of the hybrid transport.
  package enum Pattern: Sendable, CaseIterable {
    /// The client platform's identity key is known from the QR code.
    case knpsk0
    /// The phone's identity key is known from an earlier session (linked transactions).
    case nkpsk0

    /// The name of the protocol.
    package var name: String {
      switch self {
      case .knpsk0: "Noise_KNpsk0_P256_AESGCM_SHA256"
      case .nkpsk0: "Noise_NKpsk0_P256_AESGCM_SHA256"
      }
    }

    /// The prologue: 1 for a QR code, 0 for a linked transaction.
    var prologue: [UInt8] { self == .knpsk0 ? [1] : [0] }
  }

  /// The handshake hash h: a digest of everything that was exchanged.
  package private(set) var handshakeHash: [UInt8]
  /// The chaining key ck.
  package private(set) var chainingKey: [UInt8]
  /// The key k of the next encryption; nil before the first key.
  package private(set) var key: [UInt8]?

  /// The number of bytes of an AES-GCM tag.
  static let tagLength = 16

  /// Begins a handshake: name, prologue, the identity key known in advance, and the pre-shared key.
  /// - Parameter knownKey: 65 bytes: the initiator's for KN, the responder's for NK.
  package init(_ pattern: Pattern, knownKey: [UInt8], preSharedKey: [UInt8]) {
    self.init(named: pattern)
    mixHash(pattern.prologue)
    mixHash(knownKey)
    mixKeyAndHash(preSharedKey)
  }

  /// Begins with the name alone. It has 31 bytes, fewer than a digest, so a zero byte follows it and it is not hashed.
  package init(named pattern: Pattern) {
    handshakeHash = Array(pattern.name.utf8)
    handshakeHash += [UInt8](repeating: 0, count: SHA256.byteCount - handshakeHash.count)
    chainingKey = handshakeHash
  }

  /// MixHash: hashes bytes into the handshake hash.
  package mutating func mixHash(_ bytes: [UInt8]) { handshakeHash = Array(SHA256.hash(data: handshakeHash + bytes)) }

  /// MixKey: derives the next chaining key and key.
  package mutating func mixKey(_ bytes: [UInt8]) { mixKey(SymmetricKey(data: bytes)) }

  /// MixKey of a Diffie-Hellman output: the x coordinate of the shared point.
  package mutating func mixKey(_ secret: SharedSecret) { mixKey(SymmetricKey(data: secret)) }

  private mutating func mixKey(_ inputKeyMaterial: SymmetricKey) {
    let output = HKDFBytes.derive(inputKeyMaterial, salt: chainingKey, count: 64)
    chainingKey = Array(output[..<32])
    key = Array(output[32...])
  }

  /// MixKeyAndHash: as MixKey, and hashes a part of the output into the handshake hash.
  package mutating func mixKeyAndHash(_ bytes: [UInt8]) {
    let output = HKDFBytes.derive(SymmetricKey(data: bytes), salt: chainingKey, count: 96)
    chainingKey = Array(output[..<32])
    mixHash(Array(output[32..<64]))
    key = Array(output[64...])
  }

  /// Mixes an ephemeral key: its hash, and with a pre-shared key its bytes as a key too (Noise, 9.2).
  package mutating func mixEphemeral(_ point: [UInt8]) {
    mixHash(point)
    mixKey(point)
  }

  /// EncryptAndHash of the empty payload: returns the tag.
  package mutating func sealEmpty() -> [UInt8] {
    // Every key encrypts once, so the counter is zero. Sealing fails only for other sizes of key and nonce.
    let sealed = try? AES.GCM.seal(
      [UInt8](), using: SymmetricKey(data: key ?? []), nonce: AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)),
      authenticating: handshakeHash)
    let tag = sealed.map { Array($0.tag) } ?? []
    mixHash(tag)
    return tag
  }

  /// DecryptAndHash of the empty payload.
  /// - Returns: Whether the tag verifies.
  package mutating func openEmpty(_ tag: [UInt8]) -> Bool {
    guard let nonce = try? AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)),
      let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: [UInt8](), tag: tag),
      (try? AES.GCM.open(box, using: SymmetricKey(data: key ?? []), authenticating: handshakeHash)) != nil
    else { return false }
    mixHash(tag)
    return true
  }

  /// Split: the keys of both directions.
  /// - Parameter isInitiator: The initiator writes with the first key.
  package func split(isInitiator: Bool) -> NoiseKeys {
    let output = HKDFBytes.derive(SymmetricKey(data: [UInt8]()), salt: chainingKey, count: 64)
    let first = Array(output[..<32])
    let second = Array(output[32...])
    return NoiseKeys(
      handshakeHash: handshakeHash, writing: isInitiator ? first : second, reading: isInitiator ? second : first)
  }
}

/// The result of a handshake.
package struct NoiseKeys: KeepsSecrets, Sendable {
  /// The handshake hash.
  package let handshakeHash: [UInt8]
  /// The key for the messages that this end writes.
  package let writing: [UInt8]
  /// The key for the messages that this end reads.
  package let reading: [UInt8]

  /// Creates the result. A handshake makes its own; this is for an end that only claims to have made one.
  package init(handshakeHash: [UInt8], writing: [UInt8], reading: [UInt8]) {
    self.handshakeHash = handshakeHash
    self.writing = writing
    self.reading = reading
  }
}

/// A received message of the handshake: an ephemeral key of 65 bytes, and the tag of an empty payload.
package struct NoiseMessage: Sendable {
  /// The ephemeral key as received.
  package let point: [UInt8]
  /// The ephemeral key.
  package let key: P256.KeyAgreement.PublicKey
  /// The tag.
  package let tag: [UInt8]

  /// The number of bytes of a message.
  package static let length = pointLength + NoiseState.tagLength
  private static let pointLength = 65
  /// The message by which a tunnel service tells that the phone joined.
  private static let connectionSignal: [UInt8] = [0]

  /// Reads a message.
  /// - Throws: ``HybridError`` with `handshakeSize`, `handshakeSignal` or `handshakePoint`.
  package init(_ bytes: [UInt8]) throws(HybridError) {
    guard bytes != Self.connectionSignal else {
      throw HybridError(
        .handshakeSignal, "the tunnel service sends the connection signal, which was not asked for",
        evidence: TunnelHTTP.signalHeader)
    }
    guard bytes.count == Self.length else {
      throw HybridError(
        .handshakeSize, "the handshake message does not have \(Self.length) bytes", evidence: "\(bytes.count) bytes")
    }
    point = Array(bytes[..<Self.pointLength])
    guard let key = try? P256.KeyAgreement.PublicKey(x963Representation: point) else {
      throw HybridError(.handshakePoint, "the ephemeral key is not an uncompressed point of P-256", at: "byte 0")
    }
    self.key = key
    tag = Array(bytes[Self.pointLength...])
  }
}
