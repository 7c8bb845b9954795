import Messaging
import Primitives
import Telling
import Vocabulary

/// The parties of a journal, and those that can open its messages, as columns, in the order of a presentment.
package enum Actors {
  private static let order: [Party.Role] = [
    .person, .page, .server, .ownServer, .browser, .terminal, .clientPlatform, .bluetooth, .nfc, .tunnelService,
    .authenticator,
    .mdoc,
    .operatingSystem, .nearby, .sandbox, .app, .ownWallet, .requestingApp, .portal, .readerAuthority, .issuer,
    .listOperator,
  ]

  /// Returns the columns, each party once. Two with the same title also have their devices, roles or names.
  ///
  /// - Parameter world: The world of the parties, which has their titles; nil for the titles of the narrative.
  package static func columns(of entries: [JournalEntry], in world: WorldDescription? = nil) -> [TimelineActor] {
    // A server that can open an answer may never get it.
    let parties = zip(entries, Openers.readers(of: entries)).flatMap { entry, readers in
      let message = entry.event.message
      return [message?.sender ?? entry.party, message?.recipient, readers?.readership.sealedFor].compactMap(\.self)
    }
    return columns(of: parties.uniqued(), in: world)
  }

  /// Returns the columns of different parties. Two with the same title also have their devices, roles or names.
  ///
  /// - Parameter world: The world of the parties, which has their titles; nil for the titles of the narrative.
  package static func columns(of parties: [Party], in world: WorldDescription?) -> [TimelineActor] {
    let names = world?.names
    func title(_ party: Party) -> String? { world.flatMap { names?.title(of: party, in: $0) } }
    func note(_ party: Party) -> String? { world?.note(on: party) }
    func place(_ party: Party) -> String? { names?.place(of: party) }
    func heading(_ party: Party) -> String { title(party) ?? party.heading }
    let titles = Dictionary(grouping: parties, by: heading)
    // The order of the parties within a role.
    return order.flatMap { role in parties.filter { $0.role == role } }.map { party in
      let others = titles[heading(party)]?.filter { $0 != party } ?? []
      if others.isEmpty { return TimelineActor(party, title: title(party), note: note(party)) }
      if let own = place(party), !others.contains(where: { place($0) == own }) {
        return TimelineActor(party, title: "\(heading(party)), \(own)", note: note(party), place: own)
      }
      let isOnlyOne = !others.contains { $0.role == party.role }
      let difference = isOnlyOne ? party.role.rawValue.replacing("-", with: " ") : party.name
      return TimelineActor(party, title: "\(heading(party)), \(difference)", note: note(party))
    }
  }
}
