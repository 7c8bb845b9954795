import Checks
import DevicePlatform
import Ecosystem
import InteractiveWorlds
import Messaging
import MobileDocument

/// The state of a demonstration: the world's current state and the person's view of it.
public struct DemoState: Sendable {
  /// The view.
  public enum Look: Sendable, Equatable {
    /// The person's screen.
    case plain
    /// The selector, with the apps that it hides.
    case hiddenApps
    /// The phone while it authenticates the person.
    case authentication(OwnerAuthentication.Method)
    /// The menu of faults.
    case faults
    /// Every check of the server.
    case checks
    /// A message.
    case message(Int)
  }

  /// The world's current state.
  public var snapshot: InteractiveWorld.Snapshot
  /// Everything that happened.
  public var entries: [JournalEntry]
  /// How the person looks at it.
  public var look = Look.plain
  /// The brand icons of the world's websites, by the websites' names.
  public let icons: [String: String]
  /// The devices of the world.
  private let devices: [WorldDescription.Device]
  /// The faults in the world.
  public var faults: [DemoFault]
  /// True if a chosen fault is added to the others instead of replacing them.
  public var combinesFaults = false
  /// The end of the last presentment; nil while none has ended.
  public var conclusion: Conclusion?
  /// The message of the last refusal.
  public var notice: String?
  /// The selected choice, which Enter takes.
  public var selected = 0
  /// The number of lines of a long text above the screen.
  public var scroll = 0

  /// Creates the state at the start of a demonstration.
  public init(
    _ snapshot: InteractiveWorld.Snapshot, entries: [JournalEntry], icons: [String: String],
    devices: [WorldDescription.Device], faults: [DemoFault]
  ) {
    self.snapshot = snapshot
    self.entries = entries
    self.icons = icons
    self.devices = devices
    self.faults = faults
  }

  /// The devices that the person uses.
  var devicesInUse: DevicesInUse { DevicesInUse(devices, current: snapshot.device) }

  /// The conclusion as one text, with its code; empty without one.
  var conclusionLine: String {
    guard let conclusion else { return "" }
    return conclusion.title + (conclusion.code.map { " [\($0)] " } ?? " ") + conclusion.text
  }

  /// Lines of the journal that the person's own steps led to.
  var told: ArraySlice<JournalEntry> {
    let start = entries.firstIndex(where: \.event.isStep)
    return entries[(start ?? entries.endIndex)...]
  }

  /// The last checks of the server of the website on the screen.
  var checks: [CheckResult] {
    let server = Party(.server, snapshot.website)
    var found: [CheckResult] = []
    for entry in told {
      switch entry.event {
      case .message(let message) where message.recipient == server && message.kind == .submitResponse: found = []
      case .check(let result) where entry.party == server: found.append(result)
      default: continue
      }
    }
    return found
  }
}

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
  static func rows(_ entries: ArraySlice<JournalEntry>) -> [WireRow] {
    entries.compactMap(WireRow.init).reduce(into: []) { rows, row in
      if row.kind == .step, rows.last?.kind == .step { rows.removeLast() }
      rows.append(row)
    }
  }

  private init?(_ entry: JournalEntry) {
    let line = Narrative(entry)
    let who = entry.party.shortTitle
    message = entry.event.message?.number
    switch entry.event {
    case .message(let sent):
      let opener = line.readership?.sealedFor
      kind = opener == nil ? .message : .sealed
      text = "\(who) → \(sent.recipient.shortTitle)  \(sent.kind.rawValue)"
      readers =
        opener.map { "sealed, for the \($0.shortTitle) only" } ?? "read by \(who) and \(sent.recipient.shortTitle)"
      return
    case .step: (kind, text) = (.step, line.phrase)
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
