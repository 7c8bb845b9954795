import Checks
import Messaging
import MobileDocument
import Primitives
import Vocabulary

/// A terminal at a moment, for people: what it shows, and its last session. Stage and terminal demo draw it.
public struct TerminalView: Sendable, Equatable {
  /// The state of the last session.
  public enum Phase: String, Sendable, CaseIterable {
    /// No device was held to the terminal.
    case waiting
    /// The terminal reads the tag that the device is.
    case reading
    /// The terminal has the engagement, and waits for the connection.
    case connecting
    /// Both ends are connected.
    case connected
    /// The request is on its way, or the person looks at it.
    case asking
    /// The clerk compares the portrait with the person.
    case comparing
    /// The response was verified.
    case verified
    /// The response was refused.
    case refused
    /// The session ended without a response.
    case ended

    /// The state in a few words.
    public var title: String {
      switch self {
      case .waiting: "Ready"
      case .reading: "Reading the tag"
      case .connecting: "Connecting"
      case .connected: "Connected"
      case .asking: "Asking"
      case .comparing: "Comparing"
      case .verified: "Verified"
      case .refused: "Not verified"
      case .ended: "No answer"
      }
    }
  }

  /// The name in the world.
  public let identifier: String
  /// The name of its brand.
  public let title: String
  /// The state of the last session.
  public internal(set) var phase = Phase.waiting
  /// The state in a sentence.
  public internal(set) var words: String
  /// The reason for a refusal or an end without a response; nil without one.
  public internal(set) var reason: String?
  /// The code of that reason.
  public internal(set) var code: String?
  /// The verified elements: all of a verified response, and before that the portrait to compare.
  public internal(set) var elements: [PageScreen.Element] = []
  /// The clerk's answers that the terminal waits for.
  public internal(set) var answers: [Action.ByClerk] = []
  /// The labels of the elements that the terminal keeps after the session.
  public internal(set) var kept: [String] = []
  /// The ways of the engagement and of the transfer in a sentence; nil before both are known.
  public internal(set) var way: String?
  /// The messages of the session, as a listener between both ends has them.
  public internal(set) var overheard: [OverheardMessage] = []

  /// The terminals of a world, as the lines of its journal leave them.
  public static func all(in world: WorldDescription, after entries: some Sequence<JournalEntry>) -> [TerminalView] {
    guard world.isInPerson else { return [] }
    var watches = world.terminals.map(TerminalWatch.init)
    for entry in entries {
      for index in watches.indices { watches[index].note(entry) }
    }
    return watches.map(\.view)
  }
}

/// Follows a terminal through a journal.
private struct TerminalWatch {
  private(set) var view: TerminalView
  private let terminal: WorldDescription.Terminal
  private let party: Party
  private var listener = SessionListener()
  /// True from the scan of a code or the touch of a tag until the terminal begins the session.
  private var isBeginning = false
  private var failure: CheckResult?
  /// The devices by the texts of the codes that they show.
  private var codes: [String: Party] = [:]
  /// The adverts of devices that wait for a terminal, by the devices.
  private var adverts: [Party: Message] = [:]
  /// The device that entered a field last.
  private var entered: Party?
  private var isByTag = false

  init(_ terminal: WorldDescription.Terminal) {
    self.terminal = terminal
    party = Party(.terminal, terminal.identifier)
    view = TerminalView(
      identifier: terminal.identifier, title: terminal.brand.name,
      words: "Hold a phone to the terminal, or let it read the phone\u{2019}s code.")
  }

  mutating func note(_ entry: JournalEntry) {
    switch entry.event {
    case .message(let message): note(message)
    case .check(let result) where entry.party == party && result.status == .failed:
      failure = failure ?? result
      if isBeginning { end(nil) }
    case .note(let note) where entry.party == party: self.note(note)
    default: return
    }
  }

  private mutating func note(_ message: Message) {
    switch (message.kind, message.sender.role) {
    case (.advertise, .mdoc): adverts[message.sender] = message
    case (.stopAdvertising, .mdoc): adverts[message.sender] = nil
    default: break
    }
    switch (message.kind, message.sender.role) {
    case (.showCode, .mdoc): if let uri = message.body(QRCodeScreen.self)?.uri { codes[uri] = message.sender }
    case (.scan, .person) where message.recipient == party:
      let text = String(decoding: message.bytes, as: UTF8.self)
      begin(with: codes[text], byTag: false)
      listener.hearCode(message)
      if let advert = listener.device.flatMap({ adverts[$0] }) { listener.hear(advert) }
      view.overheard = listener.heard
    case (.fieldEntered, .nfc) where message.recipient.role == .mdoc: entered = message.recipient
    case (.fieldEntered, .nfc) where message.recipient == party && !hasSession: begin(with: entered, byTag: true)
    case (.showTerminal, _) where message.sender == party:
      if let screen = message.body(PageScreen.self) { show(screen) }
    case _ where message.sender == party || message.sender == listener.device: hear(message)
    case (.connected, .bluetooth) where message.recipient == party && view.phase == .connecting:
      enter(.connected, "The phone and the terminal are connected.")
    default: return
    }
  }

  /// True while a session goes on, which a tag does not disturb.
  private var hasSession: Bool {
    switch view.phase {
    case .connected, .asking: true
    case .waiting, .reading, .connecting, .comparing, .verified, .refused, .ended: false
    }
  }

  private mutating func begin(with device: Party?, byTag isByTag: Bool) {
    (isBeginning, self.isByTag, failure) = (true, isByTag, nil)
    listener = SessionListener(terminal: party, device: device)
    (view.reason, view.code, view.way) = (nil, nil, nil)
    (view.elements, view.answers, view.kept, view.overheard) = ([], [], [], [])
    if isByTag {
      enter(.reading, "The phone is a tag, which says how to reach it.")
    } else {
      enter(.connecting, "The code says how to reach the phone.")
    }
  }

  private mutating func enter(_ phase: TerminalView.Phase, _ words: String) {
    (view.phase, view.words) = (phase, words)
  }

  private mutating func hear(_ message: Message) {
    listener.hear(message)
    view.overheard = listener.heard
    view.way = listener.carrier.map { "\(isByTag ? "By NFC tap" : "By QR code"), then \($0.words)." }
    guard listener.hasRequest, view.phase == .connecting || view.phase == .connected else { return }
    let labels = terminal.asks.flatMap { document in
      document.nameSpaces.flatMap { nameSpace in
        nameSpace.elements.map { DataElementCatalogue.label(nameSpace: nameSpace.name, identifier: $0.identifier) }
      }
    }
    enter(.asking, "Asks for \(labels.listed), and waits for the answer.")
  }

  /// Takes a screen of the terminal. An empty one begins a session.
  private mutating func show(_ screen: PageScreen) {
    view.elements = screen.verified ?? []
    view.answers = screen.buttons.isEmpty ? [] : Action.ByClerk.answers
    switch screen.verdict {
    case _ where !view.answers.isEmpty: enter(.comparing, (screen.notices ?? []).joined(separator: " "))
    case _ where screen.isBlank:
      isBeginning = false
      enter(.connecting, "Waits for the phone to connect.")
      view.overheard = listener.heard
    case "verified": enter(.verified, "The response is genuine.")
    default:
      view.code = screen.code
      view.reason = failure.map { Conclusion.sentence($0.message) }
      enter(.refused, "The terminal refuses the response.")
    }
  }

  private mutating func note(_ note: Note) {
    switch note.code {
    case .terminalKept:
      view.kept = note.facts.compactMap { fact in
        switch fact.name {
        case Note.Kept.element:
          return Note.Kept.Element(fact).map {
            DataElementCatalogue.label(nameSpace: $0.nameSpace, identifier: $0.identifier)
          } ?? fact.value
        case Note.Kept.response: return "The response"
        default: return nil
        }
      }
    // The end of an older session, which a new one ends, is told before the new one begins.
    case .terminalEnded where !isBeginning: end(note)
    case .terminalCannotBegin: end(note)
    default: return
    }
  }

  private mutating func end(_ note: Note?) {
    isBeginning = false
    switch view.phase {
    case .comparing, .verified, .refused: return
    case .waiting, .reading, .connecting, .connected, .asking, .ended: break
    }
    view.code = failure?.name
    let words = note.map { Conclusion.sentence($0.message) }
    view.reason = failure.map { Conclusion.sentence($0.message) } ?? words
    enter(.ended, words ?? "The session does not begin.")
    // The same sentence is not said twice.
    if view.reason == view.words { view.reason = nil }
  }
}

/// A session between a terminal and a device, as a listener between both has it.
private struct SessionListener {
  enum Carrier {
    case bluetooth(phoneConnects: Bool)
    case nfc

    var words: String {
      switch self {
      case .bluetooth(true): "over Bluetooth: the phone connects"
      case .bluetooth(false): "over Bluetooth: the terminal connects"
      case .nfc: "over NFC"
      }
    }
  }

  let terminal: Party?
  let device: Party?
  private(set) var carrier: Carrier?
  private(set) var heard: [OverheardMessage] = []
  private(set) var hasRequest = false
  private var joiner = SessionJoiner()

  init(terminal: Party? = nil, device: Party? = nil) { (self.terminal, self.device) = (terminal, device) }

  mutating func hearCode(_ message: Message) { heard.append(.code(message)) }

  mutating func hear(_ message: Message) {
    let isOfTerminal = message.sender == terminal
    switch (message.kind, message.recipient.role) {
    case (.advertise, .bluetooth):
      carrier = .bluetooth(phoneConnects: isOfTerminal)
      heard.append(.advert(message, byTerminal: isOfTerminal))
    case (.scanAdverts, .bluetooth): carrier = .bluetooth(phoneConnects: !isOfTerminal)
    case (.command, .nfc) where message.mediaType == MediaType.apdu,
      (.commandResponse, .nfc) where message.mediaType == MediaType.apdu:
      // The tap is one message to a listener's eye, of many commands and responses.
      if let last = heard.last, last.isTap {
        heard[heard.count - 1] = last.adding(message)
      } else {
        heard.append(.tap(message))
      }
    case (.attribute, .bluetooth), (.command, .nfc), (.commandResponse, .nfc):
      if message.recipient.role == .nfc { carrier = .nfc }
      guard let found = joiner.take(message, byTerminal: isOfTerminal, isFirst: !hasRequest) else { return }
      if found.sealed != nil, isOfTerminal { hasRequest = true }
      heard.append(found)
    default: return
    }
  }
}
