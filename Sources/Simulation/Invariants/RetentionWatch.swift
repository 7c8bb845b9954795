import JSON
import Messaging
import MobileDocument
import Primitives
import RelyingParty
import Vocabulary

/// Watches what the stores of websites hold after their sessions, against what their requests said.
struct RetentionWatch {
  private let world: WorldDescription
  private let faults: InjectedFaults
  /// The message that begins each session, with the request.
  private var begun: [ServerSession: ObservedMessage] = [:]
  /// The newest answer to a session, to point at.
  private var results: [Party: Message] = [:]

  init(_ world: WorldDescription, _ faults: InjectedFaults) {
    self.world = world
    self.faults = faults
  }

  /// Takes the next message of a run.
  mutating func take(_ observed: ObservedMessage) {
    let message = observed.message
    switch message.kind {
    case .presentmentBegun, .identityRequestBegun:
      guard let name = observed.text("session") else { return }
      begun[ServerSession(server: message.sender, name: name)] = observed
    case .verificationResult: results[message.sender] = message
    default: break
    }
  }

  /// Takes a note of a server.
  func take(_ note: Note, by server: Party, _ violations: inout [InvariantViolation]) {
    if note.code == .terminalKept { return takeTerminal(note, by: server, &violations) }
    guard note.code == .websiteKept, let name = note.facts.first(where: { $0.name == Note.Kept.session })?.value,
      let start = begun[ServerSession(server: server, name: name)],
      !faults.alteredMessages.contains(start.message.number)
    else { return }
    judge(
      note, by: server, RetentionPromise(requests(of: start)),
      at: [start.message, results[server]].compactMap(\.self), &violations)
  }

  /// Takes a note of a terminal, which makes the same requests in each session.
  private func takeTerminal(_ note: Note, by terminal: Party, _ violations: inout [InvariantViolation]) {
    let asked = world.terminals.first { $0.identifier == terminal.name }?.asksInAll ?? []
    judge(note, by: terminal, RetentionPromise(asked), at: [], &violations)
  }

  private func judge(
    _ note: Note, by server: Party, _ promise: RetentionPromise, at messages: [Message],
    _ violations: inout [InvariantViolation]
  ) {
    for fact in note.facts {
      switch fact.name {
      case Note.Kept.element:
        let element = Note.Kept.Element(fact)
        let isPromised =
          element.map {
            promise.covers(documentType: $0.documentType, nameSpace: $0.nameSpace, identifier: $0.identifier)
          } ?? false
        if !isPromised {
          violations.add(
            .retention, .element, "\(server.name) keeps \(element?.identifier ?? fact.value).", at: messages)
        }
      case Note.Kept.response: violations.add(.retention, .response, "The website is \(server.name).", at: messages)
      default: break
      }
    }
  }

  /// The requests of a session: those that the page got, or those of the app with the session's merchant identifier.
  private func requests(of start: ObservedMessage) -> [ItemsRequest] {
    if let merchant = start.text("merchantIdentifier") {
      return world.requestingApps.filter { $0.merchantIdentifier == merchant }.map(\.description.itemsRequest)
    }
    let requests = start.message.body(BegunPresentment.self)?.requests ?? []
    return requests.compactMap(\.items).joined().map(\.self)
  }
}
