import Checks
import Crypto
import DocumentFixtures
import MobileDocument
import Proximity
import TestSupport
import Testing

/// A presentment from the engagement to the end, through the machines of both parties and a transport.
@Suite("A presentment in person")
struct WholeTests {
  /// The transports of a session.
  enum Transport: String, Sendable, CaseIterable {
    case bluetoothCentralClient, bluetoothPeripheralServer, nfc
  }

  /// The sessions of both ends, and what their transport has to carry.
  private struct Parties {
    var device: DeviceSession
    var reader: ReaderSession
    /// The mdoc's answer to a request.
    let answer: ([UInt8], DeviceSession) throws -> [UInt8]
    let isLast: Bool
    var requests: [[UInt8]] = []
    var responses: [[UInt8]] = []
    var outcomes: [ProximityParty: SessionOutcome] = [:]
    var failures: [String] = []
    /// The messages of each end, and its wish to close.
    var outbox: [(ProximityParty, SessionEffect)] = []

    mutating func tell(_ party: ProximityParty, _ event: SessionEvent) throws {
      var events = [(party, event)]
      while !events.isEmpty {
        let (party, event) = events.removeFirst()
        let effects = party == .mdoc ? device.receive(event) : reader.receive(event)
        for effect in effects {
          switch effect {
          case .send, .close: outbox.append((party, effect))
          case .deliver(let plaintext) where party == .mdoc:
            requests.append(plaintext)
            events.append((.mdoc, .send(try answer(plaintext, device), isLast: isLast)))
          case .deliver(let plaintext):
            responses.append(plaintext)
            events.append((.reader, .terminate))
          case .finish(let outcome): outcomes[party] = outcome
          case .record(let results): failures += results.filter { $0.status == .failed }.map(\.name)
          case .withdraw, .setTimer: break
          }
        }
      }
    }
  }

  private static func run(_ parties: inout Parties, request: [UInt8], over mode: BluetoothMode) throws {
    let key = parties.device.opening.engagement.deviceKey.bytes
    var links = [
      ProximityParty.mdoc: BluetoothLink(mode, of: .mdoc, deviceKeyBytes: key),
      .reader: BluetoothLink(mode, of: .reader, deviceKeyBytes: key),
    ]
    let ident = try #require(links[.reader]).ident
    let server: ProximityParty = mode.isClient(.mdoc) ? .reader : .mdoc
    let client: ProximityParty = server == .mdoc ? .reader : .mdoc
    var events: [(ProximityParty, BluetoothLink.Event)] = [
      (server, .connected(unit: 60)), (client, .connected(unit: 60)),
    ]
    while !events.isEmpty {
      let (party, event) = events.removeFirst()
      let other: ProximityParty = party == .mdoc ? .reader : .mdoc
      for effect in links[party]?.receive(event) ?? [] {
        switch effect {
        case .readIdent: events.append((party, .identRead(ident)))
        case .subscribe: events.append((party, .subscribed))
        case .transmit(let characteristic, let value):
          events.append((other, .received(characteristic, value)))
          events.append((party, .transmitted))
        case .opened: if party == .reader { try parties.tell(.reader, .send(request, isLast: false)) }
        case .received(let message): try parties.tell(party, .received(message))
        case .disconnect: events.append((other, .disconnected))
        case .closed: try parties.tell(party, .closed)
        case .record(let results): parties.failures += results.filter { $0.status == .failed }.map(\.name)
        case .interrupted: break
        }
        for (party, effect) in parties.outbox {
          if case .send(let message) = effect { events.append((party, .send(message))) }
          if case .close = effect { events.append((party, .end)) }
        }
        parties.outbox = []
      }
    }
    #expect(links.values.allSatisfy { $0.state == .finished })
  }

  private static func runByNFC(_ parties: inout Parties, request: [UInt8]) throws {
    let limits = try #require(RetrievalMethod.NFCOptions(maximumCommand: 255, maximumResponse: 256))
    var tag = TransferTag(limits)
    var transfer = TransferReader(limits, own: limits)
    enum Step {
      case tag(TransferTag.Event)
      case reader(TransferReader.Event)
    }
    var steps: [Step] = [.reader(.discovered)]
    while !steps.isEmpty {
      switch steps.removeFirst() {
      case .tag(let event):
        for effect in tag.receive(event) {
          switch effect {
          case .send(let bytes): steps.append(.reader(.response(bytes)))
          case .received(let message): try parties.tell(.mdoc, .received(message))
          case .record(let results): parties.failures += results.filter { $0.status == .failed }.map(\.name)
          case .closed: try parties.tell(.mdoc, .closed)
          case .opened: break
          }
        }
      case .reader(let event):
        for effect in transfer.receive(event) {
          switch effect {
          case .send(let bytes): steps.append(.tag(.command(bytes)))
          case .opened: try parties.tell(.reader, .send(request, isLast: false))
          case .received(let message): try parties.tell(.reader, .received(message))
          case .record(let results): parties.failures += results.filter { $0.status == .failed }.map(\.name)
          case .closed: try parties.tell(.reader, .closed)
          }
        }
      }
      for (party, effect) in parties.outbox {
        switch (party, effect) {
        case (.mdoc, .send(let message)): steps.append(.tag(.send(message)))
        case (.mdoc, _): steps.append(.tag(.end))
        case (.reader, .send(let message)): steps.append(.reader(.send(message)))
        case (.reader, _): steps.append(.reader(.end))
        }
      }
      parties.outbox = []
    }
  }

  /// The opening of each way to engage, as both ends have it.
  private static func openings() throws -> [(device: SessionOpening, reader: SessionOpening)] {
    let code = try Fixed.opening()
    let scanned = SessionOpening(try DeviceEngagement(uri: code.engagement.uri), .qrCode)
    var openings = [(code, scanned)]
    let carrier = HandoverMessage.Carrier.bluetooth(BluetoothCarrier(.central, uuid: try Fixed.uuid(1)))
    let select = try HandoverTests.select(carrier)
    let request = HandoverMessage.request([.bluetooth(BluetoothCarrier(.peripheral, uuid: try Fixed.uuid(2)))])
    for handover in [
      EngagementTag.Handover.fixed(select), .negotiated(TagService.Parameters(maximumMessage: 0x7f00)),
    ] {
      var tag = EngagementTag(handover)
      var reader = TagReader(request: request)
      var ofDevice: Handover?
      var pending: [TagReader.Event] = [.discovered]
      while !pending.isEmpty {
        for effect in reader.receive(pending.removeFirst()) {
          switch effect {
          case .send(let command):
            for effect in tag.receive(.command(command)) {
              switch effect {
              case .respond(let bytes): pending.append(.response(bytes))
              case .requested: _ = tag.receive(.select(select))
              case .handedOver(let handover): ofDevice = handover
              case .record: Issue.record("the tap failed")
              }
            }
          case .wait: pending.append(.waited)
          default: break
          }
        }
      }
      let engagement = try DeviceEngagement(select.engagement ?? [], by: .nfc)
      openings.append(
        (SessionOpening(engagement, try #require(ofDevice)), try #require(reader.engagement).opening))
    }
    return openings
  }

  @Test(arguments: Transport.allCases, [false, true])
  func isVerifiedAfterEachEngagementByMACAndSignature(transport: Transport, isLast: Bool) async throws {
    let port = try Spaceport.shared
    let readerKey = try fixedAgreementKey(2)
    let request = [UInt8](repeating: 6, count: 700)
    for (ofDevice, ofReader) in try Self.openings() {
      for method in DeviceAuthenticationMethod.allCases {
        var parties = Parties(
          device: DeviceSession(ofDevice, key: try Fixed.deviceKey()),
          reader: try ReaderSession(ofReader, key: .p256(readerKey)),
          answer: { _, session in try session.answer(of: port, by: method) }, isLast: isLast)
        switch transport {
        case .bluetoothCentralClient: try Self.run(&parties, request: request, over: .centralClient)
        case .bluetoothPeripheralServer: try Self.run(&parties, request: request, over: .peripheralServer)
        case .nfc: try Self.runByNFC(&parties, request: request)
        }
        #expect(parties.requests == [request] && parties.failures == [])
        #expect(parties.outcomes == [.mdoc: .completed, .reader: .completed])
        let response = try #require(parties.responses.first)
        let verifier = DeviceResponseVerifier(
          trustedIssuers: [try port.issuer.root], ephemeralReaderKey: readerKey)
        let report = await verifier.verify(response, over: parties.reader.transcript, requests: nil, at: port.now)
        #expect(report.failed == [])
      }
    }
  }
}
