/// A mode of transfer over Bluetooth Low Energy, named for what the mdoc is (ISO/IEC 18013-5, 8.3.3.1.1).
public enum BluetoothMode: String, Sendable, CaseIterable {
  /// The mdoc is central and client; the reader advertises and is the server.
  case centralClient = "central-client"
  /// The mdoc advertises and is the server; the reader is central and client.
  case peripheralServer = "peripheral-server"

  /// Returns whether an end is the client of the attribute protocol.
  public func isClient(_ party: ProximityParty) -> Bool { (self == .centralClient) == (party == .mdoc) }

  /// The mode that a reader should use: the mdoc is the client where it offers that.
  public static func preferred(_ options: RetrievalMethod.BluetoothOptions) -> BluetoothMode {
    options.centralClient == nil ? .peripheralServer : .centralClient
  }

  /// The characteristics of the mode's service.
  public var characteristics: [BluetoothCharacteristic] {
    BluetoothCharacteristic.allCases.filter { $0.uuid(in: self) != nil }
  }
}

/// The two ends of a presentation in person.
public enum ProximityParty: String, Sendable, CaseIterable {
  /// The holder's end.
  case mdoc
  /// The verifier's end.
  case reader
}

/// A characteristic of the service (ISO/IEC 18013-5, 8.3.3.1.1.4).
public enum BluetoothCharacteristic: String, Sendable, CaseIterable {
  /// Starts and ends the transfer.
  case state
  /// The client's messages.
  case clientToServer = "client-to-server"
  /// The server's messages.
  case serverToClient = "server-to-client"
  /// Identifies the engagement. Only a reader that is the server has it.
  case ident
  /// The number of an L2CAP channel, optional.
  case channel

  /// Returns the identifier in a mode, or nil if the mode's service does not have the characteristic.
  public func uuid(in mode: BluetoothMode) -> BluetoothUUID? {
    let number: UInt8
    switch (self, mode) {
    case (.state, .peripheralServer): number = 0x1
    case (.clientToServer, .peripheralServer): number = 0x2
    case (.serverToClient, .peripheralServer): number = 0x3
    case (.channel, .peripheralServer): number = 0xa
    case (.state, .centralClient): number = 0x5
    case (.clientToServer, .centralClient): number = 0x6
    case (.serverToClient, .centralClient): number = 0x7
    case (.ident, .centralClient): number = 0x8
    case (.channel, .centralClient): number = 0xb
    case (.ident, .peripheralServer): return nil
    }
    return BluetoothUUID([0, 0, 0, number] + Self.base)
  }

  /// Returns the characteristic with an identifier in a mode, or nil.
  public init?(_ uuid: BluetoothUUID, in mode: BluetoothMode) {
    guard let found = Self.allCases.first(where: { $0.uuid(in: mode) == uuid }) else { return nil }
    self = found
  }

  private static let base: [UInt8] = [0xa1, 0x23, 0x48, 0xce, 0x89, 0x6b, 0x4c, 0x76, 0x97, 0x33, 0x73, 0xe6]
}

/// A value of the State characteristic.
public enum BluetoothState: UInt8, Sendable, CaseIterable {
  /// The client is ready: the server may send.
  case start = 1
  /// The transfer is over.
  case end = 2
}
