import Crypto
import Primitives

/// The responder of a handshake: the phone.
package struct NoiseResponder: KeepsSecrets, Sendable {
  private let state: NoiseState
  private let ephemeralKey: P256.KeyAgreement.PrivateKey
  private let knownKey: KnownKey

  private enum KnownKey: Sendable {
    case initiator(P256.KeyAgreement.PublicKey)
    case own(P256.KeyAgreement.PrivateKey)
  }

  /// Waits for the handshake of a QR code (KNpsk0).
  /// - Parameter initiatorKey: The identity key of the QR code.
  package init(
    initiatorKey: P256.KeyAgreement.PublicKey, ephemeralKey: P256.KeyAgreement.PrivateKey, preSharedKey: [UInt8]
  ) {
    state = NoiseState(.knpsk0, knownKey: [UInt8](initiatorKey.x963Representation), preSharedKey: preSharedKey)
    self.ephemeralKey = ephemeralKey
    knownKey = .initiator(initiatorKey)
  }

  /// Waits for the handshake of a linked transaction (NKpsk0).
  package init(
    identityKey: P256.KeyAgreement.PrivateKey, ephemeralKey: P256.KeyAgreement.PrivateKey, preSharedKey: [UInt8]
  ) {
    state = NoiseState(
      .nkpsk0, knownKey: [UInt8](identityKey.publicKey.x963Representation), preSharedKey: preSharedKey)
    self.ephemeralKey = ephemeralKey
    knownKey = .own(identityKey)
  }

  /// Reads the first message and answers it.
  ///
  /// In KNpsk0 the answer does not prove that the initiator holds the identity key, only that it knows the pre-shared key
  /// and the public key. The first message that decrypts with the keys proves it.
  /// - Throws: ``HybridError`` if the message is malformed or does not verify.
  package func reply(to message: [UInt8]) throws(HybridError) -> (reply: [UInt8], keys: NoiseKeys) {
    let message = try NoiseMessage(message)
    var state = state
    state.mixEphemeral(message.point)
    if case .own(let identityKey) = knownKey { state.mixKey(try identityKey.agreement(with: message.key)) }
    guard state.openEmpty(message.tag) else {
      throw HybridError(
        .handshakeTag,
        "the tag of the client platform's handshake message does not verify: another advert or another QR code")
    }
    let point = [UInt8](ephemeralKey.publicKey.x963Representation)
    state.mixEphemeral(point)
    state.mixKey(try ephemeralKey.agreement(with: message.key))
    if case .initiator(let initiatorKey) = knownKey { state.mixKey(try ephemeralKey.agreement(with: initiatorKey)) }
    let tag = state.sealEmpty()
    return (point + tag, state.split(isInitiator: false))
  }
}
