import CommandSupport
import DemoServer
import ExchangeFiles
import Foundation
import InteractiveWorlds
import MeasuredWork
import NIOCore
import NIOHTTP1
import NIOPosix

/// Presentments over HTTP, as `presentment serve` answers them. `presentment bench serve` starts this program for them.
struct ServeMeasures {
  /// Answers presentments over HTTP in two halves, and prints what they took. The second half shows the memory that is
  /// not from filled caches.
  /// - Parameter count: The number of answers in each half.
  static func measure(_ count: Int) async throws {
    let measures = try await ServeMeasures()
    defer { measures.stop() }
    let first = try await measures.answer(count)
    let before = ResidentMemory.read()?.now
    let second = try await measures.answer(count)
    let after = ResidentMemory.read()?.now
    let answers = MeasuredAnswers(
      microseconds: [first, second].map { $0 / Double(count) * 1e6 }, memory: [before, after].compactMap { $0 })
    StandardOutput.print(String(decoding: try JSONEncoder().encode(answers), as: UTF8.self))
  }

  /// The maximum length of an answer in bytes: many times that of a trace with portraits.
  private static let maximumAnswerLength = 16 << 20

  private let server: Task<Void, any Error>
  private let port: Int
  private let body: ByteBuffer

  /// Starts a server on a free port.
  init() async throws {
    body = ByteBuffer(bytes: try Self.body())
    let demo = try DemoServer(
      DemoServer.Configuration(world: "scenarios/worlds/any-site.yaml", folder: "scenarios/worlds"))
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    server = Task {
      // Ends the wait for the port if the server has ended.
      defer { port.finish() }
      try await demo.run { port.yield($1) }
    }
    var found = ports.makeAsyncIterator()
    guard let number = await found.next() else { throw ProgramError(.measurement, "the server does not start") }
    self.port = number
  }

  private static func body() throws -> Data {
    let origin = "https://site.example"
    let names = ["given_name:retain", "family_name:retain", "age_over_21", "portrait", "driving_privileges"]
    let items = try RequestedElements.items(
      documentType: "org.iso.18013.5.1.mDL", elements: names.map { "org.iso.18013.5.1:\($0)" })
    let made = try RequestBuilder(origin: try RequestBuilder.origin(origin), documents: [items], readers: []).drawn()
    return Data(#"{"origin":"\#(origin)","request":"#.utf8) + Data(made.page) + Data("}".utf8)
  }

  /// Requests answers over all connections.
  /// - Returns: The time in seconds.
  /// - Throws: ``ProgramError`` if a request is refused.
  func answer(_ count: Int) async throws -> Double {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for connection in 0..<MeasuredAnswers.connections {
        let share = count / MeasuredAnswers.connections + (connection < count % MeasuredAnswers.connections ? 1 : 0)
        group.addTask { try await request(share) }
      }
      try await group.waitForAll()
    }
    return start.duration(to: .now) / .seconds(1)
  }

  /// Requests one answer after another over a connection of their own.
  private func request(_ count: Int) async throws {
    let head = HTTPRequestHead(
      version: .http1_1, method: .POST, uri: "/api/answer",
      headers: [
        "Host": "127.0.0.1:\(port)", "Content-Type": "application/json", "Content-Length": "\(body.readableBytes)",
      ])
    try await connect().executeThenClose { answers, requests in
      var answers = answers.makeAsyncIterator()
      for _ in 0..<count {
        try await requests.write(contentsOf: [.head(head), .body(.byteBuffer(body)), .end(nil)])
        guard let answer = try await answers.next() else {
          throw ProgramError(.measurement, "the server closed a connection")
        }
        guard answer.head.status == .ok else {
          throw ProgramError(.measurement, answer.body.map { String(buffer: $0) } ?? "\(answer.head.status)")
        }
      }
    }
  }

  private func connect() async throws -> NIOAsyncChannel<NIOHTTPClientResponseFull, HTTPClientRequestPart> {
    try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(host: "127.0.0.1", port: port) {
      channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        try channel.pipeline.syncOperations.addHandler(
          NIOHTTPClientResponseAggregator(maxContentLength: Self.maximumAnswerLength))
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
      }
    }
  }

  /// Ends the server.
  func stop() { server.cancel() }
}
