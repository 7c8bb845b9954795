import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import InteractiveWorlds
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import Vocabulary

/// The web demo over HTTP.
public struct DemoServer: Sendable {
  /// The server's configuration.
  public struct Configuration: Sendable {
    /// Path of the world that is shown by default.
    public var world: String
    /// The folder with the scenarios and worlds of the menu.
    public var folder: String
    /// The address to listen on.
    public var address: String
    /// The port; 0 for any free port.
    public var port: Int
    /// Origins besides those of this machine whose pages may use the phone and request answers.
    public var allowedOrigins: [String]
    /// Origins whose pages may frame the stage.
    public var embeddingOrigins: [String] = []
    /// Names by which other machines reach the server, besides those that this machine knows itself.
    public var hostNames: [String] = []
    /// The port of the WebDriver BiDi endpoint, 0 for any free port; nil for none.
    public var bidiPort: Int?
    /// The place where the sandbox of every device parses requests; nil for each device's own.
    public var sandbox: WorldDescription.SandboxPlace?

    /// Creates a configuration.
    public init(
      world: String, folder: String, address: String = "127.0.0.1", port: Int = 0, allowedOrigins: [String] = []
    ) {
      self.world = world
      self.folder = folder
      self.address = address
      self.port = port
      self.allowedOrigins = allowedOrigins
    }

    var listening: ListeningAddress { ListeningAddress(address, names: hostNames) }

    /// The warning for an operator whose server other machines reach, line by line.
    public func warning(port: Int) -> [String] { listening.warning(port: port) }
  }

  /// The time until an idle connection is closed, in seconds: a browser that loads a page again soon finds it open. It
  /// does not hold while a request is being answered, for example while a person reads a consent sheet.
  private static let idleSeconds: Int64 = 60
  /// The time for open requests when the server is asked to end. A world's answer takes a fraction of a second; slow
  /// request bodies are cut off.
  private static let endingTime = Duration.seconds(5)

  private let configuration: Configuration
  private let pages: Pages
  private let catalogue: Catalogue

  /// Reads the pages and the catalogue.
  /// - Throws: ``InteractiveWorldError`` if the default world does not exist or cannot be read.
  public init(_ configuration: Configuration) throws {
    self.configuration = configuration
    pages = try Pages()
    _ = try DemoConfiguration(path: configuration.world).scenario()
    catalogue = Catalogue(folder: configuration.folder, world: configuration.world, sandbox: configuration.sandbox)
  }

  /// Listens until the process is asked to end, or its task is cancelled. Open requests are answered first, within a
  /// few seconds.
  ///
  /// - Parameters:
  ///   - ready: Called with the stage's address and the port when the server listens.
  ///   - bidiReady: Called with the address of the WebDriver BiDi endpoint when it listens.
  /// - Throws: ``ProgramError`` if it cannot listen on its address.
  public func run(
    ready: @escaping @Sendable (_ address: String, _ port: Int) -> Void,
    bidiReady: @escaping @Sendable (_ address: String) -> Void = { _ in }
  ) async throws {
    let sessions = Sessions()
    defer { sessions.end() }
    let contexts = BrowsingContexts(sessions: sessions)
    let announcements = Announcements(stage: ready, bidi: bidiReady)
    let application = application(sessions, contexts, ready: announcements.stageIsReady)
    let listens = AsyncStream<Void>.makeStream()
    let bidi = bidi(contexts) { address in
      announcements.bidiIsReady(address)
      listens.continuation.finish()
    }
    let all: [any Service] =
      bidi.map { [$0, FollowingService(first: listens.stream, service: application)] } ?? [application]
    var services = ServiceGroupConfiguration(
      services: all, gracefulShutdownSignals: [.sigterm, .sigint], logger: Self.logger)
    services.maximumGracefulShutdownDuration = Self.endingTime
    do {
      try await ServiceGroup(configuration: services).run()
    } catch {
      throw configuration.listening.refusal(of: error, port: configuration.port) ?? error
    }
  }

  private static var logger: Logger {
    var logger = Logger(label: "presentment")
    logger.logLevel = .error
    return logger
  }

  /// The WebDriver BiDi endpoint, or nil if none is wanted.
  func bidi(_ contexts: BrowsingContexts, ready: @escaping @Sendable (_ address: String) -> Void) -> BiDiService? {
    configuration.bidiPort.map { [configuration] port in
      BiDiService(
        contexts: contexts, address: configuration.address, port: port,
        allowedOrigins: configuration.allowedOrigins, names: configuration.listening.names,
        ready: { ready(configuration.listening.bidi(port: $0)) })
    }
  }

  /// The server as an application, for listening or for tests without a socket.
  func application(
    _ sessions: Sessions, _ contexts: BrowsingContexts? = nil, connections: ConnectionLimit = .ofServer(),
    pageWorkers: Workers = .forPages(),
    ready: @escaping @Sendable (_ address: String, _ port: Int) -> Void = { _, _ in }
  ) -> some ApplicationProtocol {
    let responder = DemoResponder(
      pages: pages, catalogue: catalogue, sessions: sessions,
      contexts: contexts ?? BrowsingContexts(sessions: sessions), connections: connections, pageWorkers: pageWorkers,
      configuration: configuration)
    return Application(
      responder: responder,
      server: HTTPServerBuilder { responder in
        LimitedHTTP(
          http: HTTP1Channel(responder: responder, configuration: .init(idleTimeout: .seconds(Self.idleSeconds))),
          connections: connections)
      },
      configuration: .init(
        address: .hostname(configuration.address, port: configuration.port), serverName: "presentment"),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        responder.listens(on: port)
        ready(configuration.listening.stage(port: port), port)
      },
      logger: Self.logger)
  }
}

/// A service that begins after the end of a stream: the server does not begin if the endpoint beside it cannot. It is the
/// first to shut down.
private struct FollowingService<Following: Service>: Service {
  let first: AsyncStream<Void>
  let service: Following

  func run() async throws {
    for await _ in first {}
    try Task.checkCancellation()
    try await service.run()
  }
}

/// Tells the addresses of the server's listeners, the stage's first.
private final class Announcements: Sendable {
  private let stage: @Sendable (_ address: String, _ port: Int) -> Void
  private let bidi: @Sendable (_ address: String) -> Void
  private let state = Mutex<(isStageReady: Bool, bidi: String?)>((false, nil))

  init(
    stage: @escaping @Sendable (_ address: String, _ port: Int) -> Void,
    bidi: @escaping @Sendable (_ address: String) -> Void
  ) {
    self.stage = stage
    self.bidi = bidi
  }

  @Sendable func stageIsReady(_ address: String, _ port: Int) {
    stage(address, port)
    let waiting = state.withLock { state in
      state.isStageReady = true
      return state.bidi
    }
    if let waiting { bidi(waiting) }
  }

  @Sendable func bidiIsReady(_ address: String) {
    let isFirst = state.withLock { state in
      if !state.isStageReady { state.bidi = address }
      return !state.isStageReady
    }
    if !isFirst { bidi(address) }
  }
}
