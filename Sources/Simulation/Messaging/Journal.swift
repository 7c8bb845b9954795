import Checks
import JSON
import SimulationKernel
import Synchronization

/// The events of a world, in order. The journal is the only output of a run; reports, traces and expectations are
/// functions of it.
public final class Journal: Sendable {
  private let lines = Mutex<[JournalEntry]>([])
  private let opened = Mutex<[Opening]>([])
  /// The number of lines of a small case, for which the journal has room from the beginning.
  private static let usualCount = 128
  /// The length of most lines of a trace in bytes, without the bytes of a message.
  private static let usualLength = 256

  /// Creates an empty journal.
  public init() {}

  /// The lines so far.
  public var entries: [JournalEntry] { lines.withLock { $0 } }

  /// The contents of sealed messages that parties have opened so far. They are kept beside the lines, for pages that show a
  /// message as each party sees it: a trace does not have them.
  public var openings: [Opening] { opened.withLock { $0 } }

  /// Keeps the content of a sealed message.
  public func keep(_ opening: Opening) { opened.withLock { $0.append(opening) } }

  /// The number of messages.
  var messageCount: Int {
    lines.withLock { lines in lines.reduce(into: 0) { count, line in if case .message = line.event { count += 1 } } }
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
    let entries = entries
    // The text of a long world is large, and growing would copy it many times.
    let capacity = entries.reduce(0) { $0 + Self.usualLength + ($1.event.message?.bytes.count ?? 0) / 3 * 4 }
    return JSONCoding.lines(entries, capacity: capacity)
  }
}

extension JSONLimits {
  /// The limits of a line of a trace: the longest message in base64, and room for the other members.
  package static let traceLine = JSONLimits(
    bytes: message.bytes / 3 * 4 + (1 << 20), depth: message.depth, values: message.values)
}

/// A line of `trace.jsonl`. The member of the event is named for its kind and contains its payload.
extension JournalEntry: JSONObjectWritable, JSONReadable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("by", party.description)
    let kind = event.kind.rawValue
    if kind < "line" { json.member(kind) { event.writePayload(to: &$0) } }
    json.member("line", number)
    if kind > "line", kind < "time" { json.member(kind) { event.writePayload(to: &$0) } }
    json.member("time", time.nanosecondsSince1970)
    if kind > "time" { json.member(kind) { event.writePayload(to: &$0) } }
  }

  package init(json: JSONItem) throws(JSONError) {
    number = try json.member("line")
    time = WorldClock.Instant(nanosecondsSince1970: try json.member("time"))
    party = try json.party("by")
    for kind in JournalEvent.Kind.allCases {
      guard let payload = try json.optionalItem(kind.rawValue) else { continue }
      event = try JournalEvent(kind, payload, by: party)
      return
    }
    throw json.error("the line has no event")
  }
}

extension JournalEvent {
  fileprivate func writePayload(to json: inout JSONWriter) {
    switch self {
    case .message(let message): Self.write(message, to: &json)
    case .step(let action): json.object { $0.member("action", action) }
    case .check(let result): result.write(to: &json)
    case .selection(let event): event.write(to: &json)
    case .consent(let event): event.write(to: &json)
    case .exception(let event): event.write(to: &json)
    case .fault(let event): event.write(to: &json)
    case .verdict(let event): event.write(to: &json)
    case .note(let note): note.write(to: &json)
    }
  }

  fileprivate init(_ kind: Kind, _ json: JSONItem, by party: Party) throws(JSONError) {
    self =
      switch kind {
      case .message: .message(try Self.message(json, from: party))
      case .step: .step(try json.member("action"))
      case .check: .check(try CheckResult(json: json))
      case .selection: .selection(try SelectionEvent(json: json))
      case .consent: .consent(try ConsentEvent(json: json))
      case .exception: .exception(try ExceptionEvent(json: json))
      case .fault: .fault(try FaultEvent(json: json))
      case .verdict: .verdict(try VerdictEvent(json: json))
      case .note: .note(try Note(json: json))
      }
  }

  /// Writes a message without its sender, which is the party of the line.
  private static func write(_ message: Message, to json: inout JSONWriter) {
    json.object { json in
      json.member("answers", message.answers)
      json.member("bytes", base64: message.bytes)
      json.member("kind", message.kind)
      json.member("number", message.number)
      json.member("to", message.recipient.description)
      json.member("type", message.mediaType)
    }
  }

  private static func message(_ json: JSONItem, from sender: Party) throws(JSONError) -> Message {
    Message(
      number: try json.member("number"), sender: sender, recipient: try json.party("to"), kind: try json.member("kind"),
      mediaType: try json.member("type"), bytes: try json.item("bytes").base64(),
      answers: try json.optionalMember("answers"))
  }
}

extension JSONItem {
  /// Returns the party that a required member names.
  fileprivate func party(_ name: String) throws(JSONError) -> Party {
    let item = try item(name)
    guard let party = Party(try item.text()) else { throw item.error("the party has no role") }
    return party
  }
}

/// The content of a sealed message, as the party has it that opened the message. The party hands out the content only:
/// its key stays with it.
public struct Opening: Sendable, Equatable {
  /// The number of the message.
  public let message: Int
  /// The party that opened it.
  public let party: Party
  /// The media type of the content.
  public let mediaType: String
  /// The content.
  public let bytes: [UInt8]

  /// Creates an opening.
  public init(message: Int, party: Party, mediaType: String, bytes: [UInt8]) {
    self.message = message
    self.party = party
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

extension Message {
  /// The message with the content of an opening in place of its bytes.
  package func opened(_ opening: Opening) -> Message {
    Message(
      number: number, sender: sender, recipient: recipient, kind: kind, mediaType: opening.mediaType,
      bytes: opening.bytes, answers: answers)
  }
}
