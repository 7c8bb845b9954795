import Foundation
import Synchronization

/// A decision of a party.
public struct Decision: Sendable, Equatable {
  /// The kinds of decisions.
  public enum Kind: String, Sendable {
    /// A named check and its outcome.
    case check
    /// A selector's offered and hidden apps.
    case selector
    /// A consent request and the person's choice.
    case consent
    /// A website's verdict.
    case verdict
    /// An exception in a page.
    case exception
    /// Data withheld from a party.
    case withheld
    /// An injected fault.
    case fault
    /// A step of the scenario.
    case step
    /// Any other note.
    case note
  }

  /// The deciding party.
  public let party: Party
  /// The kind.
  public let kind: Kind
  /// The code.
  public let code: String
  /// The outcome: passed, failed, offered, hidden, …
  public let outcome: String
  /// A human-readable description.
  public let message: String
  /// Named facts, in order.
  public let details: [Detail]

  /// A named fact about a decision.
  public struct Detail: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a fact.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a decision.
  public init(
    by party: Party, _ kind: Kind, code: String, outcome: String, message: String, details: [Detail] = []
  ) {
    self.party = party
    self.kind = kind
    self.code = code
    self.outcome = outcome
    self.message = message
    self.details = details
  }
}

/// The messages and decisions of a world, in order. The journal is the only output of a run; reports, traces and
/// expectations are functions of it.
public final class Journal: Sendable {
  /// One line.
  public struct Entry: Sendable, Equatable {
    /// The line number, from 1.
    public let number: Int
    /// The time.
    public let time: WorldClock.Instant
    /// The event.
    public let event: Event

    /// The kinds of events.
    public enum Event: Sendable, Equatable {
      /// A message was sent.
      case message(Message)
      /// A party decided.
      case decision(Decision)
    }
  }

  private let lines = Mutex<[Entry]>([])

  /// Creates an empty journal.
  public init() {}

  /// The lines so far.
  public var entries: [Entry] { lines.withLock { $0 } }

  /// The number of messages.
  var messageCount: Int {
    lines.withLock { lines in
      lines.reduce(into: 0) { count, line in if case .message = line.event { count += 1 } }
    }
  }

  /// Appends a line.
  public func record(_ event: Entry.Event, at time: WorldClock.Instant) {
    lines.withLock { $0.append(Entry(number: $0.count + 1, time: time, event: event)) }
  }

  /// Returns the journal as `trace.jsonl`: one JSON object a line, members in alphabetical order, bytes in base64.
  public func trace() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var text: [UInt8] = []
    for entry in entries {
      guard let line = try? encoder.encode(TraceLine(entry)) else { continue }
      text += line
      text.append(0x0a)
    }
    return text
  }
}

/// A line of `trace.jsonl`.
public struct TraceLine: Codable, Sendable, Equatable {
  /// The line number, from 1.
  public var line: Int
  /// The time, in nanoseconds since 1970.
  public var time: Int64
  /// The message number, from 1.
  public var message: Int?
  /// The message's sender.
  public var from: String?
  /// The message's recipient.
  public var to: String?
  /// The message's subject.
  public var subject: String?
  /// The message's media type.
  public var type: String?
  /// The message's content in standard base64.
  public var bytes: Data?
  /// The number of the message that it answers.
  public var answers: Int?
  /// The deciding party.
  public var by: String?
  /// The kind of decision.
  public var decision: String?
  /// The decision's code.
  public var code: String?
  /// The decision's outcome.
  public var outcome: String?
  /// The decision's human-readable description.
  public var sentence: String?
  /// The decision's facts, each a name and a value.
  public var details: [[String]]?

  init(_ entry: Journal.Entry) {
    line = entry.number
    time = entry.time.nanosecondsSince1970
    switch entry.event {
    case .message(let sent):
      message = sent.number
      from = sent.sender.description
      to = sent.recipient.description
      subject = sent.subject
      type = sent.mediaType
      bytes = Data(sent.bytes)
      answers = sent.answers
    case .decision(let made):
      by = made.party.description
      decision = made.kind.rawValue
      code = made.code
      outcome = made.outcome
      sentence = made.message
      details = made.details.isEmpty ? nil : made.details.map { [$0.name, $0.value] }
    }
  }
}
