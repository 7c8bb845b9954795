import Checks

/// The checks of both ends of the hybrid transport, in the order of the flow.
public enum HybridCheck: CheckFamily {
  case bluetooth, qrCode, tunnel, advert, handshake, features, clientPlatform, frame, request, response

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case unsupported, off
    case permission
    case malformed, channel
    case none, service
    case anotherCode = "another-code"
    case refused, closed
    case unverified
    case revision
    case incompatible
    case authentication
    case outOfTurn = "out-of-turn"
    case origin
    case userCanceled = "user-canceled"
    case deviceAborted = "device-aborted"
    case noCredential = "no-credential"
    case other
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .bluetooth:
      CheckDefinition(
        "hybrid.bluetooth", "the client platform can hear adverts", clause: "own rule",
        [
          .failure(Reason.unsupported, "the client platform has no Bluetooth Low Energy"),
          .failure(Reason.permission, "the client platform may not use Bluetooth"),
          .failure(Reason.off, "Bluetooth is off"),
        ])
    case .qrCode:
      CheckDefinition(
        "hybrid.qr-code", "the QR code is that of a client platform", clause: Self.clause,
        [
          .failure(Reason.malformed, "the QR code is malformed"),
          .failure(Reason.channel, "the QR code offers no tunnel service"),
        ])
    case .tunnel:
      CheckDefinition(
        "hybrid.tunnel", "the tunnel service connects the end until the session is over", clause: Self.clause,
        [
          .failure(Reason.refused, "the tunnel service refused the connection"),
          .failure(Reason.malformed, "the tunnel service's reply is malformed"),
          .failure(Reason.closed, "the tunnel closed before the session was over"),
        ])
    case .advert:
      CheckDefinition(
        "hybrid.advert", "a phone that scanned the QR code is near", clause: Self.clause,
        [
          .failure(Reason.none, "no advert was heard"),
          .failure(Reason.anotherCode, "adverts were heard, and none is for the QR code"),
          .failure(Reason.malformed, "the advert for the QR code is malformed"),
          .failure(Reason.service, "the advert for the QR code names a tunnel service whose number is not assigned"),
        ])
    case .handshake:
      CheckDefinition(
        "hybrid.handshake", "the other end knows the QR code and the advert", clause: Self.clause,
        [
          .failure(Reason.malformed, "the handshake message is malformed"),
          .failure(Reason.unverified, "the handshake message does not verify"),
        ])
    case .features:
      CheckDefinition(
        "hybrid.features", "the phone offers digital credentials", clause: Self.clause,
        [
          .failure(Reason.malformed, "the phone's first message is malformed"),
          .failure(Reason.revision, "the phone speaks revision 0 of the transport, which has no JSON messages"),
          .failure(Reason.incompatible, "the phone does not offer digital credentials"),
        ])
    case .clientPlatform:
      CheckDefinition(
        "hybrid.client-platform", "the client platform holds the private key of the QR code",
        "the first message does not decrypt: the client platform may not hold the private key of the QR code",
        clause: Self.clause)
    case .frame:
      CheckDefinition(
        "hybrid.frame", "every message decrypts, in its order and at its turn", clause: Self.clause,
        [
          .failure(Reason.authentication, "a message does not decrypt: it was altered, dropped, repeated or reflected"),
          .failure(Reason.malformed, "a message is malformed"),
          .failure(Reason.outOfTurn, "a message has a type that is not expected here"),
        ])
    case .request:
      CheckDefinition(
        "hybrid.request", "the request names an origin and digital credentials", clause: Self.clause,
        [
          .failure(Reason.malformed, "the request is malformed"),
          .failure(Reason.origin, "the origin is not the serialized origin of a secure context"),
        ])
    case .response:
      CheckDefinition(
        "hybrid.response", "the phone answered with a digital credential", clause: Self.clause,
        [
          .failure(Reason.malformed, "the response is malformed"),
          .failure(Reason.userCanceled, "the person cancelled on the phone"),
          .failure(Reason.deviceAborted, "the phone ended the request"),
          .failure(Reason.noCredential, "the phone has no credential for the request"),
          .failure(Reason.other, "the phone reports an unknown error"),
        ])
    }
  }

  private static let clause = "CTAP 2.3, 11.5"
}

extension HybridError {
  /// The error as the failure of a check.
  var failure: CheckFailure<HybridCheck> { CheckFailure(finding, self) }

  private var finding: CheckFinding<HybridCheck> {
    switch code {
    case .qrPrefix, .qrDigit, .qrLength, .qrRange, .qrCBOR, .qrMissingKey, .qrWrongType, .qrPoint, .qrSecret:
      CheckFinding(.qrCode, .malformed)
    case .qrChannel: CheckFinding(.qrCode, .channel)
    case .advertTag: CheckFinding(.advert, .anotherCode)
    case .advertService: CheckFinding(.advert, .service)
    case .advertStructure, .advertSize, .advertReserved, .advertSuffix: CheckFinding(.advert, .malformed)
    case .tunnelURL, .tunnelPath, .tunnelLinked, .tunnelHeader: CheckFinding(.tunnel, .malformed)
    case .handshakeSize, .handshakeSignal, .handshakePoint: CheckFinding(.handshake, .malformed)
    case .handshakeTag: CheckFinding(.handshake, .unverified)
    case .frameAuthentication: CheckFinding(.frame, .authentication)
    case .frameSize, .frameCounter, .framePadding, .frameEmpty, .frameType, .framePayload:
      CheckFinding(.frame, .malformed)
    case .frameOutOfTurn: CheckFinding(.frame, .outOfTurn)
    case .featuresCBOR, .featuresWrongType, .featuresDescription: CheckFinding(.features, .malformed)
    case .featuresRevision: CheckFinding(.features, .revision)
    case .featuresIncompatible: CheckFinding(.features, .incompatible)
    case .requestJSON, .requestType: CheckFinding(.request, .malformed)
    case .requestOrigin: CheckFinding(.request, .origin)
    case .responseJSON: CheckFinding(.response, .malformed)
    }
  }
}
