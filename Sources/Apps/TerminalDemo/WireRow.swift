import Checks
import Messaging
import Telling

/// A row of the message view: a message with its readers, or a conclusion that is worth a row.
struct WireRow: Sendable, Equatable {
  enum Kind: Sendable {
    case message, sealed, step, failed, warned, noted, verified
  }

  /// Number of the message; nil for a conclusion.
  let message: Int?
  let kind: Kind
  let text: String
  /// The readers.
  let readers: String

  /// The rows for lines of a journal: every message, and of the conclusions those that are not of every day. A step that
  /// nothing came of, such as a wait, has none.
  ///
  /// - Parameter words: The words of steps by the numbers of their lines; the journal's own for others.
  static func rows(_ entries: ArraySlice<JournalEntry>, words: [Int: String] = [:]) -> [WireRow] {
    entries.compactMap { WireRow($0, words[$0.number]) }.reduce(into: []) { rows, row in
      if row.kind == .step, rows.last?.kind == .step { rows.removeLast() }
      rows.append(row)
    }
  }

  private init?(_ entry: JournalEntry, _ words: String?) {
    let line = Narrative(entry)
    let who = entry.party.shortTitle
    message = entry.event.message?.number
    switch entry.event {
    case .message(let sent):
      let opener = line.readership?.sealedFor
      kind = opener == nil ? .message : .sealed
      text = "\(who) → \(sent.recipient.shortTitle)  \(sent.phrase)"
      readers =
        opener.map { "sealed, for the \($0.shortTitle) only" } ?? "read by \(who) and \(sent.recipient.shortTitle)"
      return
    case .step: (kind, text) = (.step, words ?? line.phrase)
    case .selection(.offered(let app, _)): (kind, text) = (.noted, "\(app) is offered")
    case .selection(.hidden(let app, let finding, _)): (kind, text) = (.warned, "\(app) is hidden: \(finding.name)")
    case .verdict(let verdict):
      (kind, text) = (verdict.verdict == .verified ? .verified : .failed, "\(who): \(verdict.verdict.rawValue)")
    case .fault: (kind, text) = (.failed, line.phrase)
    case .check(let result) where result.status == .failed:
      (kind, text) = (.failed, "\(who): \(line.phrase) [\(result.name)]")
    case .check(let result) where result.status == .deviates:
      (kind, text) = (.warned, "\(who): \(line.phrase) [\(result.name)]")
    case .exception(let exception): (kind, text) = (.failed, "\(who): \(line.phrase) [\(exception.code)]")
    case .check, .selection, .consent, .note: return nil
    }
    readers = ""
  }
}
