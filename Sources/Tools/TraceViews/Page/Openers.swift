import Messaging
import Telling

/// Finds the parties that can open the sealed messages of a journal.
///
/// A party on the way does not know the name of the one that its message is for. Other messages show it: an answer is for
/// the server of the page that asks, or of the app that asks; a message into a tunnel is for the party that gets the same
/// bytes out of it.
package struct Openers: Sendable {
  /// The website of the last page that sent a message.
  private var website: String?
  /// The server of the last app that asks for a document.
  private var serverOfApp: Party?
  /// The ends of the last tunnel or session.
  private var ends: [Party.Role: Party] = [:]

  private let names: WorldNames?

  /// The openers at the beginning of a journal.
  /// - Parameter names: The names of the world's parts, for sentences; nil for the journal's.
  package init(names: WorldNames? = nil) { self.names = names }

  /// Returns the readers of each message of a journal, nil for other events.
  package static func readers(of journal: [JournalEntry], names: WorldNames? = nil) -> [TimelineReaders?] {
    var openers = Openers(names: names)
    return openers.readers(of: journal[...])
  }

  /// Returns the readers of each message of the next lines of a journal, nil for other events.
  package mutating func readers(of lines: ArraySlice<JournalEntry>) -> [TimelineReaders?] {
    var receivers: [[UInt8]: Party] = [:]
    for message in lines.lazy.compactMap(\.event.message) where Self.leavesTunnel(message) {
      receivers[message.bytes] = message.recipient
    }
    return lines.map { entry in
      entry.event.message.map { message in
        note(message)
        let readership = Readership(of: message)
        return TimelineReaders(readership.opened(by: opener(of: message, readership.sealedFor, receivers)), names)
      }
    }
  }

  private static func leavesTunnel(_ message: Message) -> Bool {
    message.kind == .tunnelMessage && message.sender.role == .tunnelService
  }

  private mutating func note(_ message: Message) {
    if let page = message.sender.website { website = page }
    for (party, other) in [(message.sender, message.recipient), (message.recipient, message.sender)] {
      switch party.role {
      case .requestingApp where other.role == .server: serverOfApp = other
      case .clientPlatform, .authenticator, .terminal, .mdoc: ends[party.role] = party
      default: break
      }
    }
  }

  /// The party that can open a message, of which the message itself shows the role.
  private func opener(of message: Message, _ opener: Party?, _ receivers: [[UInt8]: Party]) -> Party? {
    guard let opener, opener.name.isEmpty else { return opener }
    switch (message.kind, opener.role) {
    case (.identityEnvelope, .server), (.identityDocument, .server): return serverOfApp
    case (_, .server): return website.map { Party(.server, $0) }
    default: return receivers[message.bytes] ?? ends[opener.role]
    }
  }
}
