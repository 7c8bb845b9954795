import Messaging
import MobileDocument
import StatusLists

/// Fetches lists for a verifier's server over the network, and uses copies as long as they count.
struct StatusFetcher {
  let station: Station
  /// Whose a host is, as a name service would say.
  let hosts: [String: Party]

  /// Asks for each list that no good copy is there of. Where none can be had a copy that no longer counts is better than
  /// nothing: it is out of date, and what it says of revoked documents stays true.
  func fetch(_ lists: [StatusListLocation], copies: StatusCopies) async -> [String: StatusListAnswer] {
    var answers: [String: StatusListAnswer] = [:]
    for list in lists {
      let copy = copies[list.uri]
      if let copy, station.now <= copy.until {
        station.note(.websiteListReused, "the copy of \(list.uri) of \(copy.fetched)")
        answers[list.uri] = .token(copy.bytes, fetched: copy.fetched)
        continue
      }
      let answer = await fetch(list)
      if case .unreachable = answer, let copy {
        answers[list.uri] = .token(copy.bytes, fetched: copy.fetched)
      } else {
        answers[list.uri] = answer
      }
    }
    return answers
  }

  private func fetch(_ list: StatusListLocation) async -> StatusListAnswer {
    guard let party = hosts[list.host] else { return .unreachable("nobody has the name \(list.host)") }
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
