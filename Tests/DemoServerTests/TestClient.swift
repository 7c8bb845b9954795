import HTTPTypes
import Hummingbird
import InteractiveWorlds
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

@testable import DemoServer

/// A client of a server under test.
struct TestClient: Sendable {
  /// In seconds. A test's own limit comes first.
  static let patience: Double = 3_600

  /// An answer with its whole body.
  struct Response: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: ByteBuffer
  }

  /// The maximum length of an answer in bytes: many times that of a trace with portraits.
  private static let maximumAnswerLength = 16 << 20

  fileprivate let respond: @Sendable (HTTPRequest, ByteBuffer?) async throws -> Response
  /// The port of the server; nil if the client calls it without a socket.
  let port: Int?

  /// Sends a request and returns the answer.
  /// - Parameter authority: the host that the request is for.
  func execute(
    uri: String, method: HTTPRequest.Method, authority: String = "localhost", headers: HTTPFields = [:],
    body: ByteBuffer? = nil
  ) async throws -> Response {
    var headers = headers
    if let body { headers[.contentLength] = String(body.readableBytes) }
    return try await respond(
      HTTPRequest(method: method, scheme: "http", authority: authority, path: uri, headerFields: headers), body)
  }

  /// Sends a request over a connection of its own.
  fileprivate static func send(_ request: HTTPRequest, _ body: ByteBuffer?, to port: Int) async throws -> Response {
    var headers = HTTPHeaders(request.headerFields.map { ($0.name.rawName, $0.value) })
    headers.add(name: "Host", value: request.authority ?? "")
    headers.add(name: "Connection", value: "close")
    let head = HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: request.method.rawValue), uri: request.path ?? "",
      headers: headers)
    let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
    let connection = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        try channel.pipeline.syncOperations.addHandler(
          NIOHTTPClientResponseAggregator(maxContentLength: maximumAnswerLength))
        return try NIOAsyncChannel<NIOHTTPClientResponseFull, HTTPClientRequestPart>(
          wrappingChannelSynchronously: channel)
      }
    }
    return try await connection.executeThenClose { answers, requests in
      // At once: a server that refuses a request by its head closes the connection, and what is written later fails.
      try await requests.write(
        contentsOf: [.head(head)] + (body.map { [.body(.byteBuffer($0))] } ?? []) + [.end(nil)])
      for try await answer in answers {
        return Response(
          status: HTTPResponse.Status(code: Int(answer.head.status.code)), headers: HTTPFields(answer.head.headers),
          body: answer.body ?? ByteBuffer())
      }
      throw ChannelError.eof
    }
  }
}

extension HTTPFields {
  fileprivate init(_ headers: HTTPHeaders) {
    self.init(headers.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } })
  }
}

extension DemoServer {
  /// Calls the server without a socket.
  func test<Value: Sendable>(
    _ sessions: Sessions = Sessions(), pageWorkers: Workers = .forPages(),
    _ body: @Sendable (TestClient) async throws -> Value
  ) async throws -> Value {
    defer { sessions.end() }
    let application = application(sessions, pageWorkers: pageWorkers)
    return try await body(TestClient(respond: Self.responder(of: application), port: nil))
  }

  private static func responder<App: ApplicationProtocol>(
    of application: App
  ) async throws -> @Sendable (HTTPRequest, ByteBuffer?) async throws -> TestClient.Response {
    let (responder, logger) = (try await application.responder, application.logger)
    return { head, body in
      let context = App.Responder.Context(source: .init(channel: NIOAsyncTestingChannel(), logger: logger))
      let request = Request(head: head, body: RequestBody(buffer: body ?? ByteBuffer()))
      let response = try await responder.respond(to: request, context: context)
      let whole = WholeBody()
      try await response.body.write(whole)
      return TestClient.Response(status: response.status, headers: response.headers, body: whole.bytes)
    }
  }

  /// Serves on a free port while a function runs.
  func testListening(
    _ sessions: Sessions = Sessions(), _ contexts: BrowsingContexts? = nil,
    connections: ConnectionLimit = .ofServer(), pageWorkers: Workers = .forPages(),
    _ body: @Sendable (TestClient, _ port: Int) async throws -> Void
  ) async throws {
    defer { sessions.end() }
    let (ports, found) = AsyncStream.makeStream(of: Int.self)
    let application = application(sessions, contexts, connections: connections, pageWorkers: pageWorkers) {
      found.yield($1)
    }
    let services = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: [application], logger: application.logger))
    try await withThrowingTaskGroup { group in
      group.addTask {
        defer { found.finish() }
        try await services.run()
      }
      var iterator = ports.makeAsyncIterator()
      if let port = await iterator.next() {
        let client = TestClient(respond: { try await TestClient.send($0, $1, to: port) }, port: port)
        do {
          try await body(client, port)
        } catch {
          await services.triggerGracefulShutdown()
          throw error
        }
        await services.triggerGracefulShutdown()
      }
      // An error of the server ends the test.
      try await group.waitForAll()
    }
  }
}

/// Collects the body of an answer.
private final class WholeBody: ResponseBodyWriter {
  private(set) var bytes = ByteBuffer()

  func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }
  func finish(_: HTTPFields?) async throws {}
}

extension Session {
  /// Waits for a state of the world. The test's time limit ends the wait.
  func wait(until isSo: @escaping @Sendable (InteractiveWorld.Snapshot) -> Bool) async {
    let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
    let watch = world.watch { changed.yield(isSo($0)) }
    defer { world.unwatch(watch) }
    for await isNow in changes where isNow { return }
  }
}
