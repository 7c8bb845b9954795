import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import Logging
import NIOCore
import ServiceLifecycle

/// The web demo over HTTP.
public struct DemoServer: Sendable {
  /// How it is set up.
  public struct Configuration: Sendable {
    /// Path of the world that is shown when nobody names one.
    public var world: String
    /// A folder with scenarios and worlds to choose from.
    public var folder: String
    /// The address to listen on.
    public var address: String
    /// The port; 0 for one that is free.
    public var port: Int
    /// Origins beside those of this machine whose pages may use the phone and ask for answers.
    public var allowedOrigins: [String]

    /// A set-up from its parts.
    public init(
      world: String, folder: String, address: String = "127.0.0.1", port: Int = 0, allowedOrigins: [String] = []
    ) {
      self.world = world
      self.folder = folder
      self.address = address
      self.port = port
      self.allowedOrigins = allowedOrigins
    }
  }

  /// How long a connection may be silent, in seconds: longer than a person takes to read a consent sheet.
  private static let idleSeconds: Int64 = 900
  /// How long requests under way may take to be answered once the server is asked to end: a world's answer takes a
  /// fraction of a second, and a client that sends its body by and by is not waited for.
  private static let endingTime = Duration.seconds(5)

  private let configuration: Configuration
  private let pages: Pages
  private let catalogue: Catalogue

  /// Reads what is shown.
  /// - Throws: ``InteractiveWorldError`` when there is no such world.
  public init(_ configuration: Configuration) throws {
    self.configuration = configuration
    pages = try Pages()
    _ = try DemoConfiguration(path: configuration.world).scenario()
    catalogue = Catalogue(folder: configuration.folder, world: configuration.world)
  }

  /// Listens until the process is asked to end, or its task is cancelled; requests under way are answered first, if they
  /// can be within some seconds.
  ///
  /// - Parameter ready: called with the stage's address and the port once it listens.
  public func run(ready: @escaping @Sendable (_ address: String, _ port: Int) -> Void) async throws {
    let sessions = Sessions()
    defer { sessions.end() }
    var services = ServiceGroupConfiguration(
      services: [application(sessions, ready: ready)], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: Self.logger)
    services.maximumGracefulShutdownDuration = Self.endingTime
    try await ServiceGroup(configuration: services).run()
  }

  private static var logger: Logger {
    var logger = Logger(label: "presentment")
    logger.logLevel = .error
    return logger
  }

  /// The server as an application that listens, or that a test asks without a socket.
  func application(
    _ sessions: Sessions, ready: @escaping @Sendable (_ address: String, _ port: Int) -> Void = { _, _ in }
  ) -> some ApplicationProtocol {
    let responder = DemoResponder(
      pages: pages, catalogue: catalogue, sessions: sessions, allowedOrigins: configuration.allowedOrigins)
    return Application(
      responder: responder,
      server: .http1(configuration: .init(idleTimeout: .seconds(Self.idleSeconds))),
      configuration: .init(
        address: .hostname(configuration.address, port: configuration.port), serverName: "presentment"),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        responder.listens(on: port)
        ready("http://demo.localhost:\(port)/", port)
      },
      logger: Self.logger)
  }
}
