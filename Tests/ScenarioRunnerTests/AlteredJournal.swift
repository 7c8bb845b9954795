import Testing
import Vocabulary

@testable import Invariants
@testable import Messaging
@testable import ScenarioRunner

/// A journal that is altered by hand.
struct AlteredJournal {
  var entries: [JournalEntry]
  var world: WorldDescription

  init(_ result: CaseResult) {
    entries = result.journal.entries
    world = result.scenario.world
  }

  var names: Set<String> { Set(Invariants.violations(in: entries, world: world).map(\.name)) }

  /// The position of the first message of a kind to a party of a role.
  func place(_ kind: MessageKind, to role: Party.Role? = nil) throws -> Int {
    try #require(
      entries.firstIndex { entry in
        guard let message = entry.event.message else { return false }
        return message.kind == kind && role ?? message.recipient.role == message.recipient.role
      })
  }

  /// Changes the bytes of a message.
  mutating func change(
    _ kind: MessageKind, to role: Party.Role? = nil, _ change: ([UInt8]) throws -> [UInt8]
  ) throws {
    let place = try place(kind, to: role)
    var message = try #require(entries[place].event.message)
    let bytes = try change(message.bytes)
    #expect(bytes != message.bytes, "the test changes nothing")
    message.bytes = bytes
    replace(place, message)
  }

  mutating func replace(_ place: Int, _ message: Message) {
    let entry = entries[place]
    entries[place] = JournalEntry(
      number: entry.number, time: entry.time, party: entry.party, event: .message(message))
  }

  /// Records an interception of the first message of a kind.
  mutating func intercept(_ kind: MessageKind, to role: Party.Role? = nil, _ code: Interception.Code) throws {
    let place = try place(kind, to: role)
    let number = try #require(entries[place].event.message).number
    entries.insert(
      JournalEntry(
        number: entries[place].number, time: entries[place].time, party: entries[place].party,
        event: .fault(FaultEvent(code.rawValue, "test", message: number))),
      at: place)
  }

  /// Sends the first message of a kind once more at the end, as an answer to nothing.
  mutating func repeatMessage(_ kind: MessageKind, to role: Party.Role? = nil) throws {
    let message = try #require(entries[try place(kind, to: role)].event.message)
    let last = try #require(entries.last)
    let number = entries.compactMap(\.event.message?.number).max() ?? 0
    let again = Message(
      number: number + 1, sender: message.sender, recipient: message.recipient, kind: message.kind,
      mediaType: message.mediaType, bytes: message.bytes, answers: message.answers)
    entries.append(
      JournalEntry(number: last.number + 1, time: last.time, party: message.sender, event: .message(again)))
  }

  /// Sends a message more at the end, from a phone to a tunnel service.
  mutating func append(_ kind: MessageKind, _ mediaType: String, _ bytes: [UInt8]) {
    insert(
      kind, mediaType, bytes, from: Party(.authenticator, "kellys-iphone"), to: Party(.tunnelService, "cable.auth.com"),
      at: entries.count)
  }

  /// Sends a message more at a place.
  mutating func insert(
    _ kind: MessageKind, _ mediaType: String, _ bytes: [UInt8], from sender: Party, to recipient: Party, at place: Int
  ) {
    let before = entries[place - 1]
    let number = (entries.compactMap(\.event.message?.number).max() ?? 0) + 1
    let message = Message(
      number: number, sender: sender, recipient: recipient, kind: kind, mediaType: mediaType, bytes: bytes, answers: nil
    )
    entries.insert(
      JournalEntry(number: before.number, time: before.time, party: sender, event: .message(message)), at: place)
  }
}
