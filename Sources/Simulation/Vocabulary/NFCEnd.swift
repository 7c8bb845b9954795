import Messaging
import Proximity

/// A party's end of transfer by NFC for a session in person.
package struct NFCEnd: Sendable {
  private enum Machine {
    case tag(TransferTag)
    case reader(TransferReader)
  }

  private let station: Station
  private var machine: Machine

  /// The limits of phones: short commands, which every reader can send.
  package static let ofDevices = RetrievalMethod.NFCOptions(maximumCommand: 255, maximumResponse: 256)
  /// The limits of terminals.
  private static let ofTerminals = RetrievalMethod.NFCOptions(maximumCommand: 65_535, maximumResponse: 65_536)

  /// Makes the mdoc's end.
  package init(tag limits: RetrievalMethod.NFCOptions, station: Station) {
    machine = .tag(TransferTag(limits))
    self.station = station
  }

  /// Makes the reader's end.
  /// - Parameter limits: The limits of the mdoc.
  package init(reader limits: RetrievalMethod.NFCOptions, station: Station) {
    machine = .reader(TransferReader(limits, own: Self.ofTerminals ?? limits))
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
    switch (message.kind, machine) {
    case (.command, .tag): return tell(nil, .command(message.bytes), by: message)
    case (.commandResponse, .reader): return tell(.response(message.bytes), nil, by: message)
    case (.fieldLeft, _): return tell(.lost, .lost, by: message)
    default:
      station.ignore(message)
      return []
    }
  }

  private mutating func tell(
    _ event: TransferReader.Event?, _ tagEvent: TransferTag.Event?, by message: Message? = nil
  ) -> [InPersonEnd.Event] {
    let effects: [TransferEffect]
    let kind: MessageKind
    switch machine {
    case .reader(var reader):
      (effects, kind) = (event.map { reader.receive($0) } ?? [], .command)
      machine = .reader(reader)
    case .tag(var tag):
      (effects, kind) = (tagEvent.map { tag.receive($0) } ?? [], .commandResponse)
      machine = .tag(tag)
    }
    return effects.compactMap { effect in
      switch effect {
      case .send(let bytes):
        station.send(kind, bytes: bytes, as: MediaType.sealedAPDU, to: WorldDescription.nearField)
        return nil
      case .record(let results):
        for result in results { station.record(result) }
        return nil
      case .opened: return .opened
      case .received(let bytes): return message.map { .received(bytes, in: $0) }
      case .closed: return .closed
      }
    }
  }
}

/// A party's end of the carrier of a session in person.
package enum InPersonEnd: Sendable {
  /// Bluetooth Low Energy.
  case bluetooth(BluetoothEnd)
  /// NFC.
  case nfc(NFCEnd)

  package typealias Event = BluetoothEnd.Event

  /// True for transfer by NFC.
  package var isNFC: Bool { if case .nfc = self { true } else { false } }

  /// Sends a whole message.
  package mutating func send(_ message: [UInt8]) -> [Event] {
    change({ $0.send(message) }, { $0.send(message) })
  }

  /// Ends the transfer after the messages before.
  package mutating func end() -> [Event] { change({ $0.end() }, { $0.end() }) }

  /// Takes a message of the carrier.
  package mutating func receive(_ message: Message) -> [Event] {
    change({ $0.receive(message) }, { $0.receive(message) })
  }

  private mutating func change(
    _ bluetooth: (inout BluetoothEnd) -> [Event], _ nfc: (inout NFCEnd) -> [Event]
  ) -> [Event] {
    switch self {
    case .bluetooth(var end):
      let events = bluetooth(&end)
      self = .bluetooth(end)
      return events
    case .nfc(var end):
      let events = nfc(&end)
      self = .nfc(end)
      return events
    }
  }
}
