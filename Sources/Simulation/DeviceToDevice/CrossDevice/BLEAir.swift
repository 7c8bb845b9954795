import HybridTransport
import Messaging
import Proximity
import SimulationKernel
import Synchronization
import Vocabulary

/// Bluetooth Low Energy between the devices of a world: a device hears the adverts of devices in range.
///
/// ```
/// authenticator --advertise--> Bluetooth --advert--> client platforms that scan in range
/// Bluetooth --link lost--> nearby                                  the device at the other end was switched off
/// mdoc, or terminal --connect--> Bluetooth --connected--> both     the one that advertised is in range
/// mdoc --attribute--> Bluetooth --attribute--> terminal            and the other way, as long as they are in range
/// ```
///
/// A phone repeats its advert until it stops. A device that scans hears each advert once, since a scanner ignores repetitions;
/// with loss it hears it later, or not at all.
package actor BLEAir: StationedActor {
  private struct Broadcast {
    let sender: Party
    let bytes: [UInt8]
    /// The deliveries so far.
    var count = 0
    /// The scanners that have heard it.
    var listeners: [Party] = []
  }

  /// A connection between the ends of a session in person.
  private struct Connection {
    let central: Party
    let peripheral: Party

    func peer(of end: Party) -> Party? {
      switch end {
      case central: peripheral
      case peripheral: central
      default: nil
      }
    }
  }

  package nonisolated let station: Station
  private let bluetooth: WorldDescription.Bluetooth
  /// The present surroundings.
  package private(set) var surroundings: Surroundings
  private var broadcasts: [Broadcast] = []
  private var scanners: [Party] = []
  /// The ends of the links in the model of a nearby iPhone: one has heard the other's advert.
  private var links: [(Party, Party)] = []
  private var connections: [Connection] = []
  /// The parts of the answer that the air has carried in this connection.
  private var answerParts = 0
  /// A part that an attacker holds back.
  private var heldPart: [UInt8]?
  /// The parts of a terminal's messages in this connection and in the one before it, as an attacker records them.
  private var terminalParts: (before: [[UInt8]], now: [[UInt8]]) = ([], [])
  /// The client platforms of the world, which an attacker reaches also while they do not scan.
  private let listeners: [Party]
  private var chance: EntropyStream
  private var strangers: EntropyStream
  private var isRepeating = false

  /// The time between two repetitions: the interval of an advertising phone in the foreground.
  private static let interval = Duration.milliseconds(100)
  /// The deliveries after which a lost advert is not tried again: a minute of repetitions, in which even a loss of 90 percent
  /// does not lose all.
  private static let maximumRepetitions = 600

  /// The party.
  package static let party = WorldDescription.Bluetooth.party

  package init(
    _ bluetooth: WorldDescription.Bluetooth, places: [(name: String, place: String)], listeners: [Party],
    station: Station
  ) {
    self.station = station
    self.bluetooth = bluetooth
    surroundings = Surroundings(places: Dictionary(places.map { ($0.name, $0.place) }) { first, _ in first })
    self.listeners = listeners
    chance = station.stream("loss")
    strangers = station.stream("strangers")
  }

  package func receive(_ message: Message) {
    switch message.kind {
    case .advertise:
      surroundings.recorded = surroundings.recorded.suffix(HybridLimits.rememberedAdverts - 1) + [message.bytes]
      broadcasts.append(Broadcast(sender: message.sender, bytes: message.bytes))
    case .stopAdvertising: broadcasts.removeAll { $0.sender == message.sender }
    case .scanAdverts:
      guard !scanners.contains(message.sender) else { return }
      scanners.append(message.sender)
      for _ in 0..<(surroundings.isJammed ? 0 : bluetooth.strangers) {
        let advert = AdvertisingData.make(serviceData: strangers.bytes(Advert.length))
        station.send(.advert, bytes: advert, as: MediaType.advertisingData, to: message.sender)
      }
      if surroundings.isReplayed { replay(to: [message.sender]) }
    case .stopScanning: scanners.removeAll { $0 == message.sender }
    case .connect: return connect(message)
    case .readAttribute, .attribute: return passOn(message)
    case .disconnect: return disconnect(message.sender)
    default: return station.ignore(message)
    }
    deliver()
  }

  /// The name of the place of a device.
  package func place(of device: String) -> String { surroundings.places[device] ?? WorldDescription.Bluetooth.here }

  /// Carries a device to another place.
  package func carry(_ device: String, to place: String) {
    surroundings.places[device] = place
    for connection in connections where !isInRange(connection.central.name, connection.peripheral.name) {
      drop(connection)
    }
    deliver()
  }

  /// The places of devices and the attacks, which outlive the parts of a world that are started again.
  package struct Surroundings: Sendable {
    /// The name of the place of each device.
    fileprivate var places: [String: String]
    fileprivate var relays: [(WorldDescription.Bluetooth.Place, WorldDescription.Bluetooth.Place)] = []
    /// True while an attacker jams the adverts.
    fileprivate var isJammed = false
    /// True while an attacker sends every advert that it recorded to each device that scans.
    fileprivate var isReplayed = false
    /// The attack on the parts of sessions' messages in person; nil without one.
    fileprivate var partAttack: PartAttack?
    /// The latest adverts of the world, as an attacker records them.
    fileprivate var recorded: [[UInt8]] = []
  }

  /// Continues in surroundings of an earlier start of the world.
  package func `continue`(in surroundings: Surroundings) { self.surroundings = surroundings }

  private func link(_ first: Party, _ second: Party) {
    guard first.role == .nearby, second.role == .nearby else { return }
    guard !links.contains(where: { $0 == (first, second) || $0 == (second, first) }) else { return }
    links.append((first, second))
  }

  /// Ends the advert, the scan and the links of a device that is switched off.
  package func switchOff(_ device: String) {
    for (first, second) in links where first.name == device || second.name == device {
      station.send(.linkLost, LostLinkBody(device: device), to: first.name == device ? second : first)
    }
    links.removeAll { $0.0.name == device || $0.1.name == device }
    for connection in connections where [connection.central.name, connection.peripheral.name].contains(device) {
      drop(connection)
    }
    broadcasts.removeAll { $0.sender.name == device }
    scanners.removeAll { $0.name == device }
  }

  /// Connects the sender with the party in range whose advert it names.
  private func connect(_ message: Message) {
    let central = message.sender
    guard
      let peripheral = broadcasts.first(where: {
        $0.bytes == message.bytes && $0.sender != central && isInRange($0.sender.name, central.name)
      })?.sender, !connections.contains(where: { $0.peer(of: central) != nil || $0.peer(of: peripheral) != nil })
    else { return station.send(.disconnect, [String](), to: central) }
    connections.append(Connection(central: central, peripheral: peripheral))
    (answerParts, heldPart) = (0, nil)
    terminalParts = (terminalParts.now.isEmpty ? terminalParts.before : terminalParts.now, [])
    for end in [central, peripheral] { station.send(.connected, [String](), to: end) }
  }

  /// Passes an attribute on. Its sender notices the end of a connection by itself.
  private func passOn(_ message: Message) {
    guard let peer = connections.lazy.compactMap({ $0.peer(of: message.sender) }).first else { return }
    for bytes in attacked(message, to: peer) {
      station.send(message.kind, bytes: bytes, as: message.mediaType, to: peer)
    }
  }

  /// The most bytes of an attribute without a part of a request or an answer.
  private static let longestSign = 64

  /// Returns the attributes that arrive in place of one, with the attack that acts.
  private func attacked(_ message: Message, to peer: Party) -> [[UInt8]] {
    let bytes = message.bytes
    guard message.kind == .attribute, bytes.count > Self.longestSign else { return [bytes] }
    guard peer.role == .terminal else {
      let number = terminalParts.now.count
      terminalParts.now.append(bytes)
      let attack = surroundings.partAttack
      if attack == .endlessRequest, number == 0, Self.isWholePart(bytes) { return Self.endless(bytes) }
      let isReplaced = attack == .replaysSession && number < terminalParts.before.count
      return [isReplaced ? terminalParts.before[number] : bytes]
    }
    answerParts += 1
    switch (surroundings.partAttack, answerParts) {
    case (.losesPart, 1): return []
    case (.repeatsPart, 1): return [bytes, bytes]
    case (.endlessAnswer, 1) where Self.isWholePart(bytes): return Self.endless(bytes)
    case (.breaksConnection, 2):
      disconnect(message.sender)
      return []
    case (.reordersParts, 2):
      heldPart = bytes
      return []
    case (.reordersParts, 3):
      defer { heldPart = nil }
      return [bytes] + (heldPart.map { [$0] } ?? [])
    default: return [bytes]
    }
  }

  /// True for a part as long as an attribute can be, which others follow.
  private static func isWholePart(_ bytes: [UInt8]) -> Bool {
    bytes.count == BluetoothUUID.length + MessageParts.mostBytes
  }

  /// A part so often that the message is larger than the limit.
  private static func endless(_ part: [UInt8]) -> [[UInt8]] {
    [[UInt8]](repeating: part, count: ProximityLimits.messageBytes / MessageParts.mostBytes + 1)
  }

  private func disconnect(_ end: Party) {
    guard let connection = connections.first(where: { $0.peer(of: end) != nil }) else { return }
    drop(connection)
  }

  private func drop(_ connection: Connection) {
    connections.removeAll { $0.central == connection.central }
    for end in [connection.central, connection.peripheral] { station.send(.disconnect, [String](), to: end) }
  }

  /// Lets an attacker begin or end something.
  package func perform(_ attack: AirAttack, begins: Bool) {
    switch attack {
    case .relay(let first, let second): surroundings.relays = begins ? [(bluetooth[first], bluetooth[second])] : []
    case .jam: surroundings.isJammed = begins
    case .parts(let attack): surroundings.partAttack = begins ? attack : nil
    case .field: break
    case .replay:
      surroundings.isReplayed = begins
      if begins { replay(to: listeners) }
    }
    deliver()
  }

  /// True if an attacker has recorded an advert.
  package var hasRecorded: Bool { !surroundings.recorded.isEmpty }

  /// True if an attacker has recorded the messages of a terminal.
  package var hasRecordedSession: Bool { !terminalParts.now.isEmpty }

  private func replay(to scanners: [Party]) {
    for scanner in scanners {
      for bytes in surroundings.recorded {
        station.send(.advert, bytes: bytes, as: MediaType.advertisingData, to: scanner)
      }
    }
  }

  private func deliver() {
    guard !surroundings.isJammed else { return }
    var isWaiting = false
    for index in broadcasts.indices {
      broadcasts[index].count += 1
      for scanner in scanners where !broadcasts[index].listeners.contains(scanner) {
        // A radio does not hear its own adverts.
        guard broadcasts[index].sender.name != scanner.name, isInRange(broadcasts[index].sender.name, scanner.name)
        else { continue }
        guard chance.below(100) >= bluetooth.loss else {
          isWaiting = isWaiting || broadcasts[index].count < Self.maximumRepetitions
          continue
        }
        broadcasts[index].listeners.append(scanner)
        link(broadcasts[index].sender, scanner)
        station.send(.advert, bytes: broadcasts[index].bytes, as: MediaType.advertisingData, to: scanner)
      }
    }
    guard isWaiting, !isRepeating else { return }
    isRepeating = true
    after(Self.interval, keepsAwake: true) { $0.repeatAdverts() }
  }

  private func repeatAdverts() {
    isRepeating = false
    deliver()
  }

  private func isInRange(_ first: String, _ second: String) -> Bool {
    let (first, second) = (position(of: first), position(of: second))
    let range = bluetooth.range
    return first.isWithin(range, of: second)
      || surroundings.relays.contains { one, other in
        first.isWithin(range, of: one) && second.isWithin(range, of: other)
          || first.isWithin(range, of: other) && second.isWithin(range, of: one)
      }
  }

  private func position(of device: String) -> WorldDescription.Bluetooth.Place { bluetooth[place(of: device)] }
}

/// The attacks of someone with a radio.
package enum AirAttack: Sendable, Equatable {
  /// Adverts of either place are repeated in the other one.
  case relay(between: String, and: String)
  /// No device hears an advert.
  case jam
  /// Parts of the messages of a session in person are changed.
  case parts(PartAttack)
  /// A device leaves the field of near-field communication in the middle of an answer.
  case field
  /// Every advert so far is sent again: to all client platforms, and to those that begin to scan.
  case replay
}

/// The attacks on the parts of a session's messages in person.
package enum PartAttack: Sendable, Equatable {
  /// The first part of an answer is lost.
  case losesPart
  /// The first part of an answer arrives twice.
  case repeatsPart
  /// The second part of an answer arrives after the third.
  case reordersParts
  /// The terminal's messages are those of the session before.
  case replaysSession
  /// The first part of an answer arrives again and again.
  case endlessAnswer
  /// The first part of a request arrives again and again.
  case endlessRequest
  /// The connection ends after the first part of an answer.
  case breaksConnection
}
