import Messaging

/// The parties of a journal as columns, in the order of a presentment.
enum Actors {
  private static let order: [Party.Role] = [
    .person, .page, .server, .browser, .clientPlatform, .bluetooth, .tunnelService, .authenticator, .operatingSystem,
    .nearby, .sandbox, .app, .requestingApp, .portal, .readerAuthority, .issuer,
  ]

  /// Returns the columns, each party once. Two with the same title also have their names or roles.
  static func columns(of entries: [JournalEntry]) -> [TimelineActor] {
    var seen: Set<Party> = []
    var parties: [Party] = []
    for entry in entries {
      for party in [entry.event.message?.sender ?? entry.party, entry.event.message?.recipient].compactMap(\.self)
      where seen.insert(party).inserted {
        parties.append(party)
      }
    }
    let titles = Dictionary(grouping: parties, by: \.heading)
    // The order of first appearance within a role.
    return order.flatMap { role in parties.filter { $0.role == role } }.map { party in
      let others = titles[party.heading]?.filter { $0 != party } ?? []
      if others.isEmpty { return TimelineActor(party) }
      let isNameShared = others.contains { $0.name == party.name }
      let difference = isNameShared ? party.role.rawValue.replacing("-", with: " ") : party.name
      return TimelineActor(party, title: "\(party.heading), \(difference)")
    }
  }
}
