import Checks
import Messaging
import Vocabulary

/// The last presentment in a journal: from the call, the visit or the previous end to the last line.
struct Attempt {
  /// An app that the selector hides.
  struct HiddenApp {
    let app: String
    let finding: CheckResult
    let entry: JournalEntry
  }

  /// The whole journal.
  private let journal: [JournalEntry]
  /// The lines of the presentment.
  let entries: ArraySlice<JournalEntry>
  /// The lines after the previous end, and those before the first step.
  private let own: [ArraySlice<JournalEntry>]
  /// The verdict, the exception or the error that ended it, or the page's answer if the server is outside; nil while it
  /// runs.
  let end: JournalEntry?
  /// The journal up to the end of the previous presentment; empty without one.
  let earlier: ArraySlice<JournalEntry>

  init(_ journal: [JournalEntry], isServerOutside: Bool = false) {
    func isEnd(_ position: Int) -> Bool {
      let event = journal[position].event
      if event.note?.code == .requestingAppError, Self.isUnanswered(journal, at: position) { return false }
      return Self.isEnd(event) || isServerOutside && event.message?.isAnswerForPage == true
    }
    self.journal = journal
    let firstStep = journal.firstIndex(where: \.event.isStep) ?? journal.endIndex
    let begun = [journal.lastIndex { Self.isBeginning($0.event) }, Self.lastTap(journal)].compactMap(\.self).max()
    let beginning = begun ?? firstStep
    // The last end belongs to the presentment unless another one began after it.
    let last = journal[beginning...].indices.last(where: isEnd)
    let previous = journal[..<(last ?? beginning)].indices.last(where: isEnd)
    // A response that is submitted again has no call of its own.
    let first = previous.map { $0 + 1 } ?? 0
    entries = journal[max(beginning, first)...]
    own = first > firstStep ? [journal[..<firstStep], journal[first...]] : [journal[...]]
    end = last.map { journal[$0] }
    earlier = journal[..<first]
  }

  /// True if an app's answer was not encrypted.
  var isAnsweredInPlain: Bool { entries.contains { $0.event.message?.carriesPlainAnswer == true } }

  /// The faults that acted in the presentment, since the previous one, or before the first step.
  var faults: [JournalEntry] { own.joined().filter { $0.event.fault != nil } }

  private static func isBeginning(_ event: JournalEvent) -> Bool {
    switch event.message?.kind {
    case .visit, .getCredential, .requestDocument, .open, .engage: true
    default: false
    }
  }

  /// The last touch of a terminal with which a session began. A touch during a session begins none.
  private static func lastTap(_ journal: [JournalEntry]) -> Int? {
    var terminals: Set<Party> = []
    for (index, entry) in journal.enumerated().reversed() {
      guard let message = entry.event.message else { continue }
      switch message.kind {
      case .showTerminal where message.body(PageScreen.self)?.isBlank == true: terminals.insert(message.sender)
      case .fieldEntered where terminals.contains(message.recipient): return index
      // A session that began with a code.
      case .scan: terminals.remove(message.recipient)
      default: continue
      }
    }
    return nil
  }

  private static func isEnd(_ event: JournalEvent) -> Bool {
    switch event {
    case .verdict, .exception: true
    case .note(let note): [.requestingAppError, .terminalEnded].contains(note.code)
    default: false
    }
  }

  /// True for the error of an app whose request no message answered: the run was over while it waited.
  private static func isUnanswered(_ journal: [JournalEntry], at position: Int) -> Bool {
    let app = journal[position].party
    let request = journal[..<position].lazy.compactMap(\.event.message).last {
      $0.kind == .requestDocument && $0.sender == app
    }
    guard let request, !journal[position...].contains(where: \.event.isStep) else { return false }
    return !journal[..<position].contains { $0.event.message?.answers == request.number }
  }

  /// True if a party refused something. A verdict repeats the server's failed check, and a message without a channel is the
  /// model's affair.
  private static func isObjection(_ entry: JournalEntry) -> Bool {
    guard Narrative(entry).tone == .bad, entry.event.verdict == nil else { return false }
    return ![.osNoApp, .worldNoChannel].contains(entry.event.note?.code)
  }

  /// The only party of its role in the journal needs no name.
  func isOnlyOne(_ party: Party) -> Bool { journal.allSatisfy { $0.party.role != party.role || $0.party == party } }

  /// The first objection in the presentment that is not the consequence of another one. A tunnel that closes before its time
  /// has a reason elsewhere: at the end that closed it, or that never came.
  var objection: JournalEntry? { Self.cause(in: entries.filter(Self.isObjection)) }

  /// The first objection in the steps since the previous presentment ended, also in those before this one.
  var objectionSincePrevious: JournalEntry? {
    let firstStep = journal.firstIndex(where: \.event.isStep) ?? journal.endIndex
    return Self.cause(in: journal[max(earlier.endIndex, firstStep)...].filter(Self.isObjection))
  }

  private static func cause(in objections: [JournalEntry]) -> JournalEntry? {
    objections.first { $0.event.code != tunnelClosed } ?? objections.first
  }

  private static let tunnelClosed = "hybrid.tunnel/closed"

  /// True if an app asks for the document, through the system and without a page.
  var isOfApp: Bool { entries.contains { $0.event.message?.kind == .requestDocument } }

  /// True if the person declined the request of a terminal, which learns only that the session ended.
  var isDeclinedInPerson: Bool {
    end?.party.role == .terminal && entries.contains { $0.event.note?.code == .osCancelled }
  }

  /// The first objection after the first fault, also one from before the presentment.
  var objectionToFault: JournalEntry? {
    let start = faults.first?.number ?? 0
    return objection ?? Self.cause(in: own.joined().filter { $0.number > start && Self.isObjection($0) })
  }

  /// The deviations that the server or the app accepted.
  var deviations: [JournalEntry] { entries.filter { $0.event.check?.status == .deviates } }

  /// The offered apps of the last selection.
  var offered: Int { lastSelection.count { if case .offered? = $0.event.selection { true } else { false } } }

  /// The hidden apps of the last selection.
  var hidden: [HiddenApp] {
    lastSelection.compactMap { entry in
      guard case .hidden(let app, let finding, _)? = entry.event.selection else { return nil }
      return HiddenApp(app: app, finding: finding, entry: entry)
    }
  }

  /// The number of the line where the last selection began.
  var selection: Int? { lastSelection.first?.number }

  private var lastSelection: ArraySlice<JournalEntry> {
    guard let start = entries.lastIndex(where: { if case .asked? = $0.event.selection { true } else { false } }) else {
      return []
    }
    return entries[start...]
  }

  /// The app that answered.
  var answeringApp: String? {
    for case .consent(.answered(let app)) in entries.lazy.map(\.event) { return app }
    return nil
  }

  /// The number of checks of the party that concluded.
  var checkCount: Int { entries.count { $0.party == end?.party && $0.event.check != nil } }

  /// The elements that the server's page or app received, as the server sent them.
  var received: [PageScreen.Element] {
    let messages = entries.lazy.compactMap(\.event.message)
    if end?.party.role == .terminal {
      return messages.last { $0.kind == .showTerminal }?.body(PageScreen.self)?.verified ?? []
    }
    let results = messages.filter { $0.kind == .verificationResult }
    return results.last.flatMap { ReceivedVerdict(json: $0.bytes) }?.elements ?? []
  }
}

extension Message {
  /// True for the credential that a page gets from its browser.
  var isAnswerForPage: Bool { kind == .credential && recipient.role == .page }
}
