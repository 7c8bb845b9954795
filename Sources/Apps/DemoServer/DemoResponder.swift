import Ecosystem
import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import ServiceLifecycle
import Synchronization

/// Routes requests by host and path.
final class DemoResponder: HTTPResponder {
  typealias Context = BasicRequestContext

  private let pages: Pages
  private let catalogue: Catalogue
  private let sessions: Sessions
  private let allowedOrigins: [String]
  private let sandbox: WorldDescription.SandboxPlace?
  private let workers = Workers()
  private let kept = Plays()
  private let port = Mutex(0)

  init(
    pages: Pages, catalogue: Catalogue, sessions: Sessions, allowedOrigins: [String],
    sandbox: WorldDescription.SandboxPlace?
  ) {
    self.pages = pages
    self.catalogue = catalogue
    self.sessions = sessions
    self.allowedOrigins = allowedOrigins
    self.sandbox = sandbox
  }

  /// Stores the port that the server listens on.
  func listens(on port: Int) { self.port.withLock { $0 = port } }

  private var hosts: Hosts { Hosts(port: port.withLock { $0 }) }
  private var stage: StageRoutes {
    StageRoutes(sessions: sessions, catalogue: catalogue, hosts: hosts, workers: workers, sandbox: sandbox)
  }
  private var plays: PlayRoutes {
    PlayRoutes(catalogue: catalogue, workers: workers, plays: kept, sandbox: sandbox ?? .inProcess)
  }
  private var calls: CallRoutes { CallRoutes(sessions: sessions, stage: stage, allowedOrigins: allowedOrigins) }
  private var answers: AnswerRoute {
    AnswerRoute(
      catalogue: catalogue, hosts: hosts, allowedOrigins: allowedOrigins, workers: workers, sandbox: sandbox)
  }
  private var sites: SiteRoutes { SiteRoutes(sessions: sessions, pages: pages, hosts: hosts) }

  func respond(to request: Request, context: Context) async throws -> Response {
    // A graceful shutdown does not wait for responses that depend on a person.
    await withGracefulShutdownHandler {
      await respond(to: request)
    } onGracefulShutdown: { [sessions] in
      sessions.end()
    }
  }

  private func respond(to request: Request) async -> Response {
    var response: Response
    do throws(HTTPProblem) {
      switch try hosts.owner(of: request.head.authority) {
      case .stage: response = try await respondOnStage(request)
      case .website(let name): response = try await respond(request, as: name)
      }
    } catch {
      response = Reply.problem(error)
    }
    if request.uri.path.hasPrefix("/api/worlds/") { calls.setCrossOrigin(&response, for: request) }
    if ["/api/answer", "/api/issuer-roots"].contains(request.uri.path) {
      answers.setCrossOrigin(&response, for: request)
    }
    if request.method == .head { response = response.createHeadResponse() }
    return response
  }

  private func respondOnStage(_ request: Request) async throws(HTTPProblem) -> Response {
    let path = request.uri.path.split(separator: "/").map(String.init)
    switch path.count {
    case 0: return try only([.get], request) { pages.stage(websites: "http://*.localhost:\(hosts.port)") }
    case 1 where path[0] == "phone":
      return try only([.get], request) { pages.phone(world: request.query("world") ?? Catalogue.defaultWorld) }
    default: break
    }
    guard path.first == "api" else {
      guard let asset = pages.asset(path.joined(separator: "/")) else { throw Self.notFound(request) }
      return try only([.get], request) { asset }
    }
    switch (path.dropFirst().first, path.count) {
    case ("catalogue", 2):
      try require([.get], request)
      return try await stage.choices()
    case ("answer", 2):
      if request.method == .options, request.origin != nil { return try answers.preflight(request) }
      try require([.post], request)
      return try await answers.answer(request)
    case ("issuer-roots", 2):
      try require([.get], request)
      return try await answers.issuerRoots(request)
    case ("play", _):
      try require([.get], request)
      guard let response = try await plays.respond(request, Array(path.dropFirst(2))) else {
        throw Self.notFound(request)
      }
      return response
    case ("worlds", 2):
      try require([.post], request)
      return try await stage.begin(request)
    case ("worlds", 3...): return try await respondInWorld(request, Array(path.dropFirst(2)))
    default: throw Self.notFound(request)
    }
  }

  /// Responds to requests for one world: `/api/worlds/ID/…`.
  private func respondInWorld(_ request: Request, _ path: [String]) async throws(HTTPProblem) -> Response {
    if request.method == .options { return try calls.preflight(request) }
    let session = try await session(path[0])
    switch (path.dropFirst().first, path.count) {
    case (nil, 1): return try only([.get], request) { stage.show(session) }
    case ("events", 2):
      try require([.get], request)
      let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] } ?? request.query("after")
      return StageEvents(session: session).response(after: last)
    case ("steps", 2):
      try require([.post], request)
      return try await stage.step(request, in: session)
    case ("judge", 2):
      try require([.post], request)
      return try await stage.judge(request, in: session)
    case ("recording", 2): return try only([.get], request) { stage.recording(of: session) }
    case ("messages", 3):
      try require([.get], request)
      return try await stage.message(Int(path[2]) ?? 0, in: session, workers)
    case ("pages", 2):
      try require([.post], request)
      return try await calls.join(request, session.identifier)
    case ("calls", 2):
      try require([.post], request)
      return try await calls.call(request, in: session)
    case ("calls", 4) where path[3] == "abort":
      try require([.post], request)
      return try await calls.abort(request, path[2], in: session)
    default: throw Self.notFound(request)
    }
  }

  private func respond(_ request: Request, as website: String) async throws(HTTPProblem) -> Response {
    let path = request.uri.path.split(separator: "/").map(String.init)
    if let asset = pages.asset(path.joined(separator: "/")) { return try only([.get], request) { asset } }
    let session = try await session(request.query("world") ?? Catalogue.defaultWorld)
    switch path {
    case []:
      try require([.get], request)
      return try await sites.page(website, in: session, isOpened: request.method != .head)
    case ["presentments"]:
      try requireOwnOrigin(request, website)
      return try await sites.begin(website, in: session)
    case ["presentments", "response"]:
      try requireOwnOrigin(request, website)
      return try await sites.submit(request, website, in: session)
    case ["fallback"]:
      try requireOwnOrigin(request, website)
      return try await sites.fallBack(request)
    default: throw Self.notFound(request)
    }
  }

  /// Returns the session with a name. The session of the default world is started at its first use.
  private func session(_ name: String) async throws(HTTPProblem) -> Session {
    guard name == Catalogue.defaultWorld else { return try sessions.find(name) }
    return try await sessions.find(named: name) { [stage] () async throws(HTTPProblem) in
      try await stage.begin(StageRoutes.Beginning())
    }
  }

  private func requireOwnOrigin(_ request: Request, _ website: String) throws(HTTPProblem) {
    try require([.post], request)
    guard request.origin == nil || request.origin == hosts.origin(of: website) else {
      throw HTTPProblem(.forbidden, .origin, "pages of \(request.origin?.quoted ?? "") may not do this")
    }
  }

  private func require(_ methods: [HTTPRequest.Method], _ request: Request) throws(HTTPProblem) {
    let isRead = request.method == .head && methods.contains(.get)
    guard isRead || methods.contains(request.method) else {
      var problem = HTTPProblem(.methodNotAllowed, .method, "\(request.uri.path.quoted) does not support this method")
      problem.allowed = methods
      throw problem
    }
  }

  private func only(
    _ methods: [HTTPRequest.Method], _ request: Request, _ body: () throws(HTTPProblem) -> Response
  ) throws(HTTPProblem) -> Response {
    try require(methods, request)
    return try body()
  }

  private static func notFound(_ request: Request) -> HTTPProblem {
    HTTPProblem(.notFound, .notFound, "unknown path \(request.uri.path.quoted)")
  }
}
