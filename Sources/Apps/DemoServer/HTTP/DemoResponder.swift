import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import NIOCore
import ServiceLifecycle
import Synchronization

/// Routes requests by host and path.
final class DemoResponder: HTTPResponder {
  private let pages: Pages
  private let catalogue: Catalogue
  private let sessions: Sessions
  private let configuration: DemoServer.Configuration
  private let contexts: BrowsingContexts
  private let connections: ConnectionLimit
  private let workers = Workers.forRequests()
  private let pageWorkers: Workers
  private let kept = Plays()
  private let port = Mutex(0)
  private let names: [String]

  init(
    pages: Pages, catalogue: Catalogue, sessions: Sessions, contexts: BrowsingContexts, connections: ConnectionLimit,
    pageWorkers: Workers, configuration: DemoServer.Configuration
  ) {
    self.pages = pages
    self.catalogue = catalogue
    self.sessions = sessions
    self.contexts = contexts
    self.connections = connections
    self.pageWorkers = pageWorkers
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
      catalogue: catalogue, workers: workers, pageWorkers: pageWorkers, plays: kept,
      sandbox: configuration.sandbox)
  }
  private var stage: StageRoutes {
    StageRoutes(
      sessions: sessions, catalogue: catalogue, hosts: hosts, workers: workers, sandbox: configuration.sandbox)
  }
  private var calls: CallRoutes {
    CallRoutes(sessions: sessions, stage: stage, callers: callers, catalogue: catalogue, contexts: contexts)
  }
  private var externalPages: ExternalPageRoutes { ExternalPageRoutes(sessions: sessions) }
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
      try request.requireOneHost()
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
    guard path.first == "api" else {
      guard let page = page(at: path, request) else { throw Self.notFound(request) }
      try require([.get], request)
      return page
    }
    guard let (route, values) = APIRoute.find(path) else {
      guard request.isFromOwnPage else { throw request.refusal }
      throw Self.notFound(request)
    }
    guard request.isFromOwnPage || route.isForPages && request.origin != nil else { throw request.refusal }
    if request.method == .options, let response = try preflight(request, route) { return response }
    let session = try await session(for: request, route, values)
    try require(route.methods, request)
    return try await respond(to: request, route, values, session, over: connection)
  }

  /// Returns the page or the file at a path on the stage's host, or nil.
  private func page(at path: [String], _ request: Request) -> Response? {
    switch path {
    case []: pages.stage(websites: "http://*.localhost:\(hosts.port)", framedBy: callers.framesOfStage)
    case ["phone"]:
      pages.phone(world: request.query("world") ?? Catalogue.defaultWorld, framedBy: callers.framesOfPhone)
    case ["beside"]: pages.beside(framedBy: callers.framesOfStage)
    case ["notes"]: pages.notes()
    case ["tour"]: pages.tour()
    case ["reference"]: pages.reference()
    default: pages.asset(path.joined(separator: "/"))
    }
  }

  private func preflight(_ request: Request, _ route: APIRoute) throws(HTTPProblem) -> Response? {
    switch route {
    case .answer: request.origin == nil ? nil : try answers.preflight(request)
    case .world, .worldEvents, .worldSteps, .worldJudge, .worldRecording, .worldRegistrations, .worldMessage,
      .worldPages, .worldPageLeave, .worldReset, .worldTest, .worldVirtualWallet, .worldCalls, .worldCallAbort:
      try calls.preflight(request)
    default: nil
    }
  }

  /// Returns the session of the world in a route's path, if the route has one and the request may use it.
  private func session(
    for request: Request, _ route: APIRoute, _ values: [String]
  ) async throws(HTTPProblem) -> Session? {
    switch route {
    case .world, .worldEvents, .worldSteps, .worldJudge, .worldRecording, .worldRegistrations,
      .worldMessage:
      try await session(values[0], for: request, isForPages: false)
    case .worldReset, .worldTest, .worldVirtualWallet, .worldCalls, .worldCallAbort:
      try await session(values[0], for: request, isForPages: true)
    default: nil
    }
  }

  private func respond(
    to request: Request, _ route: APIRoute, _ values: [String], _ known: Session?,
    over connection: DemoContext.Connection
  ) async throws(HTTPProblem) -> Response {
    func world() throws(HTTPProblem) -> Session {
      guard let known else { throw .noWorld }
      return known
    }
    switch route {
    case .catalogue: return try await stage.choices(request)
    case .answer: return try await answers.answer(request)
    case .issuerRoots: return try await answers.issuerRoots(request)
    case .play: return try await plays.whole(request)
    case .playMessage: return try await plays.message(request, values[0])
    case .playPage: return try await plays.page(request, for: connections.client(of: connection))
    case .playSweep: return try await SweepRoute(plays: plays).respond(request, to: connections.client(of: connection))
    case .playScenario: return try plays.scenario(request)
    case .playRegistrations: return try await plays.registrations(request)
    case .beside: return try await plays.beside(request)
    case .reference:
      guard let entry = request.query("name").flatMap(Reference.shared.entry) else {
        throw HTTPProblem(.notFound, .notFound, "the reference has no entry of this name")
      }
      return Reply.json(entry)
    case .pages: return externalPages.list()
    case .pageEvents: return try externalPages.events()
    case .pageFaults: return try await externalPages.setFaults(request, values[0])
    case .worlds: return try await stage.begin(request)
    case .world: return stage.show(try world())
    case .worldEvents:
      let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] } ?? request.query("after")
      return try StageEvents(session: try world()).response(after: last, drop: connection.close)
    case .worldSteps: return try await stage.step(request, in: try world())
    case .worldJudge: return try await stage.judge(request, in: try world())
    case .worldRecording: return stage.recording(of: try world())
    case .worldRegistrations: return try await workers.registrations(request, of: try world().world.journal.entries)
    case .worldMessage: return try await stage.message(Int(values[1]) ?? 0, in: try world())
    case .worldPages:
      return try await calls.join(request, values[0]) { () async throws(HTTPProblem) in try await session(values[0]) }
    case .worldPageLeave: return try calls.leave(request, values[1])
    case .worldReset: return try calls.reset(request, in: try world())
    case .worldTest: return try await calls.test(request, values[1], in: try world())
    case .worldVirtualWallet: return try await calls.setVirtualWallet(request, in: try world())
    case .worldCalls: return try await calls.call(request, in: try world())
    case .worldCallAbort: return try await calls.abort(request, values[1], in: try world())
    }
  }

  /// Returns the session of a world for a request that may use it. Only a POST request starts the default world.
  ///
  /// - Parameter isForPages: True for what pages of other origins do.
  private func session(_ name: String, for request: Request, isForPages: Bool) async throws(HTTPProblem) -> Session {
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
    if let asset = pages.asset(path.joined(separator: "/")) {
      try require([.get], request)
      return asset
    }
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
    case ["presentments", "response"]: return try await sites.submit(request, label, in: try await session(world))
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

  private static func notFound(_ request: Request) -> HTTPProblem {
    HTTPProblem(.notFound, .notFound, "unknown path \(request.uri.path.quoted)")
  }
}

/// The circumstances of a request: Hummingbird's, and the request's connection.
struct DemoContext: RequestContext {
  /// The connection of a request.
  struct Connection: Sendable {
    let channel: any Channel

    /// Closes the connection, and so ends a write that waits for the client.
    @Sendable func close() { channel.close(promise: nil) }
  }

  var coreContext: CoreRequestContextStorage
  let connection: Connection

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    connection = Connection(channel: source.channel)
  }
}
