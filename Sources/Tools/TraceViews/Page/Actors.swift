import Messaging

/// The parties of a journal, and those that can open its messages, as columns, in the order of a presentment.
package enum Actors {
  private static let order: [Party.Role] = [
    .person, .page, .server, .browser, .terminal, .clientPlatform, .bluetooth, .nfc, .tunnelService, .authenticator,
    .mdoc,
    .operatingSystem, .nearby, .sandbox, .app, .requestingApp, .portal, .readerAuthority, .issuer,
    .listOperator,
  ]

  /// Returns the columns, each party once. Two with the same title also have their names or roles.
  ///
  /// - Parameters:
  ///   - title: the title of a party in its world; nil for that of the narrative.
  ///   - note: a fact about a party in its world.
  ///   - place: the title of a party's device; nil if it has none, or for its name in the journal.
  package static func columns(
    of entries: [JournalEntry], titled title: (Party) -> String? = { _ in nil },
    noted note: (Party) -> String? = { _ in nil }, placed place: (Party) -> String? = { _ in nil }
  ) -> [TimelineActor] {
    var seen: Set<Party> = []
    var parties: [Party] = []
    // A server that can open an answer may never get it.
    for (entry, readers) in zip(entries, Openers.readers(of: entries)) {
      let message = entry.event.message
      for party in [message?.sender ?? entry.party, message?.recipient, readers?.opener].compactMap(\.self)
      where seen.insert(party).inserted {
        parties.append(party)
      }
    }
    func heading(_ party: Party) -> String { title(party) ?? party.heading }
    let titles = Dictionary(grouping: parties, by: heading)
    // The order of first appearance within a role.
    return order.flatMap { role in parties.filter { $0.role == role } }.map { party in
      let others = titles[heading(party)]?.filter { $0 != party } ?? []
      if others.isEmpty { return TimelineActor(party, title: title(party), note: note(party)) }
      if let own = place(party), !others.contains(where: { place($0) == own }) {
        return TimelineActor(party, title: "\(heading(party)), \(own)", note: note(party), place: own)
      }
      let isNameShared = others.contains { $0.name == party.name }
      let difference = isNameShared ? party.role.rawValue.replacing("-", with: " ") : party.name
      return TimelineActor(party, title: "\(heading(party)), \(difference)", note: note(party))
    }
  }
}
