import Primitives

/// A rule of the hybrid transport that received bytes break.
public typealias HybridError = CodedFailure<HybridErrorCode>

/// The rules, in the order of the flow.
public enum HybridErrorCode: String, Sendable, CaseIterable {
  /// A text that does not start with `FIDO:/`.
  case qrPrefix = "hybrid.qr-prefix"
  /// A character that is not an ASCII digit.
  case qrDigit = "hybrid.qr-digit"
  /// A number of digits that no number of bytes has.
  case qrLength = "hybrid.qr-length"
  /// A group of digits whose value does not fit its bytes.
  case qrRange = "hybrid.qr-range"
  /// Bytes that are not one canonical CBOR map.
  case qrCBOR = "hybrid.qr-cbor"
  /// A required key that is missing.
  case qrMissingKey = "hybrid.qr-missing-key"
  /// A value of another type than its key has.
  case qrWrongType = "hybrid.qr-wrong-type"
  /// An identity key that is not a compressed point of P-256.
  case qrPoint = "hybrid.qr-point"
  /// A secret that does not have 16 bytes.
  case qrSecret = "hybrid.qr-secret"
  /// A QR code without the channel of the tunnel service.
  case qrChannel = "hybrid.qr-channel"

  /// Advertising data that is not a sequence of structures, or has no service data of this transport.
  case advertStructure = "hybrid.advert-structure"
  /// An advert that does not have 20 bytes, or a plaintext that does not have 16.
  case advertSize = "hybrid.advert-size"
  /// A tag that is not that of the QR code's key.
  case advertTag = "hybrid.advert-tag"
  /// A reserved byte that is not zero.
  case advertReserved = "hybrid.advert-reserved"
  /// A tunnel service number that is not assigned.
  case advertService = "hybrid.advert-service"
  /// Bytes after the advert that are not one CBOR map.
  case advertSuffix = "hybrid.advert-suffix"

  /// A URL of a tunnel service that cannot be read.
  case tunnelURL = "hybrid.tunnel-url"
  /// A path of a tunnel service that cannot be read.
  case tunnelPath = "hybrid.tunnel-path"
  /// The path of a state-assisted (linked) transaction, which this implementation does not offer.
  case tunnelLinked = "hybrid.tunnel-linked"
  /// A header with another form than it must have.
  case tunnelHeader = "hybrid.tunnel-header"

  /// A handshake message that does not have 81 bytes.
  case handshakeSize = "hybrid.handshake-size"
  /// The connection signal of a tunnel service, which was not asked for.
  case handshakeSignal = "hybrid.handshake-signal"
  /// An ephemeral key that is not an uncompressed point of P-256.
  case handshakePoint = "hybrid.handshake-point"
  /// A handshake message whose tag does not verify.
  case handshakeTag = "hybrid.handshake-tag"

  /// A message larger than the limit.
  case frameSize = "hybrid.frame-size"
  /// A message that does not decrypt with the next counter.
  case frameAuthentication = "hybrid.frame-authentication"
  /// A counter beyond its maximum.
  case frameCounter = "hybrid.frame-counter"
  /// Padding longer than the message.
  case framePadding = "hybrid.frame-padding"
  /// A message without a type byte.
  case frameEmpty = "hybrid.frame-empty"
  /// A type that does not exist.
  case frameType = "hybrid.frame-type"
  /// A type that does not belong here: of another direction, of another type than the request, or unasked.
  case frameOutOfTurn = "hybrid.frame-out-of-turn"
  /// A payload with another form than its type requires.
  case framePayload = "hybrid.frame-payload"

  /// A post-handshake message that is not one canonical CBOR map.
  case featuresCBOR = "hybrid.features-cbor"
  /// The post-handshake message of revision 0, which cannot carry JSON.
  case featuresRevision = "hybrid.features-revision"
  /// A value of another type than its key has.
  case featuresWrongType = "hybrid.features-wrong-type"
  /// The description of an authenticator that does not belong to the features.
  case featuresDescription = "hybrid.features-description"
  /// Features without digital credentials.
  case featuresIncompatible = "hybrid.features-incompatible"

  /// A request that is not one JSON object with the required members.
  case requestJSON = "hybrid.request-json"
  /// An origin that is not a serialized web origin.
  case requestOrigin = "hybrid.request-origin"
  /// A request type that does not exist.
  case requestType = "hybrid.request-type"
  /// A response that is not one JSON object with the required members.
  case responseJSON = "hybrid.response-json"
}

/// A failure of a request over the hybrid transport, in the families of Chromium's client.
public enum HybridFailure: String, Sendable, CaseIterable {
  /// The phone's person cancelled.
  case userCanceled = "remote.user-canceled"
  /// The phone ended the request.
  case deviceAborted = "remote.device-aborted"
  /// The phone has no credential for the request.
  case noCredential = "remote.no-credential"
  /// The phone reports an error with another text.
  case otherRemote = "remote.other"
  /// The phone does not offer digital credentials.
  case incompatibleDevice = "protocol.incompatible-device"
  /// The session ended before a response: closed, or broken messages.
  case transportError = "protocol.transport-error"
  /// The response has another form than it must have.
  case invalidResponse = "protocol.invalid-response"
  /// The client platform has no Bluetooth Low Energy.
  case noBluetoothSupport = "system.no-ble-support"
  /// The browser may not use Bluetooth.
  case permissionDenied = "system.permission-denied"
  /// Bluetooth is off.
  case lostPower = "system.lost-power"
  /// No phone scanned the QR code in time. Own rule: Chromium's dialog stays.
  case noPhone = "system.no-phone"
  /// The person closed the QR code, or the page aborted its call.
  case cancelled = "cancelled"
}
