import Messaging
import Proximity
import SimulationKernel

/// A party's end of a connection over Bluetooth for a session in person: it finds the other end, and carries whole messages.
///
/// The client of the attribute protocol scans and connects, the server advertises.
package struct BluetoothEnd: Sendable {
  /// The news for the session.
  package enum Event: Sendable {
    /// The transfer began.
    case opened
    /// A whole message arrived, the last part of it in a message of the journal.
    case received([UInt8], in: Message)
    /// The transfer ended.
    case closed
  }

  private let station: Station
  private let air = WorldDescription.Bluetooth.party
  private let service: BluetoothUUID
  private var link: BluetoothLink
  /// True while it scans or advertises.
  private var isSearching = false

  /// The largest unit that phones negotiate, in bytes.
  private static let unit = 515

  /// Creates an end.
  /// - Parameter service: The UUID of the service, from the engagement.
  package init(_ link: BluetoothLink, service: BluetoothUUID, station: Station) {
    self.link = link
    self.service = service
    self.station = station
  }

  /// Begins to look for the other end, or to make itself known to it.
  package mutating func begin() {
    isSearching = true
    if link.isClient {
      station.send(.scanAdverts, [String](), to: air)
    } else {
      station.send(.advertise, bytes: ServiceAdvert.data(service), as: MediaType.advertisingData, to: air)
    }
  }

  private mutating func stopSearching() {
    guard isSearching else { return }
    isSearching = false
    station.send(link.isClient ? .stopScanning : .stopAdvertising, [String](), to: air)
  }

  /// Sends a whole message.
  package mutating func send(_ message: [UInt8]) -> [Event] { tell(.send(message)) }

  /// Ends the transfer after the messages before.
  package mutating func end() -> [Event] { tell(.end) }

  /// Takes a message of the air.
  package mutating func receive(_ message: Message) -> [Event] {
    switch message.kind {
    case .advert:
      guard isSearching, link.isClient, ServiceAdvert.isOf(service, message.bytes) else { return [] }
      stopSearching()
      station.send(.connect, bytes: message.bytes, as: message.mediaType, to: air)
      return []
    case .connected:
      stopSearching()
      return tell(.connected(unit: Self.unit), by: message)
    case .readAttribute:
      guard !link.isClient, BluetoothAttribute(message.bytes, in: link.mode)?.characteristic == .ident else {
        station.ignore(message)
        return []
      }
      send(BluetoothAttribute(.ident, link.ident), as: .attribute)
      return []
    case .attribute:
      guard let attribute = BluetoothAttribute(message.bytes, in: link.mode) else {
        station.ignore(message)
        return []
      }
      return tell(
        attribute.characteristic == .ident
          ? .identRead(attribute.value) : .received(attribute.characteristic, attribute.value), by: message)
    case .disconnect: return tell(.disconnected, by: message)
    default:
      station.ignore(message)
      return []
    }
  }

  private func send(_ attribute: BluetoothAttribute, as kind: MessageKind) {
    station.send(kind, bytes: attribute.encoded(in: link.mode), as: MediaType.attribute, to: air)
  }

  private mutating func tell(_ event: BluetoothLink.Event, by message: Message? = nil) -> [Event] {
    var news: [Event] = []
    var events = [event]
    while !events.isEmpty {
      for effect in link.receive(events.removeFirst()) {
        switch effect {
        case .record(let results): station.record(results)
        case .readIdent: send(BluetoothAttribute(.ident, []), as: .readAttribute)
        case .subscribe: events.append(.subscribed)
        case .transmit(let characteristic, let value):
          send(BluetoothAttribute(characteristic, value), as: .attribute)
          events.append(.transmitted)
        case .opened: news.append(.opened)
        case .received(let bytes): if let message { news.append(.received(bytes, in: message)) }
        case .disconnect: station.send(.disconnect, [String](), to: air)
        case .interrupted: begin()
        case .closed:
          stopSearching()
          news.append(.closed)
        }
      }
    }
    return news
  }
}

extension EntropyStream {
  /// A random UUID of a service (RFC 9562, 5.4).
  package mutating func bluetoothService() throws -> BluetoothUUID {
    var bytes = bytes(BluetoothUUID.length)
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    guard let uuid = BluetoothUUID(bytes) else { throw SimulationError.notApplicable("the UUID has another length") }
    return uuid
  }
}
