import Primitives

/// A rule of device retrieval in person that received bytes break.
public typealias ProximityError = CodedFailure<ProximityErrorCode>

/// The rules, in the order of the flow.
public enum ProximityErrorCode: String, Sendable, CaseIterable {
  /// A text that does not start with `mdoc:`.
  case uriScheme = "proximity.uri-scheme"
  /// A text longer than a QR code holds.
  case uriSize = "proximity.uri-size"
  /// A text that is not base64url without padding.
  case uriEncoding = "proximity.uri-encoding"
  /// A device engagement that is not one CBOR map.
  case engagementCBOR = "proximity.engagement-cbor"
  /// A required key that is missing.
  case engagementMissingKey = "proximity.engagement-missing-key"
  /// A value of another type than its key has.
  case engagementWrongType = "proximity.engagement-wrong-type"
  /// A version that is malformed or has another major number.
  case engagementVersion = "proximity.engagement-version"
  /// A cipher suite other than 1.
  case engagementCipherSuite = "proximity.engagement-cipher-suite"
  /// An ephemeral key that is not a point of a supported curve.
  case engagementKey = "proximity.engagement-key"
  /// An engagement by QR code without a retrieval method.
  case engagementNoMethod = "proximity.engagement-no-method"
  /// More retrieval methods than the reader accepts, or one of a type and version twice.
  case engagementMethods = "proximity.engagement-methods"
  /// Options of a retrieval method with another form than its type requires.
  case engagementOptions = "proximity.engagement-options"
  /// A capability whose value is not allowed.
  case engagementCapability = "proximity.engagement-capability"

  /// A session message that is not one CBOR map with the members of its kind.
  case sessionCBOR = "proximity.session-cbor"
  /// A session message larger than the limit.
  case sessionSize = "proximity.session-size"
  /// An ephemeral reader key that is not an uncompressed point of a supported curve.
  case sessionKey = "proximity.session-key"
  /// An ephemeral reader key on another curve than the device's.
  case sessionCurve = "proximity.session-curve"
  /// Data that does not decrypt with the direction's key and next counter.
  case sessionAuthentication = "proximity.session-authentication"
  /// A counter beyond its maximum.
  case sessionCounter = "proximity.session-counter"
  /// A message that the state of the session does not allow.
  case sessionOutOfTurn = "proximity.session-out-of-turn"

  /// A characteristic that the end does not have, or that the other end may not use so.
  case linkCharacteristic = "proximity.link-characteristic"
  /// A value of the State characteristic that does not exist or does not belong here.
  case linkState = "proximity.link-state"
  /// A part without its first byte, or with a first byte other than 0 and 1.
  case linkPart = "proximity.link-part"
  /// A message larger than the limit, in parts or in a frame.
  case linkSize = "proximity.link-size"
  /// A maximum transmission unit below that of the attribute protocol.
  case linkUnit = "proximity.link-unit"
  /// An Ident characteristic with another value than that of the own engagement.
  case linkIdent = "proximity.link-ident"

  /// Bytes that are not one NDEF message.
  case ndef = "proximity.ndef"
  /// A command or response that is not an APDU.
  case apdu = "proximity.apdu"
  /// A capability container with another form than that of a Type 4 Tag.
  case capabilityContainer = "proximity.capability-container"
  /// A record of the tag's service protocol with another form than its type requires.
  case serviceRecord = "proximity.service-record"
  /// A handover message without its first record, with another version, or with a reference to a missing record.
  case handover = "proximity.handover"
  /// A carrier configuration record with another form than its type requires.
  case carrier = "proximity.carrier"
  /// No NDEF application, as of a locked device.
  case tagApplication = "proximity.tag-application"
  /// A status of a command other than success.
  case tagStatus = "proximity.tag-status"
  /// More commands, polls or bytes than a reader spends on one tag.
  case tagBounds = "proximity.tag-bounds"
  /// A data object 53 with another form than BER-TLV, or a length that is not that of its bytes.
  case dataObject = "proximity.data-object"
  /// A status of a command other than success.
  case transferStatus = "proximity.transfer-status"
  /// More commands or bytes than an end spends on one message.
  case transferBounds = "proximity.transfer-bounds"
}
