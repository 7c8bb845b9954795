import Crypto
import Primitives

/// The client platform's handshake, as its machine uses it. A fault has another one.
package protocol InitiatorHandshake: Sendable {
  /// The first message.
  var message: [UInt8] { get }

  /// Reads the phone's reply.
  /// - Throws: ``HybridError`` if the reply is malformed or does not verify.
  func keys(from reply: [UInt8]) throws(HybridError) -> NoiseKeys
}

/// The initiator of a handshake: the client platform.
package struct NoiseInitiator: KeepsSecrets, InitiatorHandshake {
  private let state: NoiseState
  private let ephemeralKey: P256.KeyAgreement.PrivateKey
  /// The identity key; nil for NK, where the phone has one.
  private let identityKey: P256.KeyAgreement.PrivateKey?
  /// The first message: 81 bytes.
  package let message: [UInt8]

  /// Begins the handshake of a QR code (KNpsk0).
  package init(
    identityKey: P256.KeyAgreement.PrivateKey, ephemeralKey: P256.KeyAgreement.PrivateKey, preSharedKey: [UInt8]
  ) {
    var state = NoiseState(
      .knpsk0, knownKey: [UInt8](identityKey.publicKey.x963Representation), preSharedKey: preSharedKey)
    let point = [UInt8](ephemeralKey.publicKey.x963Representation)
    state.mixEphemeral(point)
    message = point + state.sealEmpty()
    self.state = state
    self.ephemeralKey = ephemeralKey
    self.identityKey = identityKey
  }

  /// Begins the handshake of a linked transaction (NKpsk0).
  /// - Throws: ``HybridError`` with `handshakePoint`, never for a point of P-256.
  package init(
    responderKey: P256.KeyAgreement.PublicKey, ephemeralKey: P256.KeyAgreement.PrivateKey, preSharedKey: [UInt8]
  ) throws(HybridError) {
    var state = NoiseState(
      .nkpsk0, knownKey: [UInt8](responderKey.x963Representation), preSharedKey: preSharedKey)
    let point = [UInt8](ephemeralKey.publicKey.x963Representation)
    state.mixEphemeral(point)
    state.mixKey(try ephemeralKey.agreement(with: responderKey))
    message = point + state.sealEmpty()
    self.state = state
    self.ephemeralKey = ephemeralKey
    identityKey = nil
  }

  /// Reads the phone's reply: `ee`, and `se` for KN.
  package func keys(from reply: [UInt8]) throws(HybridError) -> NoiseKeys {
    let reply = try NoiseMessage(reply)
    var state = state
    state.mixEphemeral(reply.point)
    state.mixKey(try ephemeralKey.agreement(with: reply.key))
    if let identityKey { state.mixKey(try identityKey.agreement(with: reply.key)) }
    guard state.openEmpty(reply.tag) else {
      throw HybridError(.handshakeTag, "the tag of the phone's handshake message does not verify")
    }
    return state.split(isInitiator: true)
  }
}

extension P256.KeyAgreement.PrivateKey {
  /// Returns the shared secret. It fails only for the point at infinity, which no key is.
  func agreement(with key: P256.KeyAgreement.PublicKey) throws(HybridError) -> SharedSecret {
    do { return try sharedSecretFromKeyAgreement(with: key) } catch {
      throw HybridError(.handshakePoint, "the keys have no shared point")
    }
  }
}
