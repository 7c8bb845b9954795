import CBOR
import Checks
import MobileDocument
import Primitives
import Proximity
import TestSupport
import TestTraits
import Testing

@Suite("A session in person")
struct SessionTests {
  @Test(arguments: 0..<4) func exchangesRequestsAndResponsesAndEndsWithATermination(curve: Int) throws {
    var pair = try Pair(of: Fixed.keys()[curve])
    #expect(pair.device.beginning == [.setTimer(.establishment)])
    pair.reader(.send([1], isLast: false))
    pair.settle()
    #expect(pair.requests == [[1]] && pair.device.state == .requested && pair.reader.state == .waiting)
    #expect(pair.device.transcript == pair.reader.transcript && pair.device.readerKey != nil)
    pair.device(.send([2], isLast: false))
    pair.settle()
    #expect(pair.responses == [[2]] && pair.reader.state == .responded)
    pair.reader(.send([3], isLast: false))
    pair.settle()
    pair.device(.send([4], isLast: false))
    pair.settle()
    #expect(pair.requests == [[1], [3]] && pair.responses == [[2], [4]])
    pair.reader(.terminate)
    pair.settle()
    #expect(pair.readerOutcomes == [.completed] && pair.deviceOutcomes == [.completed])
    #expect(pair.deviceFailures.isEmpty && pair.readerFailures.isEmpty)
    #expect(pair.readerStatuses == [.termination] && pair.deviceStatuses.isEmpty)
    #expect("\(pair.device)" == "DeviceSession" && "\(pair.reader)" == "ReaderSession")
  }

  @Test func deliversTheResponseBesideATerminationFirst() throws {
    var pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.settle()
    pair.device(.send([2], isLast: true))
    pair.settle()
    #expect(pair.responses == [[2]])
    #expect(pair.deviceOutcomes == [.completed] && pair.readerOutcomes == [.completed])
    #expect(pair.readerStatuses.isEmpty)
    let last = pair.deviceStatuses
    #expect(last == [.termination])
  }

  @Test func endsWithoutAResponseIfTheHolderRefuses() throws {
    var pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.settle()
    pair.device(.terminate)
    pair.settle()
    #expect(pair.deviceOutcomes == [.cancelled] && pair.readerOutcomes == [.terminatedByPeer])
    #expect(pair.responses.isEmpty)
    // The own party must not answer a request of a session that is over.
    pair.device(.send([2], isLast: true))
    #expect(pair.sentByDevice.count == 1)
  }

  @Test func takesTheRequestBackIfTheReaderTerminates() throws {
    var pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.settle()
    pair.reader(.terminate)
    pair.settle()
    let device = pair.device.receive(.send([2], isLast: true))
    #expect(device.isEmpty && pair.deviceOutcomes == [.terminatedByPeer] && pair.readerOutcomes == [.cancelled])
  }

  @Test func sendsNothingBeforeARequest() throws {
    var pair = try Pair()
    pair.device(.send([2], isLast: false))
    pair.device(.terminate)
    #expect(pair.sentByDevice.isEmpty && pair.deviceOutcomes == [.cancelled])
    pair.reader(.terminate)
    #expect(pair.sentByReader.isEmpty && pair.readerOutcomes == [.cancelled])
  }

  @Test func answersEachRequestOnce() throws {
    var pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.reader(.send([9], isLast: false))
    #expect(pair.sentByReader.count == 1)
    pair.settle()
    pair.device(.send([2], isLast: false))
    pair.device(.send([3], isLast: false))
    #expect(pair.sentByDevice.count == 1)
  }

  @Test func runsOutOfTime() throws {
    var pair = try Pair()
    pair.device(.timedOut(.idle))
    #expect(pair.device.state == .engaged)
    pair.device(.timedOut(.establishment))
    #expect(pair.deviceOutcomes == [.timedOut] && pair.sentByDevice.isEmpty)
    pair.reader(.send([1], isLast: false))
    pair.reader(.timedOut(.idle))
    #expect(pair.readerOutcomes == [.timedOut] && pair.readerStatuses == [.termination])
    #expect(pair.readerFailures == ["proximity.completion/time"])

    pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.settle()
    // The person decides as long as the person wants.
    pair.device(.timedOut(.establishment))
    pair.device(.timedOut(.idle))
    #expect(pair.device.state == .requested)
    pair.device(.send([2], isLast: false))
    pair.device(.timedOut(.idle))
    #expect(pair.deviceOutcomes == [.timedOut] && pair.deviceStatuses == [.termination])
  }

  @Test func endsWithTheConnection() throws {
    var pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.settle()
    pair.reader(.closed)
    pair.device(.closed)
    #expect(pair.readerOutcomes == [.failed] && pair.deviceOutcomes == [.failed])
    #expect(pair.readerFailures == ["proximity.completion/closed"])

    pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.settle()
    pair.device(.send([2], isLast: false))
    pair.settle()
    pair.reader(.closed)
    pair.device(.closed)
    #expect(pair.readerOutcomes == [.unconfirmed] && pair.deviceOutcomes == [.unconfirmed])
    #expect(pair.sentByDevice.count == 1 && pair.sentByReader.count == 1)
  }

  /// A message in place of the reader's, the mdoc's status, and its failed check.
  struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable ([[UInt8]]) throws -> [UInt8]
    let status: SessionStatus
    let failure: String

    var testDescription: String { name }
  }

  private static func establishment(_ key: EphemeralPrivateKey?, data: [UInt8]) throws -> [UInt8] {
    SessionEstablishment.encoded(readerKeyBytes: try (key ?? Fixed.readerKey()).taggedPublicKey, data: data)
  }

  @Test(arguments: [
    Attack(
      name: "an altered tag",
      change: { messages in
        var changed = messages[0]
        changed[changed.count - 1] ^= 1
        return changed
      }, status: .encryptionError, failure: "proximity.encryption/authentication"),
    Attack(
      name: "another reader's key", change: { try establishment(Fixed.key(9), data: SessionEstablishment($0[0]).data) },
      status: .encryptionError, failure: "proximity.encryption/authentication"),
    Attack(
      name: "a key on another curve", change: { _ in try establishment(Fixed.keys()[1], data: [1]) },
      status: .encryptionError, failure: "proximity.establishment/curve"),
    Attack(
      name: "data shorter than a tag", change: { _ in try establishment(nil, data: [1]) }, status: .encryptionError,
      failure: "proximity.encryption/authentication"),
    Attack(
      name: "data without a key",
      change: { try SessionData(data: SessionEstablishment($0[0]).data, status: nil).encoded },
      status: .decodingError, failure: "proximity.message/malformed"),
    Attack(name: "no CBOR", change: { _ in [0xff] }, status: .decodingError, failure: "proximity.message/malformed"),
    Attack(name: "an array", change: { _ in [0x80] }, status: .decodingError, failure: "proximity.message/malformed"),
  ])
  func isNotEstablishedWith(attack: Attack) throws {
    var pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.toDevice = [try attack.change(pair.sentByReader)]
    pair.settle()
    #expect(pair.requests.isEmpty && pair.deviceStatuses == [attack.status])
    #expect(pair.deviceFailures == [attack.failure] && pair.deviceOutcomes == [.failed])
    #expect(pair.readerOutcomes == [.failed])
    #expect(pair.device.transcript == nil)
    pair.device(.received(pair.sentByReader[0]))
    #expect(pair.requests.isEmpty)
  }

  @Test func endsWithAReplayedOrReorderedRequest() throws {
    for replay in [0, 1] {
      var pair = try Pair()
      pair.reader(.send([1], isLast: false))
      pair.settle()
      pair.device(.send([2], isLast: false))
      pair.settle()
      pair.reader(.send([3], isLast: false))
      pair.settle()
      pair.device(.send([4], isLast: false))
      let again = pair.sentByReader[replay]
      let message =
        replay == 0 ? SessionData(data: try SessionEstablishment(again).data, status: nil).encoded : again
      pair.device(.received(message))
      #expect(pair.requests == [[1], [3]])
      #expect(pair.deviceFailures == ["proximity.encryption/authentication"])
      #expect(pair.deviceStatuses.last == .encryptionError && pair.deviceOutcomes == [.failed])
    }
  }

  @Test func endsWithAMessageOutOfTurn() throws {
    var pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.settle()
    pair.device(.received(SessionData(data: [1], status: nil).encoded))
    #expect(pair.deviceFailures == ["proximity.message/out-of-turn"] && pair.deviceStatuses == [.termination])

    pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.settle()
    pair.device(.send([2], isLast: false))
    pair.settle()
    pair.reader(.received(pair.sentByDevice[0]))
    #expect(pair.readerFailures == ["proximity.message/out-of-turn"] && pair.readerStatuses == [.termination])
    #expect(pair.responses == [[2]])

    pair = try Pair()
    pair.reader(.send([1], isLast: false))
    pair.settle()
    pair.device(.send([2], isLast: false))
    pair.settle()
    pair.reader(.received(SessionData(data: [1], status: .termination).encoded))
    #expect(pair.readerFailures == ["proximity.message/out-of-turn"] && pair.readerOutcomes == [.failed])

    pair = try Pair()
    pair.reader(.received(SessionData(data: nil, status: .termination).encoded))
    #expect(pair.readerOutcomes == [.terminatedByPeer] && pair.sentByReader.isEmpty)

    // The mdoc does not know of a session yet, so it gets no status.
    pair = try Pair()
    pair.reader(.received(SessionData(data: [1], status: nil).encoded))
    #expect(pair.readerFailures == ["proximity.message/out-of-turn"] && pair.sentByReader.isEmpty)
  }

  @Test(arguments: [
    (SessionStatus.encryptionError, "proximity.completion/encryption-error"),
    (.decodingError, "proximity.completion/decoding-error"),
    (.undefined(99), "proximity.completion/undefined-status"),
  ])
  func endsWithAnErrorOfThePeer(status: SessionStatus, failure: String) throws {
    for data in [nil, [UInt8](repeating: 0, count: 20)] {
      var pair = try Pair()
      pair.reader(.send([1], isLast: false))
      pair.settle()
      pair.reader(.received(SessionData(data: data, status: status).encoded))
      #expect(pair.readerFailures == [failure] && pair.readerOutcomes == [.failed] && pair.responses.isEmpty)
      #expect(pair.readerStatuses.isEmpty)
      pair.device(.received(SessionData(data: data, status: status).encoded))
      #expect(pair.deviceFailures == [failure] && pair.deviceOutcomes == [.failed])
      #expect(pair.deviceEffects.contains(.withdraw))
    }
  }

  /// Both machines over a channel that loses, repeats, reorders, reflects and changes messages.
  @Test(arguments: 0..<300 as Range<UInt64>) func staysInOrderOverAnEvilChannel(seed: UInt64) throws {
    var draw = SeededGenerator(seed: seed)
    var pair = try Pair()
    var asked: [[UInt8]] = []
    var answered: [[UInt8]] = []
    let isEvil = seed % 3 != 0
    for number in 0..<60 {
      let plaintext = [UInt8(number)]
      switch draw.below(isEvil ? 14 : 8) {
      case 0, 1:
        let before = pair.sentByReader.count
        pair.reader(.send(plaintext, isLast: false))
        if pair.sentByReader.count > before, pair.reader.state == .waiting { asked.append(plaintext) }
      case 2, 3:
        let before = pair.sentByDevice.count
        pair.device(.send(plaintext, isLast: draw.chance(10)))
        if pair.sentByDevice.count > before { answered.append(plaintext) }
      case 4, 5: if !pair.toDevice.isEmpty { pair.device(.received(pair.toDevice.removeFirst())) }
      case 6, 7: if !pair.toReader.isEmpty { pair.reader(.received(pair.toReader.removeFirst())) }
      case 8: if !pair.toDevice.isEmpty { pair.toDevice.remove(at: draw.below(pair.toDevice.count)) }
      case 9: if !pair.toReader.isEmpty { pair.toReader.remove(at: draw.below(pair.toReader.count)) }
      case 10: if let again = pair.sentByReader.randomElement(using: &draw) { pair.toDevice.append(again) }
      case 11: if let again = pair.sentByDevice.randomElement(using: &draw) { pair.toReader.append(again) }
      case 12:
        let all = pair.sentByReader + pair.sentByDevice
        guard var changed = all.randomElement(using: &draw) else { break }
        changed[draw.below(changed.count)] ^= UInt8(1 + draw.below(255))
        if draw.chance(50) { pair.toDevice.insert(changed, at: 0) } else { pair.toReader.insert(changed, at: 0) }
      default:
        let event: SessionEvent =
          draw.chance(40)
          ? .timedOut(ProximityTimer.allCases[draw.below(2)])
          : draw.chance(30)
            ? .closed : draw.chance(30) ? .terminate : .received(draw.bytes(draw.below(40)))
        if draw.chance(50) { pair.device(event) } else { pair.reader(event) }
      }
      // What is delivered is a prefix of what was sent: nothing is lost in between, repeated, reordered or made up.
      #expect(pair.requests == Array(asked.prefix(pair.requests.count)))
      #expect(pair.responses == Array(answered.prefix(pair.responses.count)))
      // No response without a request before it, and none after the end.
      #expect(answered.count <= pair.requests.count)
      #expect(pair.deviceOutcomes.count == (pair.device.state == .finished ? 1 : 0))
      #expect(pair.readerOutcomes.count == (pair.reader.state == .finished ? 1 : 0))
    }
    if !isEvil { #expect(pair.deviceFailures.isEmpty && pair.readerFailures.isEmpty) }
  }
}

@Suite("Known sessions", .requiresProximityVectors)
struct KnownSessionTests {
  /// The mdoc of the capture, which has a QR code.
  @Test func ofACapturedReaderOpensAndItsSignatureVerifies() throws {
    let entry = try Known.entry("gds-session-establishment", of: "session.json")
    let whole = try CBORReader.read(entry.bytes("SessionTranscriptBytes")).embedded().array()
    let engagement = try DeviceEngagement(try whole.at(0).embeddedBytes(), by: .qrCode)
    var device = DeviceSession(SessionOpening(engagement, .qrCode), key: try entry.privateKey("EDeviceKey.priv"))
    let message = try entry.bytes("SessionEstablishment")
    let effects = device.receive(.received(message))
    #expect(effects.contains(.deliver(try entry.bytes("plaintext"))))
    #expect(device.transcript?.sessionTranscriptBytes == (try entry.bytes("SessionTranscriptBytes")))
    let establishment = try SessionEstablishment(message)
    #expect(establishment.data == (try entry.bytes("data")))
    let keys = try SessionKeys(
      own: entry.privateKey("EDeviceKey.priv"), other: establishment.readerKey.value,
      transcript: #require(device.transcript))
    #expect(keys.isEqual(reader: try entry.bytes("SKReader"), device: try entry.bytes("SKDevice")))
    let ident = DerivedIdentifier.bluetoothIdent.value(deviceKeyBytes: engagement.deviceKey.bytes)
    #expect(hexadecimal(ident) == (try entry.text("bleIdent")))
    let request = try UnverifiedDeviceRequest(entry.bytes("plaintext"))
    let authenticated = try request.authenticate(over: #require(device.transcript))
    #expect(authenticated.documentRequests.count == 1)
  }

  /// The mdoc and the reader of Annex D after the first message, and the messages that follow it.
  @Test func ofAnnexDGoOnOrEndAsStated() throws {
    let keys = try Known.entry("keys", of: "annex-d.json")
    let select = try Known.entry("handover-select", of: "annex-d.json")
    let request = try Known.entry("handover-request", of: "annex-d.json").bytes("hex")
    let payload = try #require(try select.list("records").last?.bytes("payload"))
    let opening = SessionOpening(
      try DeviceEngagement(payload, by: .nfc), .nfc(select: try select.bytes("hex"), request: request))
    let first = try Known.annexD("session-establishment")
    let response = try Known.annexD("device-response")

    func device(answered: Bool = true) throws -> DeviceSession {
      var device = DeviceSession(opening, key: try keys.privateKey("EDeviceKey.priv"))
      #expect(device.receive(.received(first)).contains(.deliver(try Known.annexD("device-request-v1.0"))))
      guard answered else { return device }
      let sent = device.receive(.send(response, isLast: false))
      #expect(sent.first == .send(try Known.annexD("session-data")))
      return device
    }
    func reader() throws -> ReaderSession {
      var reader = try ReaderSession(opening, key: try keys.privateKey("EReaderKey.priv"))
      let sent = reader.receive(.send(try Known.annexD("device-request-v1.0"), isLast: false))
      #expect(sent.first == .send(first))
      return reader
    }
    func bytes(_ identifier: String) throws -> [UInt8] {
      try Known.entry(identifier, of: "session.json").bytes("SessionData")
    }
    func status(_ effects: [SessionEffect]) -> [SessionStatus] {
      effects.compactMap { if case .send(let message) = $0 { try? SessionData(message).status } else { nil } }
    }

    var annexD = try reader()
    #expect(annexD.receive(.received(try Known.annexD("session-data"))).contains(.deliver(response)))
    var second = try device()
    let plaintext = try Known.entry("syn-second-request", of: "session.json").bytes("plaintext")
    #expect(second.receive(.received(try bytes("syn-second-request"))).contains(.deliver(plaintext)))

    var last = try reader()
    let effects = last.receive(.received(try bytes("syn-response-and-termination")))
    #expect(effects.contains(.deliver(plaintext)) && effects.last == .finish(.completed))

    for (identifier, expected, failure) in [
      ("syn-replay", .encryptionError, "proximity.encryption/authentication"),
      ("syn-reflection", .encryptionError, "proximity.encryption/authentication"),
      ("syn-tag-cut", .encryptionError, "proximity.encryption/authentication"),
      ("syn-short", .encryptionError, "proximity.encryption/authentication"),
      ("syn-not-a-map", .decodingError, "proximity.message/malformed"),
      ("syn-broken-cbor", .decodingError, "proximity.message/malformed"),
      ("syn-duplicate-key", .decodingError, "proximity.message/malformed"),
      ("syn-empty", .decodingError, "proximity.message/malformed"),
    ] as [(String, SessionStatus, String)] {
      var device = try device()
      let effects = device.receive(.received(try bytes(identifier)))
      #expect(failures(effects) == [failure], "\(identifier)")
      #expect(status(effects) == [expected] && effects.last == .finish(.failed), "\(identifier)")
    }
    for (identifier, outcome, failure) in [
      ("syn-status-10", .failed, ["proximity.completion/encryption-error"]),
      ("syn-status-11", .failed, ["proximity.completion/decoding-error"]),
      ("syn-status-20", .completed, []), ("syn-rfu-member", .completed, []),
      ("syn-status-unknown", .failed, ["proximity.completion/undefined-status"]),
    ] as [(String, SessionOutcome, [String])] {
      var device = try device()
      let effects = device.receive(.received(try bytes(identifier)))
      #expect(failures(effects) == failure && effects.last == .finish(outcome), "\(identifier)")
      #expect(status(effects).isEmpty)
    }
    let offCurve = try Known.entry("gds-se-shape", of: "session.json").bytes("SessionEstablishment")
    var fresh = DeviceSession(opening, key: try keys.privateKey("EDeviceKey.priv"))
    let refused = fresh.receive(.received(offCurve))
    #expect(failures(refused) == ["proximity.establishment/key"] && status(refused) == [.encryptionError])
  }
}
