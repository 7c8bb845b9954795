import Foundation
import Synchronization

/// Something that a party concluded.
public struct Decision: Sendable, Equatable {
  /// What kind of conclusion it is.
  public enum Kind: String, Sendable {
    /// A named check and how it ended.
    case check
    /// What a selector shows and hides.
    case selector
    /// What a person was asked and what came of it.
    case consent
    /// What a website concluded.
    case verdict
    /// An exception that a page got.
    case exception
    /// Something that was withheld from somebody.
    case withheld
    /// A fault that the scenario put in.
    case fault
    /// A step of the scenario.
    case step
    /// Anything else worth a line.
    case note
  }

  /// Who concluded.
  public let party: Party
  /// What kind of conclusion it is.
  public let kind: Kind
  /// Its code.
  public let code: String
  /// How it ended: passed, failed, offered, hidden, …
  public let outcome: String
  /// What it says, for a person to read.
  public let sentence: String
  /// More about it, in order.
  public let details: [Detail]

  /// A named fact about a decision.
  public struct Detail: Sendable, Equatable {
    /// What it is.
    public let name: String
    /// Its value.
    public let value: String

    /// A fact from its parts.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A decision from its parts.
  public init(
    by party: Party, _ kind: Kind, code: String, outcome: String, sentence: String, details: [Detail] = []
  ) {
    self.party = party
    self.kind = kind
    self.code = code
    self.outcome = outcome
    self.sentence = sentence
    self.details = details
  }
}

/// Everything that happened in a world, in order: each message and each decision. It is the only output of a run;
/// reports, traces and expectations are functions of it.
public final class Journal: Sendable {
  /// One line.
  public struct Entry: Sendable, Equatable {
    /// Number of the line, from 1.
    public let number: Int
    /// When.
    public let time: WorldClock.Instant
    /// What.
    public let event: Event

    /// What a line tells of.
    public enum Event: Sendable, Equatable {
      /// A message was sent.
      case message(Message)
      /// Somebody concluded something.
      case decision(Decision)
    }
  }

  private let lines = Mutex<[Entry]>([])

  /// An empty journal.
  public init() {}

  /// Every line so far.
  public var entries: [Entry] { lines.withLock { $0 } }

  /// How many messages it holds.
  var messageCount: Int {
    lines.withLock { lines in
      lines.reduce(into: 0) { count, line in if case .message = line.event { count += 1 } }
    }
  }

  /// Writes a line.
  public func record(_ event: Entry.Event, at time: WorldClock.Instant) {
    lines.withLock { $0.append(Entry(number: $0.count + 1, time: time, event: event)) }
  }

  /// The journal as `trace.jsonl`: one JSON object a line, members in alphabetical order, bytes in base64.
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
  /// Number of the line, from 1.
  public var line: Int
  /// When, in nanoseconds since 1970.
  public var time: Int64
  /// Number of the message, from 1.
  public var message: Int?
  /// Who sent the message.
  public var from: String?
  /// To whom.
  public var to: String?
  /// What the message is about.
  public var subject: String?
  /// Media type of the message.
  public var type: String?
  /// Content of the message in standard base64.
  public var bytes: Data?
  /// Number of the message that it answers.
  public var answers: Int?
  /// Who decided.
  public var by: String?
  /// Kind of decision.
  public var decision: String?
  /// Code of the decision.
  public var code: String?
  /// How it ended.
  public var outcome: String?
  /// What it says.
  public var sentence: String?
  /// More about it: names and values in turn.
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
      sentence = made.sentence
      details = made.details.isEmpty ? nil : made.details.map { [$0.name, $0.value] }
    }
  }
}
