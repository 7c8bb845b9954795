import CBOR
import COSE
import Crypto
import DevicePlatform
import DeviceToDevice
import IdentityDocumentServices
import Messaging
import MobileDocument
import Primitives
import Proximity
import SimulationKernel
import TranscriptDiagnosis
import Vocabulary

/// Faults of presentations in person: of the code on its way to the camera, of the radio, and of both ends.
extension Fault {
  static let inPerson: [Fault] = onTheRadio + byNFC + ofEnds + overOtherTranscripts

  /// Faults of a wallet that signs over another transcript of the session.
  private static let overOtherTranscripts = InPersonTranscriptVariant.allCases.map { variant in
    response(
      variant.rawValue, variant.title, .fails(ResponseCheck.deviceSignature, .transcript, by: "terminal"),
      .document { try $0.signing($1, over: variant, of: $2) })
  }

  /// Faults of the answer and of Bluetooth.
  private static let onTheRadio: [Fault] = [
    response(
      "mac-of-another-session", "The device's message authentication code is of another session with the same keys",
      .fails(ResponseCheck.deviceSignature, .macInvalid, by: "terminal"), .document { try $0.withMAC($1, over: $2) }),
    attribute(
      .bluetooth, "answer-altered", "A bit of a part of the answer is flipped",
      .fails(ProximityCheck.encryption, .authentication, by: "terminal"), to: .terminal
    ) { part in part.value.count > 1 ? part.value.flippingLastBit : nil },
    attribute(
      .bluetooth, "request-altered", "A bit of a part of the reader's request is flipped",
      .fails(ProximityCheck.encryption, .authentication, by: "mdoc"), to: .mdoc
    ) { part in part.isOfLongMessage ? part.value.flippingLastBit : nil },
    attribute(
      .bluetooth, "part-marker-altered",
      "The first byte of a part says neither that it is the last one nor that more follow",
      .fails(ProximityCheck.link, .part, by: "terminal"), to: .terminal
    ) { part in part.isOfLongMessage ? [2] + part.value.dropFirst() : nil },
    attribute(
      .bluetooth, "part-too-long", "A part of the answer is longer than an attribute can be",
      .fails(ProximityCheck.link, .size, by: "terminal"), to: .terminal
    ) { part in part.isOfLongMessage ? part.value + [UInt8](repeating: 0, count: 512) : nil },
    parts(
      "part-lost", "The first part of the answer is lost", .fails(ProximityCheck.message, .malformed, by: "terminal"),
      .losesPart),
    parts(
      "part-repeated", "The first part of the answer arrives twice",
      .fails(ProximityCheck.message, .malformed, by: "terminal"), .repeatsPart),
    parts(
      "parts-reordered", "The second part of the answer arrives after the third",
      .fails(ProximityCheck.encryption, .authentication, by: "terminal"), .reordersParts),
    parts(
      "session-replayed", "An attacker sends the terminal's messages of the session before to the phone",
      .fails(ProximityCheck.encryption, .authentication, by: "mdoc"), .replaysSession),
    parts(
      "connection-lost", "The connection is lost in the middle of the answer",
      .fails(ProximityCheck.link, .closed, by: "terminal"), .breaksConnection),
    parts(
      "answer-endless", "The parts of the answer do not end", .fails(ProximityCheck.link, .size, by: "terminal"),
      .endlessAnswer),
    parts(
      "request-endless", "The parts of the reader's request do not end",
      .fails(ProximityCheck.link, .size, by: "mdoc"), .endlessRequest),
  ]

  /// Faults of both ends, and of the code between them.
  private static let ofEnds: [Fault] = [
    attribute(
      .mdoc, "state-undefined", "The mdoc begins the transfer with a state that does not exist",
      .fails(ProximityCheck.link, .state, by: "terminal"), to: .terminal
    ) { part in part.characteristic == .state ? [3] : nil },
    Fault(
      .mdoc, "key-reused", "The mdoc uses the ephemeral key of its session before",
      .fails(ProximityCheck.freshness, by: "terminal"), at: "ephemeral key", .inPerson(.reusesKey(.mdoc))),
    message(
      .mdoc, "counter-skipped", "The app that answers gets the counter of a later message",
      .fails(ProximityCheck.encryption, .authentication, by: "terminal"), in: .rawRequest, RawRequestBody.self,
      to: .app
    ) { body, _ in
      guard let request = InPersonRequest(json: body.requestData), let seal = request.seal else { return }
      let later = AnswerSeal(key: seal.key, counter: seal.counter + 1)
      body.requestData =
        InPersonRequest(deviceRequest: request.deviceRequest, transcript: request.transcript, seal: later).json
    },
    Fault(
      .terminal, "key-reused", "The terminal uses the ephemeral key of its session before",
      .fails(ProximityCheck.freshness, by: "mdoc"), at: "ephemeral key", .inPerson(.reusesKey(.terminal))),
    Fault(
      .terminal, "reader-certificate-self-made",
      "The terminal issues its reader certificate itself, in the name and with the key identifier of the authority",
      .fails(ProviderCheck.reader, .untrusted, by: "app"), at: "reader certificate", .inPerson(.certifiesItself)),
    Fault(
      .terminal, "request-of-another-session",
      "The terminal sends an earlier request, its own or another terminal's, which is signed over another session",
      .refusesSignature, at: "session establishment", .inPerson(.repeatsRequest)),
    Fault(
      .terminal, "request-too-large", "The terminal's request is too long",
      .fails(SandboxCheck.limits, .limit(.deviceRequest), by: "sandbox"), at: "session establishment",
      .inPerson(.enlargesRequest)),
    attribute(
      .terminal, "ident-altered", "The terminal has the Ident characteristic of another engagement",
      .fails(ProximityCheck.ident, by: "mdoc"), to: .mdoc
    ) { part in part.characteristic == .ident ? part.value.flippingLastBit : nil },
    attribute(
      .terminal, "status-undefined", "The terminal ends the session with a status that is not defined",
      .fails(ProximityCheck.completion, .undefinedStatus, by: "mdoc"), to: .mdoc
    ) { part in
      guard let message = try? SessionData(Array(part.value.dropFirst())), message.status == .termination else {
        return nil
      }
      return [part.value[0]] + SessionData(data: message.data, status: .undefined(99)).encoded
    },
    code(
      "code-of-something-else", "The camera reads a code that is not that of an mdoc",
      .fails(ProximityCheck.engagement, .uri, by: "terminal")
    ) { _ in "https://attacker.example" },
    code(
      "code-without-bluetooth", "The code that the camera reads offers NFC alone, which the terminal does not have",
      .fails(ProximityCheck.engagement, .methods, by: "terminal")
    ) { engagement in
      guard let options = RetrievalMethod.NFCOptions(maximumCommand: 255, maximumResponse: 256) else { return "" }
      return try DeviceEngagement(deviceKey: ownKey(beside: engagement), methods: [.nfc(options)]).uri
    },
    code(
      "code-edited", "The version in the code is another one when the camera reads it",
      .fails(ProximityCheck.encryption, .authentication, by: "mdoc")
    ) { engagement in
      guard let place = engagement.bytes.firstRange(of: Array("1.0".utf8)) else {
        throw SimulationError.notApplicable("the code is not of version 1.0")
      }
      var bytes = engagement.bytes
      bytes.replaceSubrange(place, with: Array("1.9".utf8))
      return DeviceEngagement.scheme + Base64URL.encode(bytes)
    },
    code(
      "code-replaced", "The camera reads the code of an attacker, which has the phone's service and another key",
      .fails(ProximityCheck.ident, by: "mdoc")
    ) { engagement in
      try DeviceEngagement(deviceKey: ownKey(beside: engagement), methods: engagement.methods).uri
    },
  ]

  /// True for a fault that acts in presentations in person alone.
  public var isInPerson: Bool { Self.inPerson.contains(self) }

  private static func attribute(
    _ party: Party, _ name: String, _ title: String, _ findings: FaultFindings, to recipient: Messaging.Party.Role,
    _ change: @escaping @Sendable (BluetoothAttribute) -> [UInt8]?
  ) -> Fault {
    bytes(party, name, title, findings, in: .attribute, to: recipient) { bytes in
      for mode in BluetoothMode.allCases {
        guard let attribute = BluetoothAttribute(bytes, in: mode) else { continue }
        return change(attribute).map { BluetoothAttribute(attribute.characteristic, $0).encoded(in: mode) }
      }
      return nil
    }
  }

  private static func parts(_ name: String, _ title: String, _ findings: FaultFindings, _ attack: PartAttack) -> Fault {
    Fault(.bluetooth, name, title, findings, at: MessageKind.attribute.rawValue, .air { _ in .parts(attack) })
  }

  // MARK: NFC

  /// Faults of near-field communication.
  private static let byNFC: [Fault] = [
    nfc(
      "select-altered", "A bit of the handover select message is another one when the terminal reads it",
      .fails(ProximityCheck.encryption, .authentication, by: "mdoc"), .commandResponse
    ) { bytes in bytes.changingCarrierState(ofMessageWith: "iso.org:18013:deviceengagement") },
    nfc(
      "request-altered", "A bit of the handover request message is another one when it reaches the phone",
      .fails(ProximityCheck.encryption, .authentication, by: "mdoc"), .command
    ) { bytes in bytes.changingCarrierState(ofMessageWith: "iso.org:18013:readerengagement") },
    nfc(
      "carrier-altered", "The role in the carrier of the handover select message does not exist",
      .fails(ProximityCheck.carrier, by: "terminal"), .commandResponse
    ) { bytes in bytes.replacing([0x02, 0x1c], with: [0x02, 0x1c, 0x09], within: "iso.org:18013:deviceengagement") },
    nfc(
      "engagement-unnamed", "No carrier of the handover select message names the engagement",
      .fails(ProximityCheck.handover, .malformed, by: "terminal"), .commandResponse
    ) { bytes in bytes.replacing(Array("\u{4}mdoc".utf8), with: Array("\u{4}none".utf8), within: "Hs") },
    nfc(
      "service-refused", "The tag refuses the service of handover",
      .fails(ProximityCheck.handover, .service, by: "terminal"), .commandResponse
    ) { bytes in bytes.replacing([0x54, 0x65, 0x00], with: [0x54, 0x65, 0x01], within: "Te") },
    nfc(
      "container-altered", "The capability container is that of a later version",
      .fails(ProximityCheck.tag, .malformed, by: "terminal"), .commandResponse
    ) { bytes in bytes.starts(with: [0x00, 0x0f, 0x20]) ? [0x00, 0x0f, 0x50] + bytes.dropFirst(3) : nil },
    nfc(
      "tag-refuses", "The tag refuses to be read", .fails(ProximityCheck.tag, .status, by: "terminal"),
      .commandResponse
    ) { bytes in bytes.starts(with: [0x00, 0x0f, 0x20]) ? ResponseAPDU(ResponseAPDU.Status.other).bytes : nil },
    nfc(
      "never-ready", "The tag never has a message", .fails(ProximityCheck.tag, .bounds, by: "terminal"),
      .commandResponse
    ) { bytes in bytes.count == 4 && bytes.suffix(2) == [0x90, 0x00] ? [0x00, 0x00, 0x90, 0x00] : nil },
    nfc(
      "answer-altered", "A bit of the answer is flipped",
      .fails(ProximityCheck.encryption, .authentication, by: "terminal"),
      .commandResponse
    ) { bytes in
      bytes.count > 128 && bytes.first != 0x53 && !bytes.contains("Hs") ? [bytes[0] ^ 1] + bytes.dropFirst() : nil
    },
    nfc(
      "object-altered", "The answer is in a data object of another kind",
      .fails(ProximityCheck.transfer, .malformed, by: "terminal"), .commandResponse
    ) { bytes in bytes.count > 128 && bytes.first == 0x53 ? [0x54] + bytes.dropFirst() : nil },
    nfc(
      "transfer-refused", "The phone refuses a command of the transfer",
      .fails(ProximityCheck.transfer, .status, by: "terminal"), .commandResponse
    ) { bytes in bytes.count > 128 && bytes.first == 0x53 ? ResponseAPDU(ResponseAPDU.Status.other).bytes : nil },
    Fault(
      .nfc, "phone-leaves", "The phone leaves the field in the middle of the answer",
      .fails(ProximityCheck.completion, .closed, by: "terminal"), at: MessageKind.commandResponse.rawValue,
      .air { _ in .field }),
    nfc(
      "answer-enormous", "The length of the answer's data object is larger than the limit",
      .fails(ProximityCheck.transfer, .bounds, by: "terminal"), .commandResponse
    ) { bytes in bytes.count > 128 ? enormous(bytes) : nil },
    nfc(
      "request-enormous", "The length of the request's data object is larger than the limit",
      .fails(ProximityCheck.transfer, .bounds, by: "mdoc"), .command
    ) { bytes in changingEnvelope(bytes, enormous) },
    nfc(
      "command-too-long", "A command of the transfer is longer than the phone takes",
      .fails(ProximityCheck.transfer, .bounds, by: "mdoc"), .command
    ) { bytes in
      changingEnvelope(bytes) { data in data.count > 128 ? data + [UInt8](repeating: 0, count: 256) : nil }
    },
  ]

  /// The start of a data object with a length above the limit in place of its own; nil for other bytes.
  private static func enormous(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: [0x53, 0x82]), bytes.count > 4 else { return nil }
    // As many bytes as before: a command has the length of its data.
    return [0x53, 0x83, 0x7f, 0xff, 0xff] + bytes.dropFirst(5)
  }

  /// An ENVELOPE command with other data; nil for another command.
  private static func changingEnvelope(_ bytes: [UInt8], _ change: ([UInt8]) -> [UInt8]?) -> [UInt8]? {
    guard let command = try? CommandAPDU(bytes), command.instruction == CommandAPDU.Instruction.envelope else {
      return nil
    }
    return change(command.data).map { data in
      CommandAPDU(class: command.class, command.instruction, 0, data: data, expected: command.expected).bytes
    }
  }

  private static func nfc(
    _ name: String, _ title: String, _ findings: FaultFindings, _ kind: MessageKind,
    _ change: @escaping @Sendable ([UInt8]) -> [UInt8]?
  ) -> Fault {
    bytes(.nfc, name, title, findings, in: kind, to: kind == .command ? .mdoc : .terminal, change)
  }

  private static func code(
    _ name: String, _ title: String, _ findings: FaultFindings,
    _ change: @escaping @Sendable (DeviceEngagement) throws -> String
  ) -> Fault {
    bytes(.network, name, title, findings, in: .scan, to: .terminal) { bytes in
      let engagement = try DeviceEngagement(uri: String(decoding: bytes, as: UTF8.self))
      return Array(try change(engagement).utf8)
    }
  }

  /// A key of an attacker, which follows from the engagement.
  private static func ownKey(beside engagement: DeviceEngagement) throws -> EphemeralPrivateKey {
    .p256(try P256.KeyAgreement.PrivateKey(rawRepresentation: Array(SHA256.hash(data: engagement.bytes))))
  }
}

extension BluetoothAttribute {
  /// True for a part of a request or a response, which are longer than a status.
  fileprivate var isOfLongMessage: Bool { characteristic != .ident && value.count > 32 }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }

  /// The bytes with the first place of some bytes replaced, in a message that has a text.
  /// - Parameter other: The bytes that come there, over as many of these.
  fileprivate func replacing(_ bytes: [UInt8], with other: [UInt8], within text: String) -> [UInt8]? {
    guard contains(text), let place = firstRange(of: bytes) else { return nil }
    var changed = self
    changed.replaceSubrange(place.lowerBound..<Swift.min(count, place.lowerBound + other.count), with: other)
    return changed
  }

  /// The bytes with another power state of the first alternative carrier, in a handover message that has a text.
  fileprivate func changingCarrierState(ofMessageWith text: String) -> [UInt8]? {
    // The type of the record, and the first byte of its payload.
    replacing([0x61, 0x63, 0x01], with: [0x61, 0x63, 0x02], within: text)
  }
}

extension FaultyResponse {
  /// The document with a signature over another transcript than that of the session.
  fileprivate func signing(
    _ document: CBORValue, over variant: InPersonTranscriptVariant, of transcript: SessionTranscript
  ) throws -> CBORValue {
    guard var inputs = InPersonTranscriptInputs(transcript) else {
      throw SimulationError.notApplicable("the transcript is not that of a session in person")
    }
    inputs.otherSessions = earlierTranscript.map { [$0] } ?? []
    let wrong = try variant.transcripts(from: inputs).required(variant).transcript
    let parts = DeviceAuthenticationParts(
      documentType: self.document.documentType, nameSpacesBytes: HeldDocument.emptyDeviceNameSpaces)
    let signature = try parts.content(over: wrong).signed(with: deviceKey)
    let signed = CBORValue(try CBORReader.read(signature))
    return try document.changing([.member(.text("deviceSigned")), .member(.text("deviceAuth"))]) { _ in
      .textMap([("deviceSignature", signed)])
    }
  }

  /// The document with a message authentication code over another session, from the right key.
  fileprivate func withMAC(_ document: CBORValue, over transcript: SessionTranscript) throws -> CBORValue {
    guard let readerKey = transcript.readerKey, let own = deviceKey as? DeterministicSigningKey else {
      throw SimulationError.notApplicable("the session has no key of a reader")
    }
    let other = SessionTranscript(deviceEngagement: [0xa0], readerKeyBytes: readerKey.taggedBytes, handover: .qrCode)
    let key = try DeviceMAC.key(
      privateKey: P256.KeyAgreement.PrivateKey(rawRepresentation: own.rawRepresentation),
      publicKey: readerKey.key.p256KeyAgreementKey(), transcript: other)
    let signed = other.deviceAuthenticationBytes(
      documentType: self.document.documentType, deviceNameSpacesBytes: HeldDocument.emptyDeviceNameSpaces)
    let mac = CBORValue(try CBORReader.read(COSEMac0.authenticate(detachedPayload: signed, with: key)))
    return try document.changing([.member(.text("deviceSigned")), .member(.text("deviceAuth"))]) { _ in
      .textMap([("deviceMac", mac)])
    }
  }
}
