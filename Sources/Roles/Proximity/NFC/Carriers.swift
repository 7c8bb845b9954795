/// The carrier configuration of Bluetooth Low Energy: advertising data in an NDEF record (ISO/IEC 18013-5, 8.2.2.1;
/// Bluetooth Core Specification Supplement, part A).
public struct BluetoothCarrier: Sendable, Equatable {
  /// The role that the sender of the record takes.
  public enum Role: UInt8, Sendable, CaseIterable {
    /// Peripheral only.
    case peripheral
    /// Central only.
    case central
    /// Both, rather peripheral.
    case bothPreferringPeripheral
    /// Both, rather central.
    case bothPreferringCentral

    /// Returns the modes that the role allows. The byte is the sender's role, the mode is named for the mdoc.
    /// - Parameter sender: The end that sent the record.
    public func modes(of sender: ProximityParty) -> [BluetoothMode] {
      let central: BluetoothMode = sender == .mdoc ? .centralClient : .peripheralServer
      let peripheral: BluetoothMode = sender == .mdoc ? .peripheralServer : .centralClient
      switch self {
      case .peripheral: return [peripheral]
      case .central: return [central]
      case .bothPreferringPeripheral: return [peripheral, central]
      case .bothPreferringCentral: return [central, peripheral]
      }
    }
  }

  private enum Kind {
    static let uuid: UInt8 = 0x07
    static let address: UInt8 = 0x1b
    static let role: UInt8 = 0x1c
  }

  /// The role of the sender.
  public let role: Role
  /// The service, if this record has it: static handover has it in the select message, negotiated handover in the message
  /// of the end that advertises.
  public let uuid: BluetoothUUID?
  /// The device address: six bytes, the lowest first, and mostly the type of the address.
  public let address: [UInt8]?

  /// Creates a configuration.
  public init(_ role: Role, uuid: BluetoothUUID? = nil, address: [UInt8]? = nil) {
    self.role = role
    self.uuid = uuid
    self.address = address
  }

  /// The type of the record.
  public static let type = "application/vnd.bluetooth.le.oob"

  /// The payload of the record.
  public var payload: [UInt8] {
    func structure(_ kind: UInt8, _ value: [UInt8]) -> [UInt8] { [UInt8(value.count + 1), kind] + value }
    return structure(Kind.role, [role.rawValue]) + (uuid.map { structure(Kind.uuid, $0.reversed) } ?? [])
      + (address.map { structure(Kind.address, $0) } ?? [])
  }

  /// Reads the payload of a record. Other structures are skipped.
  /// - Throws: ``ProximityError`` with `carrier`.
  public init(_ payload: [UInt8]) throws(ProximityError) {
    var cursor = ByteCursor(payload, .carrier, "the carrier configuration")
    var found: [UInt8: [UInt8]] = [:]
    while cursor.remaining > 0 {
      let length = try cursor.number(1)
      // A length of zero ends the data early.
      guard length > 0 else { break }
      let kind = try cursor.byte()
      let value = try cursor.take(length - 1)
      guard [Kind.uuid, Kind.address, Kind.role].contains(kind) else { continue }
      guard found.updateValue(value, forKey: kind) == nil else {
        throw ProximityError(.carrier, "the carrier configuration has a structure twice", evidence: "type \(kind)")
      }
    }
    guard let value = found[Kind.role], value.count == 1, let role = Role(rawValue: value[0]) else {
      throw ProximityError(.carrier, "the carrier configuration names no role")
    }
    self.role = role
    // A list of several UUIDs has no order that tells their purpose apart.
    uuid = found[Kind.uuid].flatMap(BluetoothUUID.init(reversed:))
    guard uuid != nil || found[Kind.uuid] == nil else {
      throw ProximityError(.carrier, "the carrier configuration does not have one UUID of 16 bytes")
    }
    address = found[Kind.address]
    guard address.map({ (6...7).contains($0.count) }) ?? true else {
      throw ProximityError(.carrier, "the device address has neither 6 nor 7 bytes")
    }
  }
}

/// The carrier configuration of transfer by NFC (ISO/IEC 18013-5 second edition draft, 9.2.2).
public struct NFCCarrier: Sendable, Equatable {
  private static let version: UInt8 = 1
  private static let command: UInt8 = 1
  private static let response: UInt8 = 2

  /// The limits; nil in the short form of a reader.
  public let options: RetrievalMethod.NFCOptions?

  /// Creates a configuration.
  public init(_ options: RetrievalMethod.NFCOptions?) { self.options = options }

  /// The type of the record.
  public static let type = "iso.org:18013:nfc"

  /// The payload of the record.
  public var payload: [UInt8] {
    guard let options else { return [Self.version] }
    // The range of responses ends at 65,536, which takes three bytes.
    return [Self.version, 3, Self.command] + NDEFMessage.bigEndian(options.maximumCommand, bytes: 2)
      + [4, Self.response] + NDEFMessage.bigEndian(options.maximumResponse, bytes: 3)
  }

  /// Reads the payload of a record. Readers in use send several forms, so of theirs only the version counts.
  /// - Throws: ``ProximityError`` with `carrier`.
  public init(_ payload: [UInt8], from sender: ProximityParty) throws(ProximityError) {
    var cursor = ByteCursor(payload, .carrier, "the carrier configuration of NFC")
    guard try cursor.byte() == Self.version else {
      throw ProximityError(.carrier, "the version of the carrier configuration is not supported")
    }
    do throws(ProximityError) {
      options = try Self.limits(&cursor)
    } catch {
      guard sender == .reader else { throw error }
      options = nil
    }
  }

  private static func limits(_ cursor: inout ByteCursor) throws(ProximityError) -> RetrievalMethod.NFCOptions {
    let command = try field(self.command, &cursor)
    let response = try field(self.response, &cursor)
    try cursor.requireEnd()
    guard let options = RetrievalMethod.NFCOptions(maximumCommand: command, maximumResponse: response) else {
      throw ProximityError(.carrier, "a limit is outside its range", evidence: "\(command), \(response)")
    }
    return options
  }

  private static func field(_ kind: UInt8, _ cursor: inout ByteCursor) throws(ProximityError) -> Int {
    let length = try cursor.number(1)
    guard (2...4).contains(length), try cursor.byte() == kind else {
      throw ProximityError(.carrier, "a field of the carrier configuration is malformed")
    }
    return try cursor.number(length - 1)
  }
}
