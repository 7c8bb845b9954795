import Messaging
import MobileDocument
import StatusLists

/// Fetches status lists for a verifier's server over the network.
struct StatusFetcher {
  let station: Station
  /// The party that serves each host, as a name service would resolve it.
  let hosts: [String: Party]

  /// Fetches a list.
  func fetch(_ list: StatusListLocation) async -> StatusListAnswer {
    guard let party = hosts[list.host] else { return .unreachable("no server has the name \(list.host)") }
    let request = StatusListRequest(host: list.host, target: list.target)
      .encoded(accepting: StatusListKind.allCases.map(\.mediaType))
    do {
      let answer = try await station.endpoint.request(.getList, request, as: MediaType.http, to: party)
      guard answer.kind == .list else { return .unreachable("\(list.host) has nothing there") }
      return .token(answer.bytes, fetched: station.now)
    } catch {
      return .unreachable("\(list.host) does not answer: \(error)")
    }
  }
}
