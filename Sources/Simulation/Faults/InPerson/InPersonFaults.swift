import Crypto
import Messaging
import Primitives
import Proximity
import SimulationKernel

/// Faults of presentations in person: of the code on its way to the camera, of the radio, and of both ends.
extension Fault {
  static let inPerson: [Fault] = [
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
      .mdoc, "state-undefined", "The mdoc begins the transfer with a state that does not exist",
      .fails(ProximityCheck.link, .state, by: "terminal"), to: .terminal
    ) { part in part.characteristic == .state ? [3] : nil },
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
    Fault(
      party, name, title, findings, at: MessageKind.attribute.rawValue,
      .message(
        MessageChange(.attribute, to: recipient) { bytes, _ in
          for mode in BluetoothMode.allCases {
            guard let attribute = BluetoothAttribute(bytes, in: mode) else { continue }
            return change(attribute).map { BluetoothAttribute(attribute.characteristic, $0).encoded(in: mode) }
          }
          return nil
        }))
  }

  private static func code(
    _ name: String, _ title: String, _ findings: FaultFindings,
    _ change: @escaping @Sendable (DeviceEngagement) throws -> String
  ) -> Fault {
    Fault(
      .network, name, title, findings, at: MessageKind.scan.rawValue,
      .message(
        MessageChange(.scan, to: .terminal) { bytes, _ in
          let engagement = try DeviceEngagement(uri: String(decoding: bytes, as: UTF8.self))
          return Array(try change(engagement).utf8)
        }))
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
