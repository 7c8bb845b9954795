import Checks
import Foundation
import SimulationKernel
import Synchronization

/// The events of a world, in order. The journal is the only output of a run; reports, traces and expectations are
/// functions of it.
public final class Journal: Sendable {
  private let lines = Mutex<[JournalEntry]>([])
  /// The number of lines of a small case, for which the journal has room from the beginning.
  private static let usualCount = 128

  /// Creates an empty journal.
  public init() {}

  /// The lines so far.
  public var entries: [JournalEntry] { lines.withLock { $0 } }

  /// The number of messages.
  var messageCount: Int {
    lines.withLock { lines in
      lines.reduce(into: 0) { count, line in if case .message = line.event { count += 1 } }
    }
  }

  /// Appends a line.
  public func record(_ event: JournalEvent, by party: Party, at time: WorldClock.Instant) {
    lines.withLock { lines in
      // An array doubles when it is full. Journals are the larger part of a long world, so theirs grow by half.
      if lines.count == lines.capacity { lines.reserveCapacity(max(Self.usualCount, lines.count * 3 / 2)) }
      lines.append(JournalEntry(number: lines.count + 1, time: time, party: party, event: event))
    }
  }
}

/// A line of a journal.
public struct JournalEntry: Sendable, Equatable {
  /// The line number, from 1.
  public let number: Int
  /// The time.
  public let time: WorldClock.Instant
  /// The party at which the event happened. For a message: the sender.
  public let party: Party
  /// The event.
  public let event: JournalEvent
}

extension Journal {
  /// Returns the journal as `trace.jsonl`: one JSON object a line, members in alphabetical order, bytes in base64.
  public func trace() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var text: [UInt8] = []
    for entry in entries {
      guard let line = try? encoder.encode(entry) else { continue }
      text += line
      text.append(0x0a)
    }
    return text
  }
}

/// A line of `trace.jsonl`. The member of the event is named for its kind and contains its payload.
extension JournalEntry: Codable {
  private enum Key: String, CodingKey {
    case line, time, by, message, step, check, selection, consent, exception, fault, verdict, note
  }

  /// Writes the line as an object.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(number, forKey: .line)
    try members.encode(time.nanosecondsSince1970, forKey: .time)
    try members.encode(party.description, forKey: .by)
    switch event {
    case .message(let message): try members.encode(MessageLine(message), forKey: .message)
    case .step(let action): try members.encode(StepLine(action: action), forKey: .step)
    case .check(let result): try members.encode(result, forKey: .check)
    case .selection(let event): try members.encode(event, forKey: .selection)
    case .consent(let event): try members.encode(event, forKey: .consent)
    case .exception(let event): try members.encode(event, forKey: .exception)
    case .fault(let event): try members.encode(event, forKey: .fault)
    case .verdict(let event): try members.encode(event, forKey: .verdict)
    case .note(let note): try members.encode(note, forKey: .note)
    }
  }

  /// Reads a line.
  /// - Throws: `DecodingError` if the object is not a line of a trace.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    func payload<Value: Decodable>(_ key: Key) throws -> Value? {
      members.contains(key) ? try members.decode(Value.self, forKey: key) : nil
    }
    number = try members.decode(Int.self, forKey: .line)
    time = WorldClock.Instant(nanosecondsSince1970: try members.decode(Int64.self, forKey: .time))
    let by = try members.decode(String.self, forKey: .by)
    guard let party = Party(by) else {
      throw DecodingError.dataCorruptedError(forKey: .by, in: members, debugDescription: "the party has no role")
    }
    self.party = party
    if let line: MessageLine = try payload(.message) {
      guard let recipient = Party(line.to) else {
        throw DecodingError.dataCorruptedError(
          forKey: .message, in: members, debugDescription: "the recipient has no role")
      }
      event = .message(line.message(from: party, to: recipient))
    } else if let line: StepLine = try payload(.step) {
      event = .step(line.action)
    } else if let result: CheckResult = try payload(.check) {
      event = .check(result)
    } else if let value: SelectionEvent = try payload(.selection) {
      event = .selection(value)
    } else if let value: ConsentEvent = try payload(.consent) {
      event = .consent(value)
    } else if let value: ExceptionEvent = try payload(.exception) {
      event = .exception(value)
    } else if let value: FaultEvent = try payload(.fault) {
      event = .fault(value)
    } else if let value: VerdictEvent = try payload(.verdict) {
      event = .verdict(value)
    } else if let note: Note = try payload(.note) {
      event = .note(note)
    } else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "the line has no event"))
    }
  }

  private struct StepLine: Codable { var action: String }

  /// A message without its sender, which is the party of the line.
  private struct MessageLine: Codable {
    var number: Int
    var to: String
    var kind: MessageKind
    var type: String
    var bytes: Data
    var answers: Int?

    init(_ message: Message) {
      number = message.number
      to = message.recipient.description
      kind = message.kind
      type = message.mediaType
      bytes = Data(message.bytes)
      answers = message.answers
    }

    func message(from sender: Party, to recipient: Party) -> Message {
      Message(
        number: number, sender: sender, recipient: recipient, kind: kind, mediaType: type, bytes: [UInt8](bytes),
        answers: answers)
    }
  }
}
