import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import TestTraits
import Testing

@testable import DemoServer

/// The limit of open connections.
@Suite("The limit of connections") struct ConnectionTests {
  private static func server() throws -> DemoServer {
    let worlds = Programs.package.appendingPathComponent("scenarios/worlds").path
    return try DemoServer(DemoServer.Configuration(world: worlds + "/spaceport.yaml", folder: worlds))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func theConnectionThatIsIdleForTheLongestTimeMakesRoom(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...6, using: &generator)
    var open = OpenConnections<Int>(limit: limit)
    // Both in the order of their last change.
    var (idle, busy): ([Int], [Int]) = ([], [])
    for number in 0..<500 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        idle.append(number)
        let expected = idle.count + busy.count > limit ? idle.removeFirst() : nil
        try #require(open.open(number) == expected)
      case 2:
        guard let chosen = (idle + busy).randomElement(using: &generator) else { continue }
        let isBusy = Bool.random(using: &generator)
        idle.removeAll { $0 == chosen }
        busy.removeAll { $0 == chosen }
        if isBusy { busy.append(chosen) } else { idle.append(chosen) }
        open.set(chosen, isBusy: isBusy)
      default:
        guard let chosen = (idle + busy).randomElement(using: &generator) else { continue }
        idle.removeAll { $0 == chosen }
        busy.removeAll { $0 == chosen }
        open.close(chosen)
        // A response may end after its connection.
        open.set(chosen, isBusy: true)
      }
      try #require(open.count == idle.count + busy.count && open.count <= limit)
    }
  }

  @Test(.backstop) func idleConnectionsLockNoOneOutAndRequestsInProgressGoOn() async throws {
    let sessions = Sessions()
    let connections = ConnectionLimit(4)
    try await Self.server().testListening(sessions, connections: connections) { client, port in
      func open() async throws -> RawConnection {
        let before = connections.clients.count
        let connection = try await RawConnection.open(port: port)
        // The server counts it a moment later.
        while connections.clients.count == before { await Task.yield() }
        return connection
      }
      let watching = try await open()
      try await watching.get("/api/pages/events")
      #expect(await watching.receive(until: "data:").contains("text/event-stream"))
      let silent = try await open()
      let unfinished = try await open()
      try await unfinished.send("GET / HT")
      let slow = try await open()
      try await slow.send("POST /api/answer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n")
      try await slow.send("Content-Type: application/json\r\n\r\n{")

      // A connection that asks again and again is served, and those without a whole request make room for others.
      let asking = try await RawConnection.open(port: port)
      for _ in 0..<2 {
        try await asking.get("/")
        #expect(await asking.receive(until: "</html>").hasPrefix("HTTP/1.1 200"))
      }
      try #require(connections.count == 4)

      // The answer in progress goes on, although its connection is the oldest.
      let headers: HTTPFields = [.contentType: "application/json", .origin: "http://localhost:9999"]
      let joined = try await client.execute(
        uri: "/api/worlds/default/pages", method: .post, headers: headers, body: ByteBuffer(string: "{}"))
      #expect(joined.status == .ok)
      try #require(await watching.receive(until: "localhost:9999").contains("localhost:9999"))

      let others = [try await RawConnection.open(port: port), try await RawConnection.open(port: port)]
      for connection in [silent, unfinished, slow] { await connection.rest() }
      #expect(others.count == 2)
    }
  }

  @Test(.backstop) func aNewConnectionAmongBusyOnesGetsAnAnswer() async throws {
    // No connection of this test closes by itself.
    let connections = ConnectionLimit(2, timeOfRefusal: .hours(1))
    try await Self.server().testListening(Sessions(), connections: connections) { _, port in
      var watching: [RawConnection] = []
      for _ in 0..<2 {
        let page = try await RawConnection.open(port: port)
        try await page.get("/api/pages/events")
        #expect(await page.receive(until: "data:").contains("text/event-stream"))
        watching.append(page)
      }
      let refused = try await RawConnection.open(port: port)
      // Its answer comes after its request, and the rest of the request does not take it away.
      let head = "POST /api/answer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n"
      // This client ends with the answer, maybe before it has sent everything.
      try? await refused.send(head + String(repeating: "a", count: 900_000))
      let answer = await refused.rest()
      try #require(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"), "\(answer)")
      #expect(answer.contains("\r\nRetry-After: 5\r\n") && answer.contains("\r\nConnection: close\r\n"), "\(answer)")
      #expect(
        answer.hasSuffix(
          #"{"code":"http.full","message":"every connection has a request in progress; try again later"}"#))
      #expect(connections.count == 2)

      // Silent ones are few, and take the place of no other.
      var silent: [RawConnection] = []
      for count in 1...ConnectionLimit.maximumRefused {
        silent.append(try await RawConnection.open(port: port))
        while connections.clients.count < 2 + count { await Task.yield() }
      }
      let further = try await RawConnection.open(port: port)
      #expect(await further.rest() == "")

      // A connection that becomes free serves the next client.
      watching.removeLast()
      while connections.count == 2 { await Task.yield() }
      let next = try await RawConnection.open(port: port)
      try await next.get("/")
      #expect(await next.receive(until: "</html>").hasPrefix("HTTP/1.1 200"))
      #expect(silent.count == ConnectionLimit.maximumRefused && watching.count == 1)
    }
  }

  @Test func theLimitLeavesDescriptorsForTheRest() throws {
    var limit = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    #expect((1...1024).contains(ConnectionLimit.ofProcess))
    #expect(UInt64(ConnectionLimit.ofProcess) <= UInt64(limit.rlim_cur) / 2)
    #expect(ReaderCount.maximum <= ConnectionLimit.ofProcess / 2)
  }
}
