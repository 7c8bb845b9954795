import Ecosystem
import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import ServiceLifecycle
import Synchronization

/// Routes requests by host and path.
final class DemoResponder: HTTPResponder {
  private let pages: Pages
  private let catalogue: Catalogue
  private let sessions: Sessions
  private let configuration: DemoServer.Configuration
  private let workers = Workers()
  private let kept = Plays()
  private let port = Mutex(0)
  private let names: [String]

  init(
    pages: Pages, catalogue: Catalogue, sessions: Sessions, configuration: DemoServer.Configuration
  ) {
    self.pages = pages
    self.catalogue = catalogue
    self.sessions = sessions
    self.configuration = configuration
    names = configuration.listening.names
  }

  /// Stores the port that the server listens on.
  func listens(on port: Int) { self.port.withLock { $0 = port } }

  private var hosts: Hosts { Hosts(port: port.withLock { $0 }, names: names) }
  private var callers: Callers {
    Callers(
      hosts: hosts, allowedOrigins: configuration.allowedOrigins, embeddingOrigins: configuration.embeddingOrigins)
  }
  private var plays: PlayRoutes {
    PlayRoutes(
      catalogue: catalogue, workers: workers, plays: kept, sandbox: configuration.sandbox ?? .inProcess)
  }
  private var beside: BesideRoutes { BesideRoutes(plays: plays, workers: workers) }
  private var stage: StageRoutes {
    StageRoutes(
      sessions: sessions, catalogue: catalogue, hosts: hosts, workers: workers, sandbox: configuration.sandbox)
  }
  private var calls: CallRoutes { CallRoutes(sessions: sessions, stage: stage, callers: callers) }
  private var answers: AnswerRoute {
    AnswerRoute(
      catalogue: catalogue, hosts: hosts, allowedOrigins: configuration.allowedOrigins, workers: workers,
      sandbox: configuration.sandbox)
  }
  private var sites: SiteRoutes { SiteRoutes(sessions: sessions, pages: pages, callers: callers, stage: stage) }

  func respond(to request: Request, context: DemoContext) async throws -> Response {
    // A graceful shutdown does not wait for responses that depend on a person.
    await withGracefulShutdownHandler {
      await respond(to: request, over: context.connection)
    } onGracefulShutdown: { [sessions] in
      sessions.end()
    }
  }

  private func respond(to request: Request, over connection: DemoContext.Connection) async -> Response {
    var response: Response
    do throws(HTTPProblem) {
      switch try hosts.owner(of: request.head.authority) {
      case .stage: response = try await respondOnStage(request, over: connection)
      case .website(let name): response = try await respond(request, as: name)
      }
    } catch {
      response = Reply.problem(error)
    }
    if request.uri.path.hasPrefix("/api/") { Reply.setOwnOnly(&response) }
    if request.uri.path.hasPrefix("/api/worlds/") { calls.setCrossOrigin(&response, for: request) }
    if ["/api/answer", "/api/issuer-roots"].contains(request.uri.path) {
      answers.setCrossOrigin(&response, for: request)
    }
    if request.method == .head { response = response.createHeadResponse() }
    return response
  }

  private func respondOnStage(
    _ request: Request, over connection: DemoContext.Connection
  ) async throws(HTTPProblem) -> Response {
    let path = request.uri.path.split(separator: "/").map(String.init)
    switch path.count {
    case 0:
      return try only([.get], request) {
        pages.stage(websites: "http://*.localhost:\(hosts.port)", framedBy: callers.framesOfStage)
      }
    case 1 where path[0] == "phone":
      return try only([.get], request) {
        pages.phone(world: request.query("world") ?? Catalogue.defaultWorld, framedBy: callers.framesOfPhone)
      }
    case 1 where path[0] == "beside":
      return try only([.get], request) { pages.beside(framedBy: callers.framesOfStage) }
    default: break
    }
    guard path.first == "api" else {
      guard let asset = pages.asset(path.joined(separator: "/")) else { throw Self.notFound(request) }
      return try only([.get], request) { asset }
    }
    // Pages of other origins may use some of it, and say who they are.
    let isForPages = ["answer", "issuer-roots", "worlds"].contains(path.dropFirst().first)
    guard request.isFromOwnPage || isForPages && request.origin != nil else { throw request.refusal }
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
    case ("beside", 2):
      try require([.get], request)
      return try await beside.respond(request)
    case ("worlds", 2):
      try require([.post], request)
      return try await stage.begin(request)
    case ("worlds", 3...): return try await respondInWorld(request, Array(path.dropFirst(2)), over: connection)
    default: throw Self.notFound(request)
    }
  }

  /// Responds to requests for one world: `/api/worlds/ID/…`.
  private func respondInWorld(
    _ request: Request, _ path: [String], over connection: DemoContext.Connection
  ) async throws(HTTPProblem) -> Response {
    if request.method == .options { return try calls.preflight(request) }
    let isForPages = ["pages", "calls"].contains(path.dropFirst().first)
    let session = try await session(path[0], for: request, isForPages: isForPages)
    switch (path.dropFirst().first, path.count) {
    case (nil, 1): return try only([.get, .post], request) { stage.show(session) }
    case ("events", 2):
      try require([.get], request)
      let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] } ?? request.query("after")
      return try StageEvents(session: session).response(after: last, drop: connection.close)
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

  /// Returns the session of a world for a request that may use it. Only a POST request starts the default world.
  ///
  /// - Parameter isForPages: true for what pages of other origins do.
  private func session(
    _ name: String, for request: Request, isForPages: Bool
  ) async throws(HTTPProblem) -> Session {
    if request.method == .post {
      if isForPages { try callers.requirePage(request) } else { try request.requireOwnPage() }
      return try await session(name)
    }
    let session = try sessions.find(name)
    if !isForPages { try callers.requireReader(request, of: session) }
    return session
  }

  private func respond(_ request: Request, as label: String) async throws(HTTPProblem) -> Response {
    let path = request.uri.path.split(separator: "/").map(String.init)
    if let asset = pages.asset(path.joined(separator: "/")) { return try only([.get], request) { asset } }
    guard [[], ["visits"], ["presentments"], ["presentments", "response"], ["fallback"]].contains(path) else {
      throw Self.notFound(request)
    }
    let world = request.query("world") ?? Catalogue.defaultWorld
    if path.isEmpty {
      try require([.get], request)
      return try await sites.page(label, in: world)
    }
    try require([.post], request)
    try request.requireOwnPage()
    switch path {
    case ["visits"]: return try await sites.visit(label, in: try await session(world))
    case ["presentments"]: return try await sites.begin(label, in: try await session(world))
    case ["presentments", "response"]:
      return try await sites.submit(request, label, in: try await session(world))
    default: return try await sites.fallBack(request)
    }
  }

  /// Returns the session with a name. The session of the default world is started at its first use.
  private func session(_ name: String) async throws(HTTPProblem) -> Session {
    guard name == Catalogue.defaultWorld else { return try sessions.find(name) }
    return try await sessions.find(named: name) { [stage] () async throws(HTTPProblem) in
      try await stage.begin(StageRoutes.Beginning())
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
