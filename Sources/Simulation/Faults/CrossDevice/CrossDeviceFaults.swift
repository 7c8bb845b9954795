import Crypto
import DeviceToDevice
import HybridTransport
import JSON
import SimulationKernel

/// The effect of a fault of a client platform towards a phone.
enum ClientPlatformChange: Sendable {
  /// The content of the QR code.
  case qrPayload(@Sendable (inout QRPayload) -> Void)
  /// The key of the QR code, and the one that both ends derive from the advert.
  case keys(@Sendable (inout P256.KeyAgreement.PrivateKey, _ preSharedKey: inout [UInt8], inout EntropyStream) -> Void)
  /// The client platform performs the handshake without the private key of the QR code.
  case keyNotHeld
  /// The request.
  case request(@Sendable (inout CredentialRequestMessage, _ arguments: [String: String]) -> Void)
}

/// The effect of a fault of a phone towards a client platform.
enum AuthenticatorChange: Sendable {
  /// The advert.
  case advert(@Sendable (inout [UInt8]) -> Void)
  /// The first message, which describes the phone.
  case features(@Sendable ([UInt8]) -> [UInt8])
  /// The answer to the request.
  case answer(@Sendable ([UInt8]) -> [UInt8])
  /// The padded answer.
  case paddedAnswer([UInt8])

  /// The message in place of an honest one; nil to leave it unchanged.
  func plaintext(for honest: [UInt8]) -> [UInt8]? {
    switch self {
    case .features(let change) where !Self.isAnswer(honest): change(honest)
    case .answer(let change) where Self.isAnswer(honest): change(honest)
    default: nil
    }
  }

  static func isAnswer(_ message: [UInt8]) -> Bool { message.first == Frame.Kind.json.rawValue }
}

/// The effect of a fault of a tunnel service, or of anyone who controls the network. It sees the lengths of messages only.
struct TunnelServiceChange: Sendable {
  /// Indicates whether the fault acts on a message.
  let acts: @Sendable (TunnelMessage) -> Bool
  /// The messages in place of it; nil to deliver it after the next one.
  let delivered: @Sendable (TunnelMessage) -> [TunnelMessage]?
}

extension Fault {
  /// Faults of client platforms, phones, tunnel services and the radio.
  static let acrossDevices: [Fault] = ofClientPlatforms + ofAuthenticators + ofTunnelServices + ofRadios

  private static let ofClientPlatforms: [Fault] = [
    clientPlatform(
      "another-advert", "It does not know the phone's advert", .fails(HybridCheck.handshake, .unverified, by: phone),
      .keys { _, preSharedKey, stream in preSharedKey = stream.bytes(preSharedKey.count) }),
    clientPlatform(
      "another-identity-key", "It uses another identity key than the QR code's",
      .fails(HybridCheck.handshake, .unverified, by: phone),
      .keys { identityKey, _, stream in identityKey = stream.keyAgreementKey() }),
    clientPlatform(
      "identity-key-not-held", "It has the QR code's public key, and not the private key",
      .fails(HybridCheck.clientPlatform, by: phone), .keyNotHeld),
    clientPlatform(
      "origin-replaced", "It names another origin than the page's", .refusesSignature,
      parameters: [.required("origin", "the origin that it names")],
      .request { $0.origin = $1["origin"] ?? "https://attacker.example" }),
    clientPlatform(
      "origin-with-slash", "It names the origin with a slash at its end",
      .fails(HybridCheck.request, .origin, by: phone), .request { request, _ in request.origin += "/" }),
    clientPlatform(
      "request-malformed", "Its request is not an object", .fails(HybridCheck.request, .malformed, by: phone),
      .request { request, _ in request.digital = "[]" }),
    clientPlatform(
      "no-tunnel-offered", "Its QR code offers Bluetooth alone for messages",
      .fails(HybridCheck.qrCode, .channel, by: phone),
      .qrPayload { $0.keySix = .channels([QRPayload.Channel.bluetooth]) }),
  ]

  private static let ofAuthenticators: [Fault] = [
    authenticator(
      "tunnel-service-unassigned", "Its advert names a tunnel service without a name", .advert, .service,
      .advert { $0.replaceSubrange(14...15, with: [2, 0]) }),
    authenticator(
      "advert-reserved-byte", "The reserved byte of its advert is not zero", .advert, .malformed,
      .advert { $0[0] = 1 }),
    // `getInfo` of a phone with passkeys alone: {1: ["FIDO_2_0"], 3: 16 zero bytes}.
    authenticator(
      "no-digital-credentials", "It offers passkeys alone", .features, .incompatible,
      .features { _ in
        let description =
          [0xa2, 0x01, 0x81, 0x68] + Array("FIDO_2_0".utf8) + [0x03, 0x50] + Array(repeating: 0, count: 16)
        return PostHandshake(features: [.ctap], description: description).cbor
      }),
    authenticator(
      "features-malformed", "Its first message is not CBOR", .features, .malformed, .features { _ in [0xff] }),
    // The older form has padding of its own, whose length is in the last two bytes.
    authenticator(
      "revision-0", "It speaks revision 0 of the transport", .features, .revision, .features { $0 + [0, 0, 2, 0] }),
    authenticator(
      "answer-as-command", "Its answer is a message of type 1", .frame, .outOfTurn,
      .answer { [Frame.Kind.ctap.rawValue] + $0.dropFirst() }),
    authenticator(
      "answer-as-shutdown", "Its answer is a message of type 0", .frame, .outOfTurn,
      .answer { _ in [Frame.Kind.shutdown.rawValue] }),
    // One more than the bytes before the length.
    authenticator(
      "padding-too-long", "The padding of its answer is longer than the message", .frame, .malformed,
      .paddedAnswer([UInt8](repeating: 0, count: 31) + [32])),
    authenticator("message-empty", "Its answer has no type", .frame, .malformed, .answer { _ in [] }),
    authenticator(
      "answer-malformed", "Its answer is not JSON", .response, .malformed,
      .answer { _ in [Frame.Kind.json.rawValue] + Array("!".utf8) }),
    authenticator(
      "error-unknown", "It answers with an error of an unknown name", .response, .other,
      .answer { _ in Frame(.json, CredentialResponseMessage.error(.other("RANDOM_STUFF")).json).plaintext }),
  ]

  private static let ofTunnelServices: [Fault] = [
    tunnelService(
      "request-altered", "A bit of the client platform's request is flipped",
      .fails(HybridCheck.clientPlatform, by: phone), on: { $0.sender == .clientPlatform && !$0.isHandshake },
      { [$0.altered] }),
    tunnelService(
      "answer-altered", "A bit of the phone's answer is flipped",
      .fails(HybridCheck.frame, .authentication, by: platform),
      on: { $0.isOfPhone && $0.bytes.count > firstMessageLength }, { [$0.altered] }),
    tunnelService(
      "message-dropped", "The phone's first message is dropped", .fails(HybridCheck.tunnel, .closed, by: platform),
      on: \.isOfPhone, { _ in [] }),
    tunnelService(
      "message-repeated", "The phone's first message comes twice",
      .fails(HybridCheck.frame, .authentication, by: platform), on: \.isOfPhone, { [$0, $0] }),
    tunnelService(
      "messages-swapped", "Two messages of the phone come in the wrong order",
      .fails(HybridCheck.handshake, .malformed, by: platform), on: { $0.sender == .authenticator && $0.isHandshake },
      { _ in nil }),
    tunnelService(
      "message-reflected", "The phone's first message comes back to it",
      .fails(HybridCheck.clientPlatform, by: phone), on: \.isOfPhone, { [$0.reflected] }),
  ]

  private static let ofRadios: [Fault] = [
    air(
      "wormhole", "An attacker relays adverts between two places", .unnoticed,
      parameters: ["between", "and"].map { .required($0, "a place of the attacker's radios") }
    ) { .relay(between: $0["between"] ?? "", and: $0["and"] ?? "") },
    air(
      "adverts-jammed", "An attacker jams all adverts",
      .fails(HybridCheck.advert, HybridCheck.Reason.none, by: platform)
    ) { _ in .jam
    },
    air(
      "adverts-replayed", "An attacker repeats all adverts so far",
      .fails(HybridCheck.advert, .anotherCode, by: platform)
    ) { _ in .replay },
  ]

  /// The parties that notice, as journals name them.
  private static let (phone, platform) = ("authenticator", "client-platform")

  /// The length of the longest first message of a phone with digital credentials alone: a tunnel service knows no more.
  private static let firstMessageLength = 48

  private static func clientPlatform(
    _ name: String, _ title: String, _ findings: FaultFindings, parameters: [Parameter] = [],
    _ change: ClientPlatformChange
  ) -> Fault {
    Fault(
      .clientPlatform, name, title, findings, at: "session with a phone", parameters: parameters,
      .clientPlatform(change))
  }

  private static func authenticator(
    _ name: String, _ title: String, _ check: HybridCheck, _ reason: HybridCheck.Reason, _ change: AuthenticatorChange
  ) -> Fault {
    Fault(
      .authenticator, name, title, .fails(check, reason, by: platform), at: "session with a client platform",
      .authenticator(change))
  }

  private static func tunnelService(
    _ name: String, _ title: String, _ findings: FaultFindings, on acts: @escaping @Sendable (TunnelMessage) -> Bool,
    _ delivered: @escaping @Sendable (TunnelMessage) -> [TunnelMessage]?
  ) -> Fault {
    Fault(
      .tunnelService, name, title, findings, at: "tunnel",
      .tunnelService(TunnelServiceChange(acts: acts, delivered: delivered)))
  }

  private static func air(
    _ name: String, _ title: String, _ findings: FaultFindings, parameters: [Parameter] = [],
    _ attack: @escaping @Sendable ([String: String]) -> AirAttack
  ) -> Fault {
    Fault(.bluetooth, name, title, findings, at: "advert", parameters: parameters, .air(attack))
  }
}

extension TunnelMessage {
  /// A message of a phone after the handshake.
  fileprivate var isOfPhone: Bool { sender == .authenticator && !isHandshake }

  fileprivate var altered: TunnelMessage {
    var altered = self
    altered.bytes = bytes.flippingLastBit
    return altered
  }

  fileprivate var reflected: TunnelMessage {
    var reflected = self
    reflected.isReflected = true
    return reflected
  }
}
