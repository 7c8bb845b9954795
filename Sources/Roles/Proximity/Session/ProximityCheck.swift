import Checks

/// The checks of both ends of a presentation in person, in the order of the flow.
public enum ProximityCheck: CheckFamily {
  case engagement, freshness, tag, handover, carrier, link, ident, establishment, encryption, message, deviceKey,
    transfer, completion, portrait

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case uri, malformed, version, key, methods, curve, purpose
    case application, status, bounds, service
    case characteristic, state, part, size
    case authentication, counter
    case outOfTurn = "out-of-turn"
    case encryptionError = "encryption-error"
    case decodingError = "decoding-error"
    case undefinedStatus = "undefined-status"
    case closed, time
    case differs, missing
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .engagement:
      CheckDefinition(
        "proximity.engagement", "the device engagement names a key and a way to reach the mdoc",
        clause: "ISO/IEC 18013-5, 8.2.1.1",
        [
          .failure(Reason.uri, "the QR code has no device engagement"),
          .failure(Reason.malformed, "the device engagement is malformed"),
          .failure(Reason.version, "the version or the cipher suite of the device engagement is not supported"),
          .failure(Reason.key, "the ephemeral device key is not a point of a supported curve"),
          .failure(Reason.methods, "the device engagement offers no retrieval method that the reader can use"),
        ])
    case .freshness:
      CheckDefinition(
        "proximity.freshness", "the other end's ephemeral key is of no earlier session",
        "the other end's ephemeral key is that of an earlier session",
        clause: "ISO/IEC 18013-5 second edition draft, 12.2.4")
    case .tag:
      CheckDefinition(
        "proximity.tag", "the tag answers every command as a Type 4 Tag", clause: "ISO/IEC 18013-5, 8.2.2.1",
        [
          .failure(Reason.malformed, "an answer of the tag is malformed"),
          .failure(Reason.application, "the tag has no NDEF application: there is no mdoc, or it is locked"),
          .failure(Reason.status, "the tag refused a command"),
          .failure(Reason.bounds, "the tag needs more commands than the reader sends"),
        ])
    case .handover:
      CheckDefinition(
        "proximity.handover", "the handover messages agree on a carrier", clause: "ISO/IEC 18013-5, 8.2.2.1",
        [
          .failure(Reason.malformed, "a handover message is malformed"),
          .failure(Reason.service, "the tag's service for negotiated handover did not start"),
        ])
    case .carrier:
      CheckDefinition(
        "proximity.carrier", "the carrier configuration is that of a carrier that both ends support",
        "a carrier configuration record is malformed", clause: "ISO/IEC 18013-5, 8.2.2.1")
    case .link:
      CheckDefinition(
        "proximity.link", "the peer uses the characteristics as its end of the mode",
        clause: "ISO/IEC 18013-5, 8.3.3.1.1",
        [
          .failure(Reason.characteristic, "the peer uses a characteristic that its end does not have"),
          .failure(Reason.state, "the peer sent a state that does not exist or does not belong here"),
          .failure(Reason.part, "a part of a message does not start with 0 or 1"),
          .failure(Reason.size, "a message or a part has a size outside its limits"),
          .failure(Reason.closed, "the connection was lost after the session began"),
        ])
    case .ident:
      CheckDefinition(
        "proximity.ident", "the reader's Ident characteristic is that of the engagement",
        "the reader's Ident characteristic is that of another engagement", clause: "ISO/IEC 18013-5, 8.3.3.1.1.3")
    case .establishment:
      CheckDefinition(
        "proximity.establishment", "the reader's ephemeral key agrees with the mdoc's",
        clause: "ISO/IEC 18013-5, 9.1.1.4",
        [
          .failure(Reason.malformed, "the session establishment message is malformed"),
          .failure(Reason.key, "the ephemeral reader key is not an uncompressed point of a supported curve"),
          .failure(Reason.curve, "the ephemeral keys are on different curves"),
        ])
    case .encryption:
      CheckDefinition(
        "proximity.encryption", "every message decrypts, in its order", clause: "ISO/IEC 18013-5, 9.1.1.5",
        [
          .failure(
            Reason.authentication,
            "a message does not decrypt: it was altered, dropped or repeated, or the ends have different transcripts"),
          .failure(Reason.counter, "a direction has no counter left"),
        ])
    case .message:
      CheckDefinition(
        "proximity.message", "every session message is well-formed and at its turn",
        clause: "ISO/IEC 18013-5, 9.1.1.4",
        [
          .failure(Reason.malformed, "a session message is malformed"),
          .failure(Reason.size, "a session message is larger than the limit"),
          .failure(Reason.outOfTurn, "the state of the session does not allow the message"),
        ])
    case .deviceKey:
      CheckDefinition(
        "proximity.device-key", "the document's device key can authenticate the document in the session",
        clause: "ISO/IEC 18013-5 second edition draft, 12.4.4",
        [
          .failure(Reason.key, "the device key is for key agreement, and the session has no ephemeral reader key"),
          .failure(Reason.curve, "the device key is for key agreement, and the reader's key is on another curve"),
          .failure(Reason.purpose, "the curve of the device key does not allow its purpose"),
        ])
    case .transfer:
      CheckDefinition(
        "proximity.transfer", "the messages by NFC are whole data objects", clause: "ISO/IEC 18013-5, 8.3.3.1.2",
        [
          .failure(Reason.malformed, "a data object is malformed"),
          .failure(Reason.status, "the peer refused a command"),
          .failure(Reason.bounds, "a message needs more bytes or commands than the end accepts"),
        ])
    case .completion:
      CheckDefinition(
        "proximity.completion", "the session ends with a status of termination", clause: "ISO/IEC 18013-5, 9.1.1.4",
        [
          .failure(Reason.encryptionError, "the peer reports a session encryption error"),
          .failure(Reason.decodingError, "the peer reports a CBOR decoding error"),
          .failure(Reason.undefinedStatus, "the peer ended the session with a status that is not defined"),
          .failure(Reason.closed, "the connection ended without a status"),
          .failure(Reason.time, "the peer sent nothing in time"),
        ])
    case .portrait:
      CheckDefinition(
        "proximity.portrait", "the person at the counter looks like the portrait", clause: "own rule",
        [
          .failure(Reason.differs, "the person at the counter does not look like the portrait"),
          .failure(Reason.missing, "the response has no portrait to compare with the person"),
        ])
    }
  }
}

/// A failed check of a presentation in person.
public typealias ProximityFailure = CheckFailure<ProximityCheck>

extension ProximityError {
  /// The error as the failure of a check.
  public var failure: ProximityFailure { CheckFailure(finding, self) }

  private var finding: CheckFinding<ProximityCheck> {
    switch code {
    case .uriScheme, .uriSize, .uriEncoding: CheckFinding(.engagement, .uri)
    case .engagementCBOR, .engagementMissingKey, .engagementWrongType, .engagementOptions, .engagementCapability:
      CheckFinding(.engagement, .malformed)
    case .engagementVersion, .engagementCipherSuite: CheckFinding(.engagement, .version)
    case .engagementKey: CheckFinding(.engagement, .key)
    case .engagementNoMethod, .engagementMethods: CheckFinding(.engagement, .methods)
    case .sessionCBOR: CheckFinding(.message, .malformed)
    case .sessionSize: CheckFinding(.message, .size)
    case .sessionKey: CheckFinding(.establishment, .key)
    case .sessionCurve: CheckFinding(.establishment, .curve)
    case .sessionAuthentication: CheckFinding(.encryption, .authentication)
    case .sessionCounter: CheckFinding(.encryption, .counter)
    case .sessionOutOfTurn: CheckFinding(.message, .outOfTurn)
    case .linkCharacteristic: CheckFinding(.link, .characteristic)
    case .linkState: CheckFinding(.link, .state)
    case .linkPart: CheckFinding(.link, .part)
    case .linkSize, .linkUnit: CheckFinding(.link, .size)
    case .linkIdent: CheckFinding(.ident)
    case .ndef, .apdu, .capabilityContainer: CheckFinding(.tag, .malformed)
    case .tagApplication: CheckFinding(.tag, .application)
    case .tagStatus: CheckFinding(.tag, .status)
    case .tagBounds: CheckFinding(.tag, .bounds)
    case .serviceRecord: CheckFinding(.handover, .service)
    case .handover: CheckFinding(.handover, .malformed)
    case .carrier: CheckFinding(.carrier)
    case .dataObject: CheckFinding(.transfer, .malformed)
    case .transferStatus: CheckFinding(.transfer, .status)
    case .transferBounds: CheckFinding(.transfer, .bounds)
    }
  }
}
