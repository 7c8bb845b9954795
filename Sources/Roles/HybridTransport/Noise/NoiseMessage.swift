import Crypto

/// A received message of the handshake: an ephemeral key of 65 bytes, and the tag of an empty payload.
public struct NoiseMessage: Sendable {
  /// The ephemeral key as received.
  public let point: [UInt8]
  /// The ephemeral key.
  public let key: P256.KeyAgreement.PublicKey
  /// The tag.
  public let tag: [UInt8]

  /// The number of bytes of a message.
  public static let length = pointLength + NoiseState.tagLength
  private static let pointLength = 65
  /// The message by which a tunnel service tells that the phone joined.
  private static let connectionSignal: [UInt8] = [0]

  /// Reads a message.
  /// - Throws: ``HybridError`` with `handshakeSize`, `handshakeSignal` or `handshakePoint`.
  public init(_ bytes: [UInt8]) throws(HybridError) {
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
