import Foundation
import JSON
import Messaging
import SimulationKernel
import Synchronization
import Testing

@testable import Messaging

@Suite("The world's network")
struct NetworkTests {
  static let page = Party(.page, "site")
  static let server = Party(.server, "site")
  static let sandbox = Party(.sandbox, "phone")

  struct Fixture {
    let scheduler: WorldScheduler
    let journal = Journal()
    let network: Network
    let received = Received()

    init(seed: UInt64) {
      let entropy = Entropy(seed: seed)
      scheduler = WorldScheduler(start: WorldClock.Instant(secondsSince1970: 0), choices: entropy.stream("schedule"))
      network = Network(scheduler: scheduler, journal: journal, latency: entropy.stream("latency"))
      let received = received
      let endpoint = network.endpoint(of: server)
      network.register(page) { received.add($0) }
      network.register(server) { message in
        received.add(message)
        if message.kind == .tap {
          try? endpoint.send(
            .done, message.bytes.reversed(), as: MediaType.json, to: message.sender, answering: message)
        }
      }
      network.register(sandbox) { received.add($0) }
      network.connect(page, server)
    }
  }

  final class Received: Sendable {
    private let messages = Mutex<[Message]>([])
    func add(_ message: Message) { messages.withLock { $0.append(message) } }
    var all: [Message] { messages.withLock { $0 } }
  }

  @Test("Messages from one party to another arrive in order", arguments: 0..<20 as Range<UInt64>)
  func order(seed: UInt64) throws {
    let fixture = Fixture(seed: seed)
    let endpoint = fixture.network.endpoint(of: Self.page)
    for number in 0..<50 as Range<UInt8> { try endpoint.send(.load, [number], as: MediaType.cbor, to: Self.server) }
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(fixture.received.all.map(\.bytes) == (0..<50).map { [UInt8($0)] })
    let times = fixture.journal.entries.map(\.time)
    #expect(times == times.sorted())
  }

  @Test("Sending without a channel is refused")
  func channels() {
    let fixture = Fixture(seed: 1)
    let endpoint = fixture.network.endpoint(of: Self.sandbox)
    let error = #expect(throws: SimulationError.self) {
      try endpoint.send(.show, [1], as: MediaType.cbor, to: Self.server)
    }
    #expect(error?.code == .noChannel)
    #expect(fixture.journal.entries.isEmpty)
  }

  @Test("A request awaits its own answer")
  func requests() {
    let fixture = Fixture(seed: 5)
    let endpoint = fixture.network.endpoint(of: Self.page)
    let answers = Mutex<[[UInt8]]>([])
    for number in 0..<5 as Range<UInt8> {
      fixture.scheduler.spawn {
        guard let answer = try? await endpoint.request(.tap, [number, 0], as: MediaType.json, to: Self.server) else {
          return
        }
        answers.withLock { $0.append(answer.bytes) }
      }
    }
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(Set(answers.withLock { $0 }) == Set((0..<5).map { [0, UInt8($0)] }))
  }

  @Test("A request with a time limit ends without an answer, and an answer in time is not affected")
  func limits() {
    let fixture = Fixture(seed: 5)
    let endpoint = fixture.network.endpoint(of: Self.page)
    let outcomes = Mutex<[MessageKind: String]>([:])
    for kind in [MessageKind.visit, .tap] {
      fixture.scheduler.spawn {
        let outcome: String
        do {
          let answer = try await endpoint.request(
            kind, [1, 2], as: MediaType.json, to: Self.server, within: .seconds(10))
          outcome = "\(answer.bytes)"
        } catch {
          outcome = (error as? SimulationError)?.code.rawValue ?? "\(error)"
        }
        outcomes.withLock { $0[kind] = outcome }
      }
    }
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(outcomes.withLock { $0 } == [.tap: "[2, 1]"])
    #expect(fixture.scheduler.advance(by: .seconds(11)) == .quiet)
    #expect(outcomes.withLock { $0 } == [.tap: "[2, 1]", .visit: "network.no-answer"])
  }

  @Test("A device in flight mode reaches no party on the internet, and the parties on it reach each other")
  func flightMode() throws {
    let fixture = Fixture(seed: 6)
    let (page, browser) = (Party(.page, "site@phone"), Party(.browser, "phone"))
    let received = fixture.received
    for party in [page, browser] { fixture.network.register(party) { received.add($0) } }
    for other in [Self.server, browser] { fixture.network.connect(page, other) }
    let failures = Mutex<[String]>([])
    func ask(_ kind: MessageKind) {
      let endpoint = fixture.network.endpoint(of: page)
      fixture.scheduler.spawn {
        do {
          _ = try await endpoint.request(kind, [1], as: MediaType.json, to: Self.server)
        } catch {
          failures.withLock { $0.append((error as? SimulationError)?.code.rawValue ?? "\(error)") }
        }
      }
      #expect(fixture.scheduler.drain() == .quiet)
    }
    // The server does not answer: the request waits until the connection is gone.
    ask(.visit)
    #expect(failures.withLock { $0 } == [])
    fixture.network.setFlightMode(true, of: "phone")
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(failures.withLock { $0 } == ["network.offline"])
    ask(.tap)
    #expect(failures.withLock { $0 } == ["network.offline", "network.offline"])
    let toPhone = #expect(throws: SimulationError.self) {
      try fixture.network.endpoint(of: Self.server).send(.done, [2], as: MediaType.json, to: page)
    }
    #expect(toPhone?.code == .offline)
    try fixture.network.endpoint(of: page).send(.load, [3], as: MediaType.cbor, to: browser)
    try fixture.network.endpoint(of: Self.page).send(.load, [4], as: MediaType.cbor, to: Self.server)
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(Set(received.all.map(\.bytes)) == [[1], [3], [4]])
    let notes = fixture.journal.entries.compactMap(\.event.note)
    #expect(notes.map(\.code) == [.deviceOffline, .deviceOffline])
    fixture.network.setFlightMode(false, of: "phone")
    ask(.tap)
    #expect(failures.withLock { $0 }.count == 2)
  }

  @Test("Pending requests are cancelled when the world ends")
  func closing() {
    let fixture = Fixture(seed: 5)
    let endpoint = fixture.network.endpoint(of: Self.page)
    let ended = Mutex(false)
    fixture.scheduler.spawn {
      do {
        _ = try await endpoint.request(.visit, [], as: MediaType.json, to: Self.server)
      } catch {
        ended.withLock { $0 = true }
      }
    }
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(!ended.withLock { $0 })
    fixture.network.close()
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(ended.withLock { $0 })
  }

  @Test("A fault changes the bytes and is recorded")
  func faults() throws {
    let fixture = Fixture(seed: 2)
    fixture.network.add(
      Network.Fault(code: "fault.test", message: "every byte is doubled") { message in
        message.kind == .load ? message.bytes.map { $0 &* 2 } : nil
      })
    try fixture.network.endpoint(of: Self.page).send(.load, [21], as: MediaType.cbor, to: Self.server)
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(fixture.received.all.map(\.bytes) == [[42]])
    #expect(fixture.journal.entries.count == 2)
  }

  @Test(
    "An intercepted message arrives with other bytes, never or twice, and the next one as it is",
    arguments: [
      (Interception.Delivery.bytes([9]), [[9], [2]] as [[UInt8]]), (.never, [[2]]), (.twice, [[1], [1], [2]]),
    ])
  func interceptions(delivery: Interception.Delivery, expected: [[UInt8]]) throws {
    let fixture = Fixture(seed: 2)
    fixture.network.add(
      Network.Fault(code: "fault.test", message: "bytes count from 0") { $0.bytes.map { $0 &- 1 } })
    fixture.network.intercept(Interception(1, code: .swapped, message: "test", delivery: delivery))
    let endpoint = fixture.network.endpoint(of: Self.page)
    for number in [2, 3] as [UInt8] { try endpoint.send(.load, [number], as: MediaType.cbor, to: Self.server) }
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(fixture.received.all.map(\.bytes) == expected)
    let faults = fixture.journal.entries.compactMap(\.event.fault)
    #expect(faults.map(\.fault) == ["fault.test", "sweep.swapped", "fault.test"])
    #expect(faults.map(\.messageNumber) == [1, 1, 2])
  }

  @Test("A trace has a line of JSON for each entry, with members in alphabetical order")
  func trace() throws {
    let fixture = Fixture(seed: 2)
    try fixture.network.endpoint(of: Self.page).send(.load, [0xff], as: MediaType.cbor, to: Self.server)
    let text = String(decoding: fixture.journal.trace(), as: UTF8.self)
    #expect(
      text == #"""
        {"by":"page:site","line":1,"message":{"bytes":"/w==","kind":"load","number":1,"to":"server:site","type":"application/cbor"},"time":0}

        """#)
    let entry = try JSONCoding.decode(JournalEntry.self, from: Array(text.utf8))
    #expect([entry] == fixture.journal.entries)
  }

  @Test("A retired party neither sends, receives nor waits")
  func retirement() throws {
    let fixture = Fixture(seed: 3)
    let old = fixture.network.endpoint(of: Self.server)
    let asked = fixture.network.endpoint(of: Self.page)
    let outcome = Mutex("waits")
    fixture.network.register(Self.server) { _ in }
    fixture.scheduler.spawn {
      do {
        _ = try await asked.request(.tap, [1], as: MediaType.json, to: Self.server)
        outcome.withLock { $0 = "answered" }
      } catch {
        outcome.withLock { $0 = "\(type(of: error))" }
      }
    }
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(outcome.withLock { $0 } == "waits")

    fixture.network.retire(Self.server)
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(outcome.withLock { $0 } == "CancellationError")
    #expect(!old.isCurrent)
    let retired = #expect(throws: SimulationError.self) {
      try old.send(.done, [], as: MediaType.json, to: Self.page)
    }
    #expect(retired?.code == .retired)
    #expect(throws: SimulationError.self, "no recipient") {
      try asked.send(.tap, [2], as: MediaType.json, to: Self.server)
    }

    let received = Received()
    fixture.network.register(Self.server) { received.add($0) }
    let new = fixture.network.endpoint(of: Self.server)
    try new.send(.load, [], as: MediaType.json, to: Self.page)
    try asked.send(.tap, [3], as: MediaType.json, to: Self.server)
    #expect(fixture.scheduler.drain() == .quiet)
    #expect(received.all.map(\.bytes) == [[3]])
    #expect(fixture.received.all.contains { $0.kind == .load })
  }
}
