import CBOR

/// A way to transfer the session's messages that an engagement offers (ISO/IEC 18013-5 second edition draft, 9.3).
public enum RetrievalMethod: Sendable, Equatable {
  /// Transfer by NFC.
  case nfc(NFCOptions)
  /// Transfer over Bluetooth Low Energy.
  case bluetooth(BluetoothOptions)
  /// Transfer over Wi-Fi Aware, which is read and not supported.
  case wifiAware
  /// Another type or version, which a reader skips.
  case unknown(type: UInt64, version: UInt64)

  /// The number of a type.
  public enum Kind {
    /// NFC.
    public static let nfc: UInt64 = 1
    /// Bluetooth Low Energy.
    public static let bluetooth: UInt64 = 2
    /// Wi-Fi Aware.
    public static let wifiAware: UInt64 = 3
  }

  /// The version of every type.
  public static let version: UInt64 = 1

  /// The limits of an mdoc that transfers by NFC.
  public struct NFCOptions: Sendable, Equatable {
    /// The most bytes of a command's data.
    public let maximumCommand: Int
    /// The most bytes of a response's data.
    public let maximumResponse: Int

    /// The allowed limits of a command.
    public static let commands = 255...65_535
    /// The allowed limits of a response.
    public static let responses = 256...65_536

    /// Creates the limits, or returns nil for values outside the standard's ranges.
    public init?(maximumCommand: Int, maximumResponse: Int) {
      guard Self.commands.contains(maximumCommand), Self.responses.contains(maximumResponse) else { return nil }
      self.maximumCommand = maximumCommand
      self.maximumResponse = maximumResponse
    }
  }

  /// The modes of an mdoc that transfers over Bluetooth Low Energy. A mode is offered if it has a UUID.
  public struct BluetoothOptions: Sendable, Equatable {
    /// The service that the mdoc advertises in peripheral server mode.
    public let peripheralServer: BluetoothUUID?
    /// The service that the mdoc looks for in central client mode.
    public let centralClient: BluetoothUUID?
    /// The mdoc's Bluetooth address, in the encoding of the NFC record; 6 bytes, or 7 with the type of the address.
    public var address: [UInt8]?
    /// The number of the mdoc's L2CAP channel.
    public var channel: UInt16?

    /// Creates options, or returns nil without any mode.
    public init?(
      peripheralServer: BluetoothUUID? = nil, centralClient: BluetoothUUID? = nil, address: [UInt8]? = nil,
      channel: UInt16? = nil
    ) {
      guard peripheralServer != nil || centralClient != nil else { return nil }
      self.peripheralServer = peripheralServer
      self.centralClient = centralClient
      self.address = address
      self.channel = channel
    }

    /// The numbers of L2CAP channels on Bluetooth Low Energy (Bluetooth Core, Vol 3 Part A, 4.22).
    public static let channels: ClosedRange<UInt16> = 1...0xff
  }
}

extension RetrievalMethod {
  private enum Key {
    static let maximumCommand = 0
    static let maximumResponse = 1
    static let peripheralServer = 0
    static let centralClient = 1
    static let peripheralServerUUID = 10
    static let centralClientUUID = 11
    static let address = 20
    static let channel = 21
  }

  /// Reads one entry of key 2. An unknown type or version is skipped.
  package init(_ item: CBORItem) throws(CBORError) {
    let entry = try item.array()
    let type = try entry.at(0).unsigned()
    let version = try entry.at(1).unsigned()
    switch (type, version) {
    case (Kind.nfc, Self.version): self = .nfc(try Self.nfcOptions(Self.options(entry)))
    case (Kind.bluetooth, Self.version): self = .bluetooth(try Self.bluetoothOptions(Self.options(entry)))
    case (Kind.wifiAware, Self.version):
      _ = try Self.options(entry)
      self = .wifiAware
    default: self = .unknown(type: type, version: version)
    }
  }

  private static func options(_ entry: CBORArray) throws(CBORError) -> CBORMap {
    guard entry.count == 3 else {
      throw CBORError(.badValue, at: entry.offset, "expected type, version and options, found \(entry.count) items")
    }
    return try entry.at(2).map()
  }

  private static func nfcOptions(_ map: CBORMap) throws(CBORError) -> NFCOptions {
    let command = try map.required(Key.maximumCommand).integer()
    let response = try map.required(Key.maximumResponse).integer()
    guard let options = NFCOptions(maximumCommand: command, maximumResponse: response) else {
      throw CBORError(.badValue, at: map.offset, "the limits \(command) and \(response) are outside their ranges")
    }
    return options
  }

  private static func bluetoothOptions(_ map: CBORMap) throws(CBORError) -> BluetoothOptions {
    let server = try service(map, mode: Key.peripheralServer, uuid: Key.peripheralServerUUID)
    let client = try service(map, mode: Key.centralClient, uuid: Key.centralClientUUID)
    let address = try map[Key.address]?.bytes()
    if let address, address.count != 6, address.count != 7 {
      throw CBORError(.badValue, at: map.offset, "the device address has \(address.count) bytes")
    }
    let number = try map[Key.channel]?.unsigned()
    let channel = number.flatMap(UInt16.init(exactly:))
    if let number, channel.map(BluetoothOptions.channels.contains) != true {
      throw CBORError(.badValue, at: map.offset, "\(number) is not the number of an L2CAP channel")
    }
    guard
      let options = BluetoothOptions(
        peripheralServer: server, centralClient: client, address: address, channel: channel)
    else { throw CBORError(.badValue, at: map.offset, "neither mode is offered") }
    return options
  }

  /// Reads a mode and its UUID, which is present exactly if the mode is offered.
  private static func service(_ map: CBORMap, mode: Int, uuid: Int) throws(CBORError) -> BluetoothUUID? {
    let isOffered = try map.required(mode).boolean()
    guard isOffered == (map[uuid] != nil) else {
      throw CBORError(.badValue, at: map.offset, "key \(uuid) must be present exactly if key \(mode) is true")
    }
    guard isOffered else { return nil }
    let bytes = try map.required(uuid).bytes()
    guard let service = BluetoothUUID(bytes) else {
      throw CBORError(.badValue, at: map.offset, "the UUID of key \(uuid) has \(bytes.count) bytes")
    }
    return service
  }

  /// The type and version, which an engagement has at most once.
  var identity: [UInt64] {
    switch self {
    case .nfc: [Kind.nfc, Self.version]
    case .bluetooth: [Kind.bluetooth, Self.version]
    case .wifiAware: [Kind.wifiAware, Self.version]
    case .unknown(let type, let version): [type, version]
    }
  }

  /// The entry of key 2. A method that is not supported has no options.
  var value: CBORValue {
    let entries: [(Int, CBORValue?)] =
      switch self {
      case .nfc(let options):
        [
          (Key.maximumCommand, .integer(options.maximumCommand)),
          (Key.maximumResponse, .integer(options.maximumResponse)),
        ]
      case .bluetooth(let options):
        [
          (Key.peripheralServer, .boolean(options.peripheralServer != nil)),
          (Key.centralClient, .boolean(options.centralClient != nil)),
          (Key.peripheralServerUUID, options.peripheralServer.map { .bytes($0.bytes) }),
          (Key.centralClientUUID, options.centralClient.map { .bytes($0.bytes) }),
          (Key.address, options.address.map { .bytes($0) }),
          (Key.channel, options.channel.map { .unsigned(UInt64($0)) }),
        ]
      case .wifiAware, .unknown: []
      }
    return .array(identity.map(CBORValue.unsigned) + [.map(present: entries)])
  }
}
