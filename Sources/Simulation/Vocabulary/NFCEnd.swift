import Messaging
import Proximity

/// A party's end of transfer by NFC for a session in person.
package struct NFCEnd: Sendable {
  private let station: Station
  // The machine of the mdoc or that of the reader, which change in place.
  private var tag: TransferTag?
  private var reader: TransferReader?

  /// The limits of phones: short commands, which every reader can send.
  package static let ofDevices = RetrievalMethod.NFCOptions(maximumCommand: 255, maximumResponse: 256)
  /// The limits of terminals.
  private static let ofTerminals = RetrievalMethod.NFCOptions(maximumCommand: 65_535, maximumResponse: 65_536)

  /// Creates the mdoc's end.
  package init(tag limits: RetrievalMethod.NFCOptions, station: Station) {
    tag = TransferTag(limits)
    self.station = station
  }

  /// Creates the reader's end.
  /// - Parameter limits: The limits of the mdoc.
  package init(reader limits: RetrievalMethod.NFCOptions, station: Station) {
    reader = TransferReader(limits, own: Self.ofTerminals ?? limits)
    self.station = station
  }

  /// Begins the transfer, which the reader does.
  package mutating func begin() -> [InPersonEnd.Event] { tell(.discovered, .lost) }

  /// Sends a whole message.
  package mutating func send(_ message: [UInt8]) -> [InPersonEnd.Event] { tell(.send(message), .send(message)) }

  /// Ends the transfer.
  package mutating func end() -> [InPersonEnd.Event] { tell(.end, .end) }

  /// Takes a message of the field.
  package mutating func receive(_ message: Message) -> [InPersonEnd.Event] {
    switch message.kind {
    case .command where tag != nil: return tell(nil, .command(message.bytes), by: message)
    case .commandResponse where reader != nil: return tell(.response(message.bytes), nil, by: message)
    case .fieldLeft: return tell(.lost, .lost, by: message)
    default:
      station.ignore(message)
      return []
    }
  }

  private mutating func tell(
    _ event: TransferReader.Event?, _ tagEvent: TransferTag.Event?, by message: Message? = nil
  ) -> [InPersonEnd.Event] {
    let kind: MessageKind = reader == nil ? .commandResponse : .command
    var effects: [TransferEffect] = []
    if let event { effects += reader?.receive(event) ?? [] }
    if let tagEvent { effects += tag?.receive(tagEvent) ?? [] }
    return effects.compactMap { effect in
      switch effect {
      case .send(let bytes):
        station.send(kind, bytes: bytes, as: MediaType.sealedAPDU, to: WorldDescription.nearField)
        return nil
      case .record(let results):
        station.record(results)
        return nil
      case .opened: return .opened
      case .received(let bytes): return message.map { .received(bytes, in: $0) }
      case .closed: return .closed
      }
    }
  }
}

/// A party's end of the carrier of a session in person.
package struct InPersonEnd: Sendable {
  // One of both. A case of an enum could not change in place, and each part of a message would copy those before it.
  private var bluetooth: BluetoothEnd?
  private var nfc: NFCEnd?

  package typealias Event = BluetoothEnd.Event

  /// Creates an end of Bluetooth Low Energy.
  package init(_ bluetooth: BluetoothEnd) { self.bluetooth = bluetooth }

  /// Creates an end of NFC.
  package init(_ nfc: NFCEnd) { self.nfc = nfc }

  /// True for transfer by NFC.
  package var isNFC: Bool { nfc != nil }

  /// Sends a whole message.
  package mutating func send(_ message: [UInt8]) -> [Event] { bluetooth?.send(message) ?? nfc?.send(message) ?? [] }

  /// Ends the transfer after the messages before.
  package mutating func end() -> [Event] { bluetooth?.end() ?? nfc?.end() ?? [] }

  /// Takes a message of the carrier.
  package mutating func receive(_ message: Message) -> [Event] {
    bluetooth?.receive(message) ?? nfc?.receive(message) ?? []
  }
}
