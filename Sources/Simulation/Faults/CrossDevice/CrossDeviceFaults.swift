import Devices
import Ecosystem
import HybridTransport
import JSON

/// A fault of a client platform towards a phone.
enum ClientPlatformFault: String, Sendable, CaseIterable {
  case anotherAdvert = "another-advert"
  case anotherKey = "another-identity-key"
  case keyNotHeld = "identity-key-not-held"
  case anotherOrigin = "origin-replaced"
  case originNotSerialized = "origin-with-slash"
  case requestMalformed = "request-malformed"
  case noTunnel = "no-tunnel-offered"

  /// The id in the catalogue.
  var id: String { "client-platform.\(rawValue)" }

  /// The title and what the phone finds.
  var declaration: FaultDeclaration {
    switch self {
    case .anotherAdvert: finding("It does not know the phone's advert", "hybrid.handshake/unverified")
    case .anotherKey:
      finding("It uses another identity key than the QR code's", "hybrid.handshake/unverified")
    case .keyNotHeld:
      finding("It has the QR code's public key, and not the private key", "hybrid.client-platform")
    case .anotherOrigin:
      FaultDeclaration(
        "It names another origin than the page's", .fails("sandbox.reader-signature", by: "sandbox"))
    case .originNotSerialized: finding("It names the origin with a slash at its end", "hybrid.request/origin")
    case .requestMalformed: finding("Its request is not an object", "hybrid.request/malformed")
    case .noTunnel: finding("Its QR code offers Bluetooth alone for messages", "hybrid.qr-code/channel")
    }
  }

  private func finding(_ title: String, _ check: String) -> FaultDeclaration {
    FaultDeclaration(title, .fails(check, by: "authenticator"))
  }
}

/// A fault of a phone towards a client platform.
enum AuthenticatorFault: String, Sendable, CaseIterable {
  case unassignedService = "tunnel-service-unassigned"
  case reservedByte = "advert-reserved-byte"
  case noDigitalCredentials = "no-digital-credentials"
  case featuresMalformed = "features-malformed"
  case revision0 = "revision-0"
  case answerAsCommand = "answer-as-command"
  case answerAsShutdown = "answer-as-shutdown"
  case paddingTooLong = "padding-too-long"
  case emptyMessage = "message-empty"
  case answerMalformed = "answer-malformed"
  case unknownError = "error-unknown"

  /// The id in the catalogue.
  var id: String { "authenticator.\(rawValue)" }

  /// The title and what the client platform finds.
  var declaration: FaultDeclaration {
    switch self {
    case .unassignedService: finding("Its advert names a tunnel service without a name", "hybrid.advert/service")
    case .reservedByte: finding("The reserved byte of its advert is not zero", "hybrid.advert/malformed")
    case .noDigitalCredentials: finding("It offers passkeys alone", "hybrid.features/incompatible")
    case .featuresMalformed: finding("Its first message is not CBOR", "hybrid.features/malformed")
    case .revision0: finding("It speaks revision 0 of the transport", "hybrid.features/revision")
    case .answerAsCommand: finding("Its answer is a message of type 1", "hybrid.frame/out-of-turn")
    case .answerAsShutdown: finding("Its answer is a message of type 0", "hybrid.frame/out-of-turn")
    case .paddingTooLong: finding("The padding of its answer is longer than the message", "hybrid.frame/malformed")
    case .emptyMessage: finding("Its answer has no type", "hybrid.frame/malformed")
    case .answerMalformed: finding("Its answer is not JSON", "hybrid.response/malformed")
    case .unknownError: finding("It answers with an error of an unknown name", "hybrid.response/other")
    }
  }

  private func finding(_ title: String, _ check: String) -> FaultDeclaration {
    FaultDeclaration(title, .fails(check, by: "client-platform"))
  }

  /// The message in place of an honest one; nil to leave it unchanged.
  func plaintext(for honest: [UInt8]) -> [UInt8]? {
    let isAnswer = honest.first == Frame.Kind.json.rawValue
    switch self {
    // `getInfo` of a phone with passkeys alone: {1: ["FIDO_2_0"], 3: 16 zero bytes}.
    case .noDigitalCredentials where !isAnswer:
      let description =
        [0xa2, 0x01, 0x81, 0x68] + Array("FIDO_2_0".utf8) + [0x03, 0x50] + Array(repeating: 0, count: 16)
      return PostHandshake(features: [.ctap], description: description).cbor
    case .featuresMalformed where !isAnswer: return [0xff]
    // The older form has padding of its own, whose length is in the last two bytes.
    case .revision0 where !isAnswer: return honest + [0, 0, 2, 0]
    case .answerAsCommand where isAnswer: return [Frame.Kind.ctap.rawValue] + honest.dropFirst()
    case .answerAsShutdown where isAnswer: return [Frame.Kind.shutdown.rawValue]
    case .emptyMessage where isAnswer: return []
    case .answerMalformed where isAnswer: return [Frame.Kind.json.rawValue] + Array("!".utf8)
    case .unknownError where isAnswer:
      return Frame(.json, CredentialResponseMessage.error(.other("RANDOM_STUFF")).json).plaintext
    default: return nil
    }
  }

  /// The padded message in place of an honest one; nil to leave it unchanged.
  func padded(_ honest: [UInt8]) -> [UInt8]? {
    guard self == .paddingTooLong, honest.first == Frame.Kind.json.rawValue else { return nil }
    // One more than the bytes before the length.
    return Array(repeating: 0, count: 31) + [32]
  }
}

/// A fault of a tunnel service, or of anyone who controls the network.
enum TunnelServiceFault: String, Sendable, CaseIterable {
  case requestAltered = "request-altered"
  case answerAltered = "answer-altered"
  case dropped = "message-dropped"
  case repeated = "message-repeated"
  case swapped = "messages-swapped"
  case reflected = "message-reflected"

  /// The id in the catalogue.
  var id: String { "tunnel-service.\(rawValue)" }

  /// The title and what the ends find.
  var declaration: FaultDeclaration {
    switch self {
    case .requestAltered:
      FaultDeclaration(
        "A bit of the client platform's request is flipped", .fails("hybrid.client-platform", by: "authenticator"))
    case .answerAltered: finding("A bit of the phone's answer is flipped", "hybrid.frame/authentication")
    case .dropped: finding("The phone's first message is dropped", "hybrid.tunnel/closed")
    case .repeated: finding("The phone's first message comes twice", "hybrid.frame/authentication")
    case .swapped: finding("Two messages of the phone come in the wrong order", "hybrid.handshake/malformed")
    case .reflected:
      FaultDeclaration(
        "The phone's first message comes back to it", .fails("hybrid.client-platform", by: "authenticator"))
    }
  }

  private func finding(_ title: String, _ check: String) -> FaultDeclaration {
    FaultDeclaration(title, .fails(check, by: "client-platform"))
  }

  /// The length of the longest first message of a phone with digital credentials alone: a tunnel service knows no more.
  private static let firstMessageLength = 48

  /// Indicates whether the fault acts on a message. It sees lengths only.
  func acts(on message: TunnelMessage) -> Bool {
    switch self {
    case .requestAltered: message.sender == .clientPlatform && !message.isHandshake
    case .answerAltered:
      message.sender == .authenticator && message.bytes.count > Self.firstMessageLength && !message.isHandshake
    case .dropped, .repeated, .reflected: message.sender == .authenticator && !message.isHandshake
    case .swapped: message.sender == .authenticator && message.isHandshake
    }
  }

  /// The messages in place of one that the fault acts on.
  func delivered(_ message: TunnelMessage) -> [TunnelMessage] {
    var changed = message
    switch self {
    case .requestAltered, .answerAltered:
      changed.bytes = message.bytes.flippingLastBit
      return [changed]
    case .dropped: return []
    case .repeated: return [message, message]
    case .reflected:
      changed.isReflected = true
      return [changed]
    case .swapped: return [message]
    }
  }
}

/// A fault of the radio between devices.
enum AirFault: String, Sendable, CaseIterable {
  case wormhole
  case jammed = "adverts-jammed"
  case replayed = "adverts-replayed"

  /// The id in the catalogue.
  var id: String { "bluetooth.\(rawValue)" }

  /// The title and what the client platform finds.
  var declaration: FaultDeclaration {
    switch self {
    case .wormhole:
      FaultDeclaration("An attacker relays adverts between two places", .unnoticed)
    case .jammed: FaultDeclaration("An attacker jams all adverts", .fails("hybrid.advert/none", by: "client-platform"))
    case .replayed:
      FaultDeclaration(
        "An attacker repeats all adverts so far", .fails("hybrid.advert/another-code", by: "client-platform"))
    }
  }

  /// The parameters that a scenario gives.
  var parameters: [Fault.Parameter] {
    guard self == .wormhole else { return [] }
    return ["between", "and"].map {
      Fault.Parameter(name: $0, title: "a place of the attacker's radios", values: nil, isRequired: true)
    }
  }

  /// The attack.
  func attack(_ arguments: [String: String]) -> AirAttack {
    switch self {
    case .wormhole: .relay(between: arguments["between"] ?? "", and: arguments["and"] ?? "")
    case .jammed: .jam
    case .replayed: .replay
    }
  }
}

extension Fault {
  /// Faults of client platforms, phones, tunnel services and the radio.
  static let acrossDevices =
    ClientPlatformFault.allCases.map { fault in
      Fault(
        .clientPlatform, fault.rawValue, fault.declaration, at: "session with a phone",
        parameters: fault == .anotherOrigin
          ? [Parameter(name: "origin", title: "the origin that it names", values: nil, isRequired: true)] : [],
        .clientPlatform(fault))
    }
    + AuthenticatorFault.allCases.map { fault in
      Fault(
        .authenticator, fault.rawValue, fault.declaration, at: "session with a client platform", .authenticator(fault))
    }
    + TunnelServiceFault.allCases.map { fault in
      Fault(.tunnelService, fault.rawValue, fault.declaration, at: "tunnel", .tunnelService(fault))
    }
    + AirFault.allCases.map { fault in
      Fault(.bluetooth, fault.rawValue, fault.declaration, at: "advert", parameters: fault.parameters, .air(fault))
    }
}
