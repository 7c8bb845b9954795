import Crypto
import MobileDocument
import WebPresentment

extension PresentableDocument {
  /// Answers the request that an app makes through PassKit: one document with a device signature, sealed for the app's
  /// server (Verifying Wallet identity requests).
  ///
  /// - Parameter ephemeralKey: A fresh key; never used for anything else.
  /// - Throws: The device key's error, or `ExchangeError`.
  package func envelope(
    answering items: ItemsRequest, of handover: AppleHandover, to recipient: P256.KeyAgreement.PublicKey,
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws -> HPKEEnvelope {
    let presented = try held.presented(
      held.answer(to: items).nameSpaces, over: handover.sessionTranscript, signedWith: deviceKey)
    return try HPKEEnvelope(
      sealing: DeviceResponseWriter.encoded(documents: [presented]), to: recipient, handover: handover,
      ephemeralKey: ephemeralKey)
  }
}
