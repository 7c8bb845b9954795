import Crypto
import DemoServer
import ExchangeFiles
import Foundation
import InteractiveWorlds

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Presentments over HTTP, as `presentment serve` answers them.
struct ServeMeasures {
  /// The number of connections at the same time.
  static let connections = 16

  private let server: Task<Void, any Error>
  private let session: URLSession
  private let request: URLRequest

  /// Starts a server on a free port.
  init() async throws {
    let demo = try DemoServer(
      DemoServer.Configuration(world: "scenarios/worlds/any-site.yaml", folder: "scenarios/worlds"))
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    server = Task {
      // Ends the wait for the port if the server has ended.
      defer { port.finish() }
      try await demo.run { port.yield($1) }
    }
    var found = ports.makeAsyncIterator()
    guard let number = await found.next(), let url = URL(string: "http://127.0.0.1:\(number)/api/answer") else {
      throw ProgramError(.measurement, "the server does not start")
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = Self.connections
    session = URLSession(configuration: configuration)
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try Self.body()
    self.request = request
  }

  private static func body() throws -> Data {
    let origin = "https://site.example"
    let names = ["given_name:retain", "family_name:retain", "age_over_21", "portrait", "driving_privileges"]
    let items = try RequestedElements.items(
      documentType: "org.iso.18013.5.1.mDL", elements: names.map { "org.iso.18013.5.1:\($0)" })
    let made = try RequestBuilder(origin: try RequestBuilder.origin(origin), documents: [items], readers: []).make(
      recipientKey: P256.KeyAgreement.PrivateKey(), nonce: SystemBytes.draw(RequestBuilder.nonceLength))
    return Data(#"{"origin":"\#(origin)","request":"#.utf8) + Data(made.page) + Data("}".utf8)
  }

  /// Requests answers over all connections.
  /// - Returns: the time in seconds.
  /// - Throws: ``ProgramError`` if a request is refused.
  func answer(_ count: Int) async throws -> Double {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for connection in 0..<Self.connections {
        let share = count / Self.connections + (connection < count % Self.connections ? 1 : 0)
        group.addTask { [session, request] in
          for _ in 0..<share { try await Self.ask(session, request) }
        }
      }
      try await group.waitForAll()
    }
    return start.duration(to: .now) / .seconds(1)
  }

  private static func ask(_ session: URLSession, _ request: URLRequest) async throws {
    let (data, response) = try await session.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
      throw ProgramError(.measurement, String(decoding: data, as: UTF8.self))
    }
  }

  /// Closes the connections and ends the server.
  func stop() {
    session.invalidateAndCancel()
    server.cancel()
  }
}
