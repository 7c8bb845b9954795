import COSE
import Checks
import Crypto
import JSON
import Messaging
import MobileDocument
import Primitives
import SimulationKernel

/// An actor of a world, which runs on its station's executor.
@usableFromInline package protocol StationedActor: Actor {
  /// The actor's access to its world, which it shares with no other actor.
  nonisolated var station: Station { get }
}

extension StationedActor {
  /// The station's executor. Called by the runtime at every call between actors, so it is compiled into each of them.
  @inlinable package nonisolated var unownedExecutor: UnownedSerialExecutor {
    station.executor.asUnownedSerialExecutor()
  }

  /// Does a part of the actor's work at a time.
  /// - Parameter keepsAwake: True to let the world's time advance for it; false for time limits.
  package nonisolated func at(
    _ instant: WorldClock.Instant, keepsAwake: Bool = false, _ body: @escaping @Sendable (isolated Self) async -> Void
  ) {
    station.scheduler.call(at: instant, keepsAwake: keepsAwake) { [self] in
      station.scheduler.spawn { await body(self) }
    }
  }

  /// Does a part of the actor's work after a duration.
  package nonisolated func after(
    _ duration: Duration, keepsAwake: Bool = false, _ body: @escaping @Sendable (isolated Self) async -> Void
  ) {
    at(station.instant.advanced(by: duration), keepsAwake: keepsAwake, body)
  }
}

/// A party's access to its world: its end of the network, the time, its own randomness, and the journal.
@usableFromInline package struct Station: Sendable {
  package let party: Party
  package let endpoint: NetworkEndpoint
  package let scheduler: WorldScheduler
  /// The executor of the party's actor.
  @usableFromInline let executor: ActorExecutor
  /// The time of the world's first start.
  package let founded: DateTime
  /// The language of the party's device; English for a party without one.
  package let language: Language
  private let life: Life
  private let entropy: Entropy
  private let journal: Journal

  /// The life of a party: each start of its world and of its device gives it new randomness.
  package struct Life: Sendable {
    /// The number of starts of the world.
    let worldStart: Int
    /// The number of times that the device was switched on since then.
    let boot: Int

    package init(worldStart: Int, boot: Int) { (self.worldStart, self.boot) = (worldStart, boot) }

    /// The suffix that distinguishes the streams of this life from those of the first.
    package var suffix: String { worldStart == 1 && boot == 1 ? "" : "#\(worldStart).\(boot)" }
  }

  package init(
    party: Party, network: Network, scheduler: WorldScheduler, entropy: Entropy, journal: Journal,
    life: Life, founded: DateTime, language: Language = .english
  ) {
    self.party = party
    self.life = life
    self.founded = founded
    self.language = language
    endpoint = network.endpoint(of: party)
    self.scheduler = scheduler
    executor = scheduler.makeExecutor()
    self.entropy = entropy
    self.journal = journal
  }

  /// The part of the party's device with a role.
  package func part(_ role: Party.Role) -> Party { Party(role, party.name) }

  /// The world's time, to the second.
  package var now: DateTime { DateTime(secondsSince1970: scheduler.clock.now.secondsSince1970) }

  /// The world's time, exact.
  package var instant: WorldClock.Instant { scheduler.clock.now }

  /// Waits until the next full second of the world's time.
  /// - Throws: `CancellationError` if the world ends.
  package func sleepUntilNextSecond() async throws {
    let next = WorldClock.Instant(secondsSince1970: scheduler.clock.now.secondsSince1970 + 1)
    try await scheduler.clock.sleep(until: next)
  }

  /// A stream of the party's own randomness for one purpose.
  package func stream(_ purpose: String) -> EntropyStream { entropy.stream("\(party)/\(purpose)\(life.suffix)") }

  /// A stream that is the same in each life, for values that a party creates again unchanged.
  package func lastingStream(_ purpose: String) -> EntropyStream { entropy.stream("\(party)/\(purpose)") }

  /// Records an event. A party whose device was switched off records nothing more.
  package func record(_ event: JournalEvent) {
    guard endpoint.isCurrent else { return }
    journal.record(event, by: party, at: scheduler.clock.now)
  }

  /// Records the result of a check.
  package func record(_ check: CheckResult) { record(.check(check)) }

  /// Records the results of checks, in their order.
  package func record(_ checks: [CheckResult]) { for check in checks { record(check) } }

  /// Keeps the content of a sealed message that the party has opened.
  package func keep(_ content: [UInt8], as mediaType: String = MediaType.cbor, of message: Message) {
    guard endpoint.isCurrent else { return }
    journal.keep(Opening(message: message.number, party: party, mediaType: mediaType, bytes: content))
  }

  /// Records a change of the party's state, or an operation that fails.
  /// - Parameter value: The value that an operation returned.
  package func note(_ code: NoteCode, value: String? = nil, _ message: String, facts: [Note.Fact] = []) {
    record(.note(Note(code, value: value, message, facts: facts)))
  }

  /// Records a message that the party does not handle: its kind, its sender or its content is not the expected one.
  package func ignore(_ message: Message) {
    note(
      .messageIgnored, "the party does not handle '\(message.kind.rawValue)' with this content",
      facts: [Note.Fact("message", String(message.number)), Note.Fact("sender", message.sender.description)])
  }

  /// Returns a message as a type. The party does not handle one that is not JSON of that type.
  package func body<Body: JSONReadable>(_ type: Body.Type, of message: Message) -> Body? {
    let body = message.body(type)
    if body == nil { ignore(message) }
    return body
  }

  /// Sends bytes. Without a channel it records a note: the world is wired wrongly.
  package func send(
    _ kind: MessageKind, bytes: [UInt8], as mediaType: String, to recipient: Party, answering message: Message? = nil
  ) {
    guard endpoint.isCurrent else { return }
    do {
      try endpoint.send(kind, bytes, as: mediaType, to: recipient, answering: message)
    } catch {
      // The network has recorded a message that flight mode keeps back.
      if error.code != .offline { note(.worldNoChannel, error.message) }
    }
  }

  /// Sends JSON.
  package func send(
    _ kind: MessageKind, _ body: some JSONWritable, as mediaType: String = MediaType.json, to recipient: Party
  ) {
    send(kind, bytes: JSONCoding.encode(body), as: mediaType, to: recipient)
  }

  /// Answers a message with bytes.
  package func answer(_ message: Message, _ kind: MessageKind, bytes: [UInt8], as mediaType: String) {
    send(kind, bytes: bytes, as: mediaType, to: message.sender, answering: message)
  }

  /// Answers a message with JSON.
  package func answer(_ message: Message, _ kind: MessageKind, _ body: some JSONWritable) {
    answer(message, kind, bytes: JSONCoding.encode(body), as: MediaType.json)
  }

  /// Refuses a request.
  package func refuse(_ message: Message, code: String, _ reason: String) {
    answer(message, .refused, RefusalBody(code: code, message: reason))
  }

  /// Refuses a request, and notes why.
  package func refuse(_ message: Message, noting code: NoteCode, _ reason: String) {
    note(code, reason)
    refuse(message, code: code.rawValue, reason)
  }

  /// Sends JSON and waits for the answer.
  package func request(_ kind: MessageKind, _ body: some JSONWritable, to recipient: Party) async throws -> Message {
    try await endpoint.request(kind, JSONCoding.encode(body), as: MediaType.json, to: recipient)
  }
}

extension EntropyStream {
  /// A signing key from the stream.
  package mutating func signingKey() throws -> DeterministicSigningKey {
    try DeterministicSigningKey(seededBy: { bytes(32) })
  }

  /// A key agreement key from the stream.
  package mutating func keyAgreementKey() -> P256.KeyAgreement.PrivateKey {
    // One draw in 2^32 is not a valid scalar.
    while true {
      if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(32)) { return key }
    }
  }
}

/// Salts and digest orders come from a stream.
extension EntropyStream: DocumentDraft.Randomness {}

extension Message {
  /// Returns the message as a type, or nil if it is not JSON of that type. A party does nothing else with such a message, so
  /// the reason is not kept.
  package func body<Body: JSONReadable>(_ type: Body.Type) -> Body? { try? JSONCoding.decode(type, from: bytes) }
}

/// The refusal of a request to another party.
package struct RefusalBody: Sendable, JSONObject {
  package var code: String
  package var message: String

  package init(code: String, message: String) { (self.code, self.message) = (code, message) }

  package static let json = JSONForm<Self>(Self.init, Member("code", \.code), Member("message", \.message))
}
