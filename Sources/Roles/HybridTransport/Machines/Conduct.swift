import Crypto

/// The bytes that an end forms, for faults. Every requirement returns by default what an honest end forms.
package protocol FrameConduct: Sendable {
  /// Returns the message to encrypt, before its padding. The phone's first message is one too.
  func plaintext(_ honest: [UInt8]) -> [UInt8]
  /// Returns the padded message to encrypt.
  func padded(_ honest: [UInt8]) -> [UInt8]
}

extension FrameConduct {
  /// The message itself.
  package func plaintext(_ honest: [UInt8]) -> [UInt8] { honest }
  /// The padded message itself.
  package func padded(_ honest: [UInt8]) -> [UInt8] { honest }
}

/// The client platform's conduct.
package protocol ClientPlatformConduct: FrameConduct {
  /// Returns the payload of the QR code.
  func qrPayload(_ honest: QRPayload) -> QRPayload
  /// Returns the handshake with a phone.
  func handshake(
    _ payload: QRPayload, identityKey: P256.KeyAgreement.PrivateKey, ephemeralKey: P256.KeyAgreement.PrivateKey,
    preSharedKey: [UInt8]
  ) -> any InitiatorHandshake
  /// Returns the phone's offer as the client platform takes it, from the result of reading it.
  func offer(_ read: Result<PostHandshake, HybridError>) -> Result<PostHandshake, HybridError>
  /// Returns the request.
  func request(_ honest: CredentialRequestMessage) -> CredentialRequestMessage
}

extension ClientPlatformConduct {
  /// The payload itself.
  package func qrPayload(_ honest: QRPayload) -> QRPayload { honest }
  /// The handshake with the QR code's identity key.
  package func handshake(
    _ payload: QRPayload, identityKey: P256.KeyAgreement.PrivateKey, ephemeralKey: P256.KeyAgreement.PrivateKey,
    preSharedKey: [UInt8]
  ) -> any InitiatorHandshake {
    NoiseInitiator(identityKey: identityKey, ephemeralKey: ephemeralKey, preSharedKey: preSharedKey)
  }
  /// The result itself.
  package func offer(_ read: Result<PostHandshake, HybridError>) -> Result<PostHandshake, HybridError> { read }
  /// The request itself.
  package func request(_ honest: CredentialRequestMessage) -> CredentialRequestMessage { honest }
}

/// The phone's conduct.
package protocol AuthenticatorConduct: FrameConduct {
  /// Returns the 16 bytes of the advert.
  func advert(_ honest: [UInt8]) -> [UInt8]
  /// Returns the advertising data.
  func advertisingData(_ honest: [UInt8]) -> [UInt8]
}

extension AuthenticatorConduct {
  /// The advert itself.
  package func advert(_ honest: [UInt8]) -> [UInt8] { honest }
  /// The advertising data itself.
  package func advertisingData(_ honest: [UInt8]) -> [UInt8] { honest }
}

/// The conduct of an honest end.
package struct HonestConduct: ClientPlatformConduct, AuthenticatorConduct {
  /// Creates the conduct.
  package init() {}
}
