import Foundation
import Hummingbird
import Logging
import Metrics
import Primitives
import ServiceLifecycle

/// `RelyingPartyServer CONFIGURATION.json`
@main
struct RelyingPartyServer {
  static func main() async {
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    let logger = Logger(label: "relying-party")
    guard CommandLine.arguments.count == 2 else {
      logger.critical("usage: RelyingPartyServer CONFIGURATION.json")
      exit(2)
    }
    do {
      try await run(Configuration(file: URL(fileURLWithPath: CommandLine.arguments[1])), logger: logger)
    } catch {
      logger.critical("the server ends", metadata: ["error": "\(error)"])
      exit(1)
    }
  }

  static func run(_ configuration: Configuration, logger: Logger) async throws {
    let metrics = MetricsRegistry()
    MetricsSystem.bootstrap(metrics)
    let store = try SessionStore(configuration.sessions)
    let trust = try await Trust(configuration, store: store, logger: logger)
    let routes = Routes(
      configuration: configuration, presentments: Presentments(configuration, trust: trust, store: store),
      metrics: metrics)
    let (host, port) = try address(configuration.address)
    let server = Application(
      router: routes.router, configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
      onServerRunning: { channel in
        // The first line of standard output, for programs that start this one.
        print("http://\(host):\(channel.localAddress?.port ?? port)")
        fflush(nil)
      }, logger: logger)
    let housekeeping = Housekeeping(
      seconds: configuration.refreshSeconds, trust: trust, store: store, logger: logger)
    try await ServiceGroup(
      services: [server, housekeeping], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
    ).run()
  }

  struct InvalidAddress: Error, CustomStringConvertible {
    let description: String
  }

  private static func address(_ text: String) throws -> (String, Int) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else {
      throw InvalidAddress(description: "the address '\(text)' is not HOST:PORT")
    }
    return (String(text[..<colon]), port)
  }
}

/// Deletes expired sessions, and reads roots, lists and keys again.
struct Housekeeping: Service {
  let seconds: Int64
  let trust: Trust
  let store: SessionStore
  let logger: Logger

  func run() async throws {
    for await _ in AsyncTimer(every: .seconds(seconds)).cancelOnGracefulShutdown() {
      await trust.refresh()
      do {
        let count = try await store.deleteExpired(at: DateTime(Date()))
        Counter(label: "sessions_expired").increment(by: count)
      } catch {
        logger.error("expired sessions stay", metadata: ["error": "\(error)"])
      }
    }
  }
}

/// An element after each interval, until the task is cancelled.
struct AsyncTimer: AsyncSequence, Sendable {
  let every: Duration

  struct AsyncIterator: AsyncIteratorProtocol {
    let every: Duration
    func next() async -> Void? { (try? await Task.sleep(for: every)) != nil ? () : nil }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(every: every) }
}
