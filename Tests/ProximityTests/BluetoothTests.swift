import CBOR
import Checks
import Primitives
import Proximity
import TestSupport
import TestTraits
import Testing

@Suite("Parts of a message over Bluetooth")
struct MessagePartsTests {
  @Test func joinToTheMessage() throws {
    var draw = SeededGenerator(seed: 1)
    for length in [0, 1, 19, 20, 511, 512, 1022, 5000] {
      for unit in [0, 23, 24, 185, 515, 517, 70_000] {
        let message = draw.bytes(length)
        let parts = MessageParts.split(message, unit: unit)
        #expect(parts.allSatisfy { $0.count <= MessageParts.bytes(unit: unit) && $0.count <= 512 })
        var joining = MessageParts()
        for (number, part) in parts.enumerated() {
          #expect(try joining.append(part) == (number == parts.count - 1 ? message : nil))
        }
        #expect(!joining.isIncomplete)
      }
    }
  }

  @Test func mayBeShorterThanTheUnit() throws {
    var parts = MessageParts()
    for part in [[1, 7], [1], [1, 8, 9]] as [[UInt8]] { #expect(try parts.append(part) == nil) }
    #expect(try parts.append([0]) == [7, 8, 9])
    #expect(try parts.append([0]) == [])
  }

  @Test(arguments: [[], [2, 0xaa], [0xff]] as [[UInt8]])
  func haveAFirstByteOf0Or1(part: [UInt8]) {
    var parts = MessageParts()
    #expect(refusal { _ = try parts.append(part) } == .linkPart)
  }

  @Test func areBounded() throws {
    var parts = MessageParts()
    #expect(refusal { _ = try parts.append([UInt8](repeating: 1, count: 513)) } == .linkSize)
    let part = [UInt8](repeating: 1, count: 512)
    for _ in 0..<ProximityLimits.messageBytes / 512 { #expect(try parts.append(part) == nil) }
    #expect(refusal { _ = try parts.append(part) } == .linkSize)
    // Parts without content count as well.
    var empty = MessageParts(limit: 100)
    for _ in 0..<100 { _ = try empty.append([1]) }
    #expect(refusal { _ = try empty.append([1]) } == .linkSize)
  }

  @Test func ofAChannelHaveALength() throws {
    var frames = ChannelFrames()
    let stream = ChannelFrames.frame([1, 2]) + ChannelFrames.frame([]) + ChannelFrames.frame([3])
    var messages: [[UInt8]] = []
    for byte in stream { messages += try frames.append([byte]) }
    #expect(messages == [[1, 2], [], [3]])
    #expect(try frames.append(stream) == [[1, 2], [], [3]])
    #expect(refusal { _ = try frames.append([0, 0x40, 0, 1]) } == .linkSize)
  }

  @Test(.requiresProximityVectors) func areThoseOfTheIndependentProgram() throws {
    let file = try Known.file("ble.json")
    for entry in try file.list("split") {
      let message = try entry.bytes("message")
      #expect(try MessageParts.split(message, unit: entry.number("attMtu")) == entry.listOfBytes("parts"))
    }
    for entry in try file.list("counts") {
      let message = [UInt8](repeating: 7, count: try entry.number("messageLength"))
      let unit = try entry.number("attMtu")
      let parts = MessageParts.split(message, unit: unit)
      #expect(try MessageParts.bytes(unit: unit) == entry.number("maxValue"))
      #expect(try MessageParts.bytes(unit: unit) - 1 == entry.number("dataPerPart"))
      #expect(try parts.count == entry.number("parts"))
      #expect(try (parts.last?.count ?? 0) - 1 == entry.number("lastPartDataLength"))
    }
    for entry in try file.list("badParts") {
      var parts = MessageParts()
      let bytes = try entry.listOfBytes("parts")
      let code = refusal { for part in bytes { _ = try parts.append(part) } }
      switch try entry.text("why").prefix(5) {
      case "first": #expect(code == .linkPart)
      case "empty" where bytes[0].isEmpty: #expect(code == .linkPart)
      case "no la": #expect(code == nil && parts.isIncomplete)
      default:
        // An empty message is whole, and no CBOR.
        #expect(code == nil && !parts.isIncomplete)
        #expect(refusal { _ = try SessionData([]) } == .sessionCBOR)
      }
    }
    for entry in try file.list("l2cap") {
      #expect(try ChannelFrames.frame(entry.bytes("message")) == entry.bytes("frame"))
    }
    let states = try file.object("state")
    #expect(try [BluetoothState.start.rawValue] == states.bytes("start"))
    #expect(try [BluetoothState.end.rawValue] == states.bytes("end"))
  }
}

@Suite("The Bluetooth service")
struct BluetoothServiceTests {
  @Test func hasDistinctIdentifiersInEachMode() {
    let all = BluetoothMode.allCases.flatMap { mode in mode.characteristics.compactMap { $0.uuid(in: mode) } }
    #expect(all.count == 9 && Set(all).count == 9)
    for mode in BluetoothMode.allCases {
      for characteristic in mode.characteristics {
        #expect(characteristic.uuid(in: mode).flatMap { BluetoothCharacteristic($0, in: mode) } == characteristic)
      }
    }
  }

  @Test func namesItsModesForTheMdoc() throws {
    #expect(BluetoothMode.centralClient.isClient(.mdoc) && !BluetoothMode.centralClient.isClient(.reader))
    #expect(!BluetoothMode.peripheralServer.isClient(.mdoc) && BluetoothMode.peripheralServer.isClient(.reader))
    #expect(BluetoothMode.preferred(try Fixed.bluetooth()) == .centralClient)
    let server = try #require(RetrievalMethod.BluetoothOptions(peripheralServer: try Fixed.uuid(1)))
    #expect(BluetoothMode.preferred(server) == .peripheralServer)
  }

  @Test(.requiresProximityVectors) func hasTheKnownIdentifiers() throws {
    let uuids = try Known.file("ble.json").object("uuids")
    for (member, mode) in [("mdocService", .peripheralServer), ("readerService", .centralClient)]
      as [(String, BluetoothMode)]
    {
      let service = try uuids.object(member)
      for (name, characteristic) in [
        ("state", .state), ("client2Server", .clientToServer), ("server2Client", .serverToClient), ("ident", .ident),
        ("l2cap", .channel),
      ] as [(String, BluetoothCharacteristic)] {
        #expect(characteristic.uuid(in: mode)?.description == service[name]?.text)
      }
    }
    let uuid = try Known.file("ble.json").object("uuidInOob")
    let read = try #require(BluetoothUUID(try uuid.bytes("cborBytes")))
    #expect(try read.description == uuid.text("uuid") && read.reversed == uuid.bytes("oobBytes"))
    #expect(try BluetoothUUID(reversed: uuid.bytes("oobBytes")) == read)
    for entry in try Known.file("ble.json").list("ident") {
      let source = try entry.text("from")
      let bytes: [UInt8]
      if source == "annex-d" {
        bytes = try Known.entry("keys", of: "annex-d.json").bytes("EDeviceKeyBytes")
      } else {
        let transcript = try Known.entry(source, of: "session.json").bytes("SessionTranscriptBytes")
        let engagement = try CBORReader.read(transcript).embedded().array().at(0).embeddedBytes()
        bytes = try DeviceEngagement(engagement, by: .qrCode).deviceKey.bytes
      }
      #expect(try DerivedIdentifier.bluetoothIdent.value(deviceKeyBytes: bytes) == entry.bytes("value"))
    }
  }
}

/// Both ends of a connection, and the air between them.
private struct Air {
  var mdoc: BluetoothLink
  var reader: BluetoothLink
  private(set) var mdocEffects: [BluetoothLink.Effect] = []
  private(set) var readerEffects: [BluetoothLink.Effect] = []
  /// The values on their way.
  var toMdoc: [(BluetoothCharacteristic, [UInt8])] = []
  var toReader: [(BluetoothCharacteristic, [UInt8])] = []
  var unit = 30

  init(_ mode: BluetoothMode, readerKeyBytes: [UInt8]? = nil) throws {
    let key = try Fixed.engagement().deviceKey.bytes
    mdoc = BluetoothLink(mode, of: .mdoc, deviceKeyBytes: key)
    reader = BluetoothLink(mode, of: .reader, deviceKeyBytes: readerKeyBytes ?? key)
  }

  mutating func connect() {
    // The server knows of the connection before the client's first write.
    for party in mdoc.isClient ? [ProximityParty.reader, .mdoc] : [.mdoc, .reader] {
      tell(party, .connected(unit: unit))
    }
  }

  mutating func tell(_ party: ProximityParty, _ event: BluetoothLink.Event) {
    let effects = party == .mdoc ? mdoc.receive(event) : reader.receive(event)
    if party == .mdoc { mdocEffects += effects } else { readerEffects += effects }
    for effect in effects {
      switch effect {
      case .readIdent: tell(party, .identRead(party == .mdoc ? reader.ident : mdoc.ident))
      case .subscribe: tell(party, .subscribed)
      case .transmit(let characteristic, let value):
        if party == .mdoc { toReader.append((characteristic, value)) } else { toMdoc.append((characteristic, value)) }
      case .disconnect: tell(party == .mdoc ? .reader : .mdoc, .disconnected)
      default: break
      }
    }
  }

  mutating func settle() {
    while !toMdoc.isEmpty || !toReader.isEmpty {
      if !toReader.isEmpty {
        let (characteristic, value) = toReader.removeFirst()
        tell(.reader, .received(characteristic, value))
        tell(.mdoc, .transmitted)
      }
      if !toMdoc.isEmpty {
        let (characteristic, value) = toMdoc.removeFirst()
        tell(.mdoc, .received(characteristic, value))
        tell(.reader, .transmitted)
      }
    }
  }

  static func received(_ effects: [BluetoothLink.Effect]) -> [[UInt8]] {
    effects.compactMap { if case .received(let message) = $0 { message } else { nil } }
  }
}

@Suite("A connection over Bluetooth")
struct BluetoothLinkTests {
  @Test(arguments: BluetoothMode.allCases) func carriesMessagesBothWaysAndEnds(mode: BluetoothMode) throws {
    var air = try Air(mode)
    air.connect()
    air.settle()
    #expect(air.mdoc.state == .open && air.reader.state == .open)
    let long = [UInt8](repeating: 5, count: 1000)
    air.tell(.reader, .send(long))
    air.tell(.reader, .send([1]))
    air.settle()
    #expect(Air.received(air.mdocEffects) == [long, [1]])
    air.tell(.mdoc, .send(long))
    // The end waits for the parts before it.
    air.tell(.mdoc, .end)
    air.tell(.mdoc, .send([9]))
    air.settle()
    #expect(Air.received(air.readerEffects) == [long])
    #expect(air.mdoc.state == .finished && air.reader.state == .finished)
    #expect(failures(air.mdocEffects).isEmpty && failures(air.readerEffects).isEmpty)
    #expect(air.mdocEffects.filter { $0 == .closed }.count == 1)
    #expect(air.readerEffects.filter { $0 == .closed }.count == 1)
    #expect(air.mdocEffects.contains(.readIdent) == (mode == .centralClient))
    #expect(air.mdocEffects.contains(.disconnect) || air.readerEffects.contains(.disconnect))
  }

  @Test func isEndedByTheMdocIfTheIdentIsAnother() throws {
    var air = try Air(.centralClient, readerKeyBytes: try Fixed.readerKey().taggedPublicKey)
    air.connect()
    air.settle()
    #expect(failures(air.mdocEffects) == ["proximity.ident"])
    #expect(air.mdoc.state == .finished && !air.mdocEffects.contains(.subscribe))
    #expect(air.reader.state == .waiting && air.readerEffects == [.interrupted])
    // The standard leaves it to the mdoc.
    let key = try Fixed.engagement().deviceKey.bytes
    var other = BluetoothLink(.centralClient, of: .mdoc, deviceKeyBytes: key, checksIdent: false)
    #expect(other.receive(.connected(unit: 23)) == [.subscribe])
  }

  @Test func sendsNothingBeforeItBegan() throws {
    var air = try Air(.peripheralServer)
    air.tell(.mdoc, .connected(unit: 30))
    air.tell(.mdoc, .send([1]))
    #expect(air.mdocEffects.isEmpty)
    air.tell(.mdoc, .received(.clientToServer, [0, 1]))
    #expect(failures(air.mdocEffects) == ["proximity.link/state"] && Air.received(air.mdocEffects).isEmpty)
  }

  @Test func mayBeMadeAgainBeforeItBeganAndNeverLater() throws {
    var air = try Air(.peripheralServer)
    air.tell(.mdoc, .connected(unit: 30))
    air.tell(.mdoc, .disconnected)
    #expect(air.mdocEffects == [.interrupted] && air.mdoc.state == .waiting)
    air.connect()
    air.settle()
    // Another client has no effect.
    #expect(air.mdoc.receive(.connected(unit: 30)).isEmpty)
    air.tell(.mdoc, .disconnected)
    #expect(failures(air.mdocEffects) == ["proximity.link/closed"] && air.mdoc.state == .finished)
    #expect(air.mdoc.receive(.connected(unit: 30)).isEmpty)
  }

  /// Values of a peer, and the failed check.
  @Test(
    arguments: [
      (.state, [3], "proximity.link/state"), (.state, [], "proximity.link/state"),
      (.state, [1], "proximity.link/state"), (.state, [2, 2], "proximity.link/state"),
      (.serverToClient, [0, 1], "proximity.link/characteristic"), (.ident, [0], "proximity.link/characteristic"),
      (.channel, [0], "proximity.link/characteristic"), (.clientToServer, [], "proximity.link/part"),
      (.clientToServer, [2], "proximity.link/part"),
      (.clientToServer, [UInt8](repeating: 0, count: 513), "proximity.link/size"),
    ] as [(BluetoothCharacteristic, [UInt8], String)])
  func isEndedByAWrongValue(characteristic: BluetoothCharacteristic, value: [UInt8], failure: String) throws {
    var air = try Air(.peripheralServer)
    air.connect()
    air.settle()
    air.tell(.mdoc, .received(characteristic, value))
    #expect(failures(air.mdocEffects) == [failure] && air.mdoc.state == .finished)
    #expect(air.mdocEffects.suffix(2) == [.disconnect, .closed])
  }

  @Test func reportsAnEndInsideAMessage() throws {
    var air = try Air(.peripheralServer)
    air.connect()
    air.settle()
    air.tell(.mdoc, .received(.clientToServer, [1, 7]))
    air.tell(.mdoc, .received(.state, [2]))
    #expect(failures(air.mdocEffects) == ["proximity.link/part"] && Air.received(air.mdocEffects).isEmpty)
  }

  @Test func boundsWhatWaitsAndTheUnit() throws {
    var air = try Air(.peripheralServer)
    #expect(air.reader.receive(.connected(unit: 22)).contains(.disconnect))
    air = try Air(.peripheralServer)
    air.connect()
    air.settle()
    let large = [UInt8](repeating: 0, count: ProximityLimits.queuedBytes / 2)
    air.tell(.mdoc, .send(large))
    air.tell(.mdoc, .send(large))
    #expect(failures(air.mdocEffects) == ["proximity.link/size"])
  }

  /// Drawn events at both ends, with lost, repeated and changed values.
  @Test(arguments: 0..<200 as Range<UInt64>) func deliversWholeMessagesInOrder(seed: UInt64) throws {
    var draw = SeededGenerator(seed: seed)
    let mode = BluetoothMode.allCases[Int(seed % 2)]
    let isEvil = seed % 4 == 3
    var air = try Air(mode)
    air.unit = 23 + draw.below(20)
    var sent: [ProximityParty: [[UInt8]]] = [.mdoc: [], .reader: []]
    for _ in 0..<80 {
      let party: ProximityParty = draw.chance(50) ? .mdoc : .reader
      switch draw.below(isEvil ? 12 : 9) {
      case 0, 1: air.connect()
      case 2, 3:
        let isOpen = (party == .mdoc ? air.mdoc : air.reader).state == .open
        let message = draw.bytes(draw.below(90))
        air.tell(party, .send(message))
        if isOpen { sent[party]?.append(message) }
      case 4, 5, 6:
        if party == .mdoc, !air.toMdoc.isEmpty {
          let (characteristic, value) = air.toMdoc.removeFirst()
          air.tell(.mdoc, .received(characteristic, value))
          air.tell(.reader, .transmitted)
        } else if party == .reader, !air.toReader.isEmpty {
          let (characteristic, value) = air.toReader.removeFirst()
          air.tell(.reader, .received(characteristic, value))
          air.tell(.mdoc, .transmitted)
        }
      case 7: if draw.chance(20) { air.tell(party, .end) }
      case 8: if draw.chance(10) { air.tell(party, .disconnected) }
      case 9: air.tell(party, .received(BluetoothCharacteristic.allCases[draw.below(5)], draw.bytes(draw.below(5))))
      case 10: air.tell(party, .identRead(draw.bytes(16)))
      default: air.tell(party, draw.chance(50) ? .subscribed : .transmitted)
      }
      for (effects, peer) in [(air.mdocEffects, ProximityParty.reader), (air.readerEffects, .mdoc)] {
        let messages = Air.received(effects)
        if !isEvil { #expect(messages == Array((sent[peer] ?? []).prefix(messages.count))) }
        #expect(effects.filter { $0 == .closed }.count <= 1)
      }
    }
  }
}
