import Inspection
import Messaging

/// The views of the parties on the messages of a run. A message without views looks the same to everyone who has it.
package struct PartyViews: Sendable {
  private let entries: [JournalEntry]
  private let openings: [Opening]?
  /// The places of messages by their numbers.
  private let places: [Int: Int]

  /// - Parameters:
  ///   - entries: The lines of the journal.
  ///   - openings: The contents of its sealed messages; nil for a trace, which does not have them.
  package init(_ entries: [JournalEntry], openings: [Opening]?) {
    self.entries = entries
    self.openings = openings
    places = Dictionary(
      entries.enumerated().compactMap { place, entry in entry.event.message.map { ($0.number, place) } }
    ) { first, _ in first }
  }

  /// Returns the views on a message: none, or at least two.
  ///
  /// - Parameter readers: The readers of the message.
  package func views(of message: Message, _ readers: TimelineReaders) -> [PartyView] {
    let views = readers.readership.seal == nil ? request(message, readers) : sealed(message, readers)
    return views.count > 1 ? views : []
  }

  // MARK: Sealed messages

  private func sealed(_ message: Message, _ readers: TimelineReaders) -> [PartyView] {
    guard let openings else { return [] }
    let opened = opening(of: message, among: openings)
    // A session's handshake has no content that an end could open.
    let opener = message.mediaType == MediaType.sealed ? opened?.party : opened?.party ?? readers.readership.sealedFor
    guard let key = opener?.description else { return [] }
    let isSealed = Self.sealers.contains(message.sender.role)
    let sealer = message.sender.description
    let carriers = readers.whole.filter { $0 != key && !(isSealed && $0 == sealer) }
    let sealed = PartyView(carriers, .carries, .bytes)
    guard let opened else { return [sealed, PartyView([key], .unopened, .nothing)] }
    var view = PartyView([key], .opens, .other(message.opened(opened)))
    view.disclosures = DisclosedDocument.all(in: opened.bytes, issued: issued)
    var made = PartyView([sealer], .seals, view.content)
    made.disclosures = view.disclosures
    return [sealed] + (isSealed ? [made] : []) + [view]
  }

  /// The roles of the parties that seal what they send. Others pass sealed bytes on.
  private static let sealers: Set<Party.Role> = [.app, .clientPlatform, .authenticator, .nearby]

  /// The number of openings after a message that can be that of its content: others are of later presentments.
  private static let nearOpenings = 16

  /// Returns the content of a sealed message. Other messages pass the same sealed bytes on.
  private func opening(of message: Message, among openings: [Opening]) -> Opening? {
    if let own = openings.first(where: { $0.message == message.number }) { return own }
    let seals = Self.seals(of: message)
    guard !seals.isEmpty else { return nil }
    return openings.lazy.filter { $0.message > message.number }.prefix(Self.nearOpenings).first { opening in
      guard let place = places[opening.message], let other = entries[place].event.message else { return false }
      return !seals.isDisjoint(with: Self.seals(of: other))
    }
  }

  /// The sealed bytes in a message.
  private static func seals(of message: Message) -> Set<[UInt8]> {
    if message.mediaType == MediaType.sealed { return [message.bytes] }
    let explanation = Inspector.explanation(of: message)
    return Set(
      explanation.protections.filter { $0.kind == .seal }.flatMap { seal in
        seal.covered.map { Array(explanation.sources[seal.source].bytes[$0]) }
      })
  }

  /// The documents that issuing authorities sent to apps.
  private var issued: some Sequence<[UInt8]> {
    entries.lazy.compactMap(\.event.message).filter { $0.kind == .document }.map(\.bytes)
  }

  // MARK: Requests

  /// The views on the full request: an app has a part of it until the person agrees.
  private func request(_ message: Message, _ readers: TimelineReaders) -> [PartyView] {
    guard let place = places[message.number] else { return [] }
    switch message.kind {
    case .presentmentBegun, .getCredential, .requestData:
      guard let partial = partialRequest(after: place, message) else { return [] }
      let release = released(to: partial.recipient, after: partial.number)?.number
      return [
        PartyView(readers.whole, .reads, .bytes), PartyView(partial.recipient, .partly, partial, release: release),
      ]
    case .authorize:
      guard let full = released(to: message.recipient, after: message.number) else { return [] }
      var before = PartyView(readers.whole, .partly, .bytes)
      before.release = full.number
      return [before, PartyView(message.recipient, .reads, full)]
    case .rawRequest:
      guard let partial = partialRequest(before: place, to: message.recipient) else { return [] }
      return [PartyView(readers.whole, .reads, .bytes), PartyView(partial.recipient, .partly, partial)]
    default: return []
    }
  }

  /// Returns the partial request that an app got of a request, before the page's next one, and because of a call of that page:
  /// a frame in it has requests of its own. An app on the page's device comes before one on another.
  private func partialRequest(after place: Int, _ message: Message) -> Message? {
    let page = [message.sender, message.recipient].first { $0.role == .page }
    let next = entries[(place + 1)...].firstIndex { entry in
      entry.event.message?.kind == .beginPresentment && (page == nil || entry.party == page)
    }
    let later = entries[place..<(next ?? entries.endIndex)].lazy.compactMap(\.event.message)
    let device = Self.device(of: message.kind == .presentmentBegun ? message.recipient : message.sender)
    var caller = page
    var found: Message?
    var isForAnotherDevice = false
    for message in later {
      if message.kind == .getCredential { caller = message.sender }
      if message.mediaType == MediaType.sealed { isForAnotherDevice = true }
      guard message.kind == .authorize, page == nil || caller == page else { continue }
      if message.sender.name == device { return message }
      found = found ?? message
    }
    return isForAnotherDevice ? found : nil
  }

  private func partialRequest(before place: Int, to app: Party) -> Message? {
    entries[..<place].lazy.reversed().compactMap(\.event.message)
      .first { $0.kind == .authorize && $0.recipient == app }
  }

  /// Returns the message with the full request that an app got after a partial one.
  private func released(to app: Party, after number: Int) -> Message? {
    for case .message(let message) in entries[(places[number] ?? 0)...].dropFirst().lazy.map(\.event)
    where message.recipient == app {
      if message.kind == .rawRequest { return message }
      if message.kind == .authorize { return nil }
    }
    return nil
  }

  private static func device(of party: Party) -> String { party.deviceOfPage ?? party.name }
}
