import HTTPTypes

/// A route of the server's interface, below `/api`. Web/Assets/openapi.yaml describes each of them.
enum APIRoute: String, CaseIterable {
  case catalogue = "/api/catalogue"
  case answer = "/api/answer"
  case issuerRoots = "/api/issuer-roots"
  case play = "/api/play"
  case playMessage = "/api/play/message/{number}"
  case playPage = "/api/play/page"
  case playSweep = "/api/play/sweep"
  case playScenario = "/api/play/scenario"
  case playRegistrations = "/api/play/registrations"
  case beside = "/api/beside"
  case reference = "/api/reference"
  case pages = "/api/pages"
  case pageEvents = "/api/pages/events"
  case pageFaults = "/api/pages/{page}/faults"
  case worlds = "/api/worlds"
  case world = "/api/worlds/{world}"
  case worldEvents = "/api/worlds/{world}/events"
  case worldSteps = "/api/worlds/{world}/steps"
  case worldJudge = "/api/worlds/{world}/judge"
  case worldRecording = "/api/worlds/{world}/recording"
  case worldRegistrations = "/api/worlds/{world}/registrations"
  case worldMessage = "/api/worlds/{world}/messages/{number}"
  case worldPages = "/api/worlds/{world}/pages"
  case worldPageLeave = "/api/worlds/{world}/pages/{context}/leave"
  case worldReset = "/api/worlds/{world}/reset"
  case worldTest = "/api/worlds/{world}/test/{command}"
  case worldVirtualWallet = "/api/worlds/{world}/virtual-wallet"
  case worldCalls = "/api/worlds/{world}/calls"
  case worldCallAbort = "/api/worlds/{world}/calls/{call}/abort"

  /// The methods besides HEAD, and OPTIONS for preflight requests.
  var methods: [HTTPRequest.Method] {
    switch self {
    case .catalogue, .issuerRoots, .play, .playMessage, .playPage, .playSweep, .playScenario, .playRegistrations,
      .beside, .reference, .pages, .pageEvents, .worldEvents, .worldRecording, .worldRegistrations, .worldMessage:
      [.get]
    case .answer, .pageFaults, .worlds, .worldSteps, .worldJudge, .worldPages, .worldPageLeave, .worldReset,
      .worldTest, .worldVirtualWallet, .worldCalls, .worldCallAbort:
      [.post]
    case .world: [.get, .post]
    }
  }

  /// True for a route that pages of other origins may use, within the limits of ``Callers``.
  var isForPages: Bool {
    switch self {
    case .answer, .issuerRoots, .worlds, .world, .worldEvents, .worldSteps, .worldJudge, .worldRecording,
      .worldRegistrations, .worldMessage, .worldPages, .worldPageLeave, .worldReset, .worldTest, .worldVirtualWallet,
      .worldCalls, .worldCallAbort:
      true
    case .catalogue, .play, .playMessage, .playPage, .playSweep, .playScenario, .playRegistrations, .beside, .reference,
      .pages, .pageEvents, .pageFaults:
      false
    }
  }

  /// Returns the route of a path, and the values of its variable parts in their order.
  static func find(_ path: [String]) -> (route: APIRoute, values: [String])? {
    for route in allCases {
      let parts = route.rawValue.split(separator: "/")
      guard parts.count == path.count else { continue }
      let pairs = zip(parts, path)
      guard pairs.allSatisfy({ $0.hasPrefix("{") || $0 == $1 }) else { continue }
      return (route, pairs.filter { $0.0.hasPrefix("{") }.map(\.1))
    }
    return nil
  }
}
