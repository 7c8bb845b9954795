import CBOR
import Crypto
import MobileDocument
import Proximity
import TestSupport
import Testing

/// Values that are the same in every run.
enum Fixed {
  static func key(_ number: UInt8) throws -> EphemeralPrivateKey {
    .p256(try fixedAgreementKey(number))
  }

  static func deviceKey() throws -> EphemeralPrivateKey { try key(1) }
  static func readerKey() throws -> EphemeralPrivateKey { try key(2) }

  /// A key on each curve.
  static func keys() throws -> [EphemeralPrivateKey] {
    [
      try key(1), .p384(try P384.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 48))),
      .p521(try P521.KeyAgreement.PrivateKey(rawRepresentation: [0, 1] + [UInt8](repeating: 1, count: 64))),
      .x25519(try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32))),
    ]
  }

  static func uuid(_ number: UInt8) throws -> BluetoothUUID {
    try #require(BluetoothUUID([number, 1, 2, 3, 4, 5, 6, 7, 0x88, 9, 10, 11, 12, 13, 14, 15]))
  }

  static func bluetooth() throws -> RetrievalMethod.BluetoothOptions {
    try #require(.init(peripheralServer: try uuid(1), centralClient: try uuid(2)))
  }

  static func nfc() throws -> RetrievalMethod.NFCOptions {
    try #require(.init(maximumCommand: 65_535, maximumResponse: 65_536))
  }

  static func engagement(
    key: EphemeralPrivateKey? = nil, capabilities: DeviceEngagement.Capabilities? = nil
  ) throws -> DeviceEngagement {
    try DeviceEngagement(
      deviceKey: try key ?? deviceKey(), methods: [.bluetooth(try bluetooth())], capabilities: capabilities)
  }

  static func opening() throws -> SessionOpening { SessionOpening(try engagement(), .qrCode) }

  /// A map with entries in place of others, or without them.
  static func changed(_ bytes: [UInt8], _ changes: [Int: CBORValue?]) throws -> [UInt8] {
    guard case .map(var entries) = CBORValue(try CBORReader.read(bytes)) else { return [] }
    for key in changes.keys.sorted() {
      entries.removeAll { $0.key == .integer(key) }
      if case .some(.some(let value)) = changes[key] { entries.append(.init(.integer(key), value)) }
    }
    return CBORValue.map(entries).encoded
  }
}
