import Foundation
import Hummingbird
import InteractiveWorlds
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import DemoServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The WebDriver BiDi endpoint over real connections.
@Suite("The WebDriver BiDi endpoint") struct BiDiTests {
  private static let setWallet = "digitalCredentials.setVirtualWalletBehavior"
  private static let website = "spaceship-rentals"

  /// A server with its endpoint.
  private struct Servers: Sendable {
    let sessions: Sessions
    /// The port of the stage.
    let port: Int
    /// The port of the endpoint.
    let bidi: Int
    /// The connections of the endpoint.
    let connections: ConnectionLimit

    var origin: String { "http://\(website).localhost:\(port)" }

    /// Sends JSON as the website's page, and returns the status and the answer.
    func post(
      _ path: String, _ body: String, call: String? = nil, world: String = "default", from page: String? = nil
    ) async throws -> (status: Int, json: [String: Any]) {
      let address = try #require(URL(string: "http://127.0.0.1:\(port)/api/worlds/\(world)\(path)"))
      var request = URLRequest(url: address, timeoutInterval: TestClient.patience)
      request.httpMethod = "POST"
      request.httpBody = Data(body.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.setValue(page ?? origin, forHTTPHeaderField: "Origin")
      if let call { request.setValue(call, forHTTPHeaderField: "X-Presentment-Call") }
      let (data, response) = try await URLSession.shared.data(for: request)
      let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
      return ((response as? HTTPURLResponse)?.statusCode ?? 0, json ?? [:])
    }

    /// Joins with a document, and returns its world.
    @discardableResult
    func join(
      _ context: String, in parent: String? = nil, test: String? = nil, expecting status: Int = 200
    ) async throws -> String {
      let more = [("parent", parent), ("test", test)].map { name, value in value.map { #","\#(name)":"\#($0)""# } ?? ""
      }
      let answer = try await post(
        "/pages", #"{"context":"\#(context)","url":"\#(origin)/\#(context)"\#(more.joined())}"#)
      #expect(answer.status == status, "\(answer.json)")
      return answer.json["world"] as? String ?? "\(answer.json)"
    }

    /// Joins with a page of this machine that is not one of a website of the world, and returns its own world.
    func joinOwnWorld(_ port: Int) async throws -> String {
      let origin = "http://localhost:\(port)"
      let answer = try await post(
        "/pages", #"{"context":"page-at-\#(port)","url":"\#(origin)"}"#, from: origin)
      return try #require(answer.json["world"] as? String, "\(answer.json)")
    }

    /// Calls the API from the website's page.
    func get(
      _ name: String, in context: String, _ requests: String = short, world: String = "default"
    ) async throws -> [String: Any] {
      let caller = #"{"context":"\#(context)","hasTransientActivation":true}"#
      let options = #"{"digital":{"requests":[\#(requests)]}}"#
      return try await post(
        "/calls", #"{"caller":\#(caller),"gesture":true,"options":\#(options)}"#, call: name, world: world
      ).json
    }

    /// A request that the website's server made.
    func realRequest() async throws -> String {
      let session = try sessions.find("default")
      try await session.world.perform(.person(.visit(website: website, device: session.device)))
      let answer = try #require(
        try await ExternalPage(website, on: session.device, in: session.world).ask(.beginPresentment, "[]"))
      return String(decoding: answer.bytes, as: UTF8.self)
    }
  }

  private static let short =
    #"{"protocol":"org-iso-mdoc","data":{"deviceRequest":"AAAA","encryptionInfo":"AAAA"}}"#

  private func serve(_ body: @escaping @Sendable (Servers) async throws -> Void) async throws {
    let worlds = Programs.package.appendingPathComponent("scenarios/worlds").path
    var configuration = DemoServer.Configuration(world: "\(worlds)/spaceport.yaml", folder: worlds)
    configuration.bidiPort = 0
    let server = try DemoServer(configuration)
    let sessions = Sessions()
    let contexts = BrowsingContexts(sessions: sessions)
    let (addresses, addressed) = AsyncStream.makeStream(of: String.self)
    let service = try #require(server.bidi(contexts) { addressed.yield($0) })
    let running = Task { try await service.run() }
    defer { running.cancel() }
    var ready = addresses.makeAsyncIterator()
    let address = try #require(await ready.next())
    let bidi = try #require(URL(string: address)?.port)
    try await server.testListening(sessions, contexts) { _, port in
      try await body(Servers(sessions: sessions, port: port, bidi: bidi, connections: service.connections))
    }
  }

  /// Connects and begins a session.
  private func drive(
    _ servers: Servers, test: String? = nil, _ body: (BiDiClient.Connection) async throws -> Void
  ) async throws {
    try await BiDiClient.connect(port: servers.bidi) { client in
      let wanted = test.map { #""alwaysMatch":{"presentment:test":"\#($0)"}"# } ?? ""
      let begun = try await client.command("session.new", #"{"capabilities":{\#(wanted)}}"#)
      #expect((begun["result"] as? [String: Any])?["sessionId"] is String, "\(begun)")
      try await body(client)
    }
  }

  @Test(.backstop) func refusesWhatIsNoCommandWithTheStandardsErrors() async throws {
    try await serve { servers in
      try await BiDiClient.connect(port: servers.bidi) { client in
        #expect(try await client.error(Self.setWallet, #"{"action":"decline"}"#) == "invalid session id")
        #expect(try await client.error("browser.close") == "unknown command")
        #expect(try await client.error("session.new") == "invalid argument")
        for message in ["{", "[]", #"{"id":-1,"method":"session.status","params":{}}"#, #"{"id":"1"}"#] {
          try await client.send(message)
          let answer = try await client.receive()
          #expect(answer["error"] as? String == "invalid argument" && answer["id"] is NSNull, "\(message)")
        }
        try await client.send(#"{"id":9007199254740991,"method":"session.status","params":[]}"#)
        #expect(try await client.receive()["id"] as? Int == 9_007_199_254_740_991)
        let status = try await client.command("session.status")
        #expect((status["result"] as? [String: Any])?["ready"] as? Bool == true)
      }
      try await drive(servers) { client in
        for parameters in ["{}", #"{"action":"accept"}"#, #"{"action":"respond","protocol":"org-iso-mdoc"}"#] {
          #expect(try await client.error(Self.setWallet, parameters) == "invalid argument")
        }
        #expect(try await client.error(Self.setWallet, #"{"action":"wait","context":"x"}"#) == "no such frame")
        #expect(try await client.error("browsingContext.getTree", #"{"root":"x"}"#) == "no such frame")
        #expect(try await client.error("browsingContext.getTree", #"{"maxDepth":-1}"#) == "invalid argument")
        #expect(try await client.error("session.subscribe", #"{"events":["log.entryAdded"]}"#) == "invalid argument")
        #expect(try await client.error("session.new", #"{"capabilities":{}}"#) == "session not created")
        try await BiDiClient.connect(port: servers.bidi) { (other) async throws in
          #expect(try await other.error("session.new", #"{"capabilities":{}}"#) == "session not created")
        }
        #expect(try await client.error("session.end") == nil)
        #expect(try await client.error("session.end") == "invalid session id")
        #expect(try await client.error("session.new", #"{"capabilities":{}}"#) == nil)
      }
      // The session ended with its connection.
      try await drive(servers) { _ in }
    }
  }

  /// A client that comes back as soon as it has closed its connection, which the server may not have noticed.
  @Test(.backstop, arguments: [BiDiClient.Ending.socket, .closingFrame])
  func aClosedConnectionEndsItsSessionBeforeTheNextIsJudged(_ ending: BiDiClient.Ending) async throws {
    try await serve { servers in
      for _ in 0..<1_000 {
        try await BiDiClient.connect(port: servers.bidi, ending: ending) { (client) async throws in
          let begun = try await client.command("session.new", #"{"capabilities":{}}"#)
          #expect((begun["result"] as? [String: Any])?["sessionId"] is String, "\(begun)")
          // Commands whose answers the client does not wait for.
          for _ in 0..<3 { try await client.send(#"{"id":1,"method":"session.status","params":{}}"#) }
        }
      }
    }
  }

  @Test(.backstop) func listsPagesWithTheirFrames() async throws {
    try await serve { servers in
      try await servers.join("page")
      try await servers.join("frame", in: "page")
      try await servers.join("inner", in: "frame")
      try await drive(servers) { client in
        func contexts(_ parameters: String) async throws -> [[String: Any]] {
          let answer = try await client.command("browsingContext.getTree", parameters)
          return (answer["result"] as? [String: Any])?["contexts"] as? [[String: Any]] ?? []
        }
        let all = try await contexts("{}")
        #expect(all.map { $0["context"] as? String } == ["page"] && all.first?["parent"] is NSNull)
        let children = try #require(all.first?["children"] as? [[String: Any]])
        #expect(children.map { $0["context"] as? String } == ["frame"] && children.first?["parent"] == nil)
        #expect(try await contexts(#"{"maxDepth":0}"#).first?["children"] is NSNull)
        let frame = try await contexts(#"{"root":"frame"}"#)
        #expect(frame.first?["parent"] as? String == "page")
        #expect(frame.first?["url"] as? String == "\(servers.origin)/frame")
        #expect(try await servers.post("/pages/frame/leave", "{}").status == 204)
        #expect(try await client.error("browsingContext.getTree", #"{"root":"inner"}"#) == "no such frame")
      }
    }
  }

  @Test(.backstop) func theVirtualWalletAnswersPages() async throws {
    try await serve { servers in
      try await servers.join("page")
      try await servers.join("frame", in: "page")
      try await drive(servers) { client in
        let response =
          #"{"action":"respond","protocol":"openid4vp-v1-signed","response":{"a":[1,"b"]},"context":"page"}"#
        #expect(try await client.error(Self.setWallet, response) == nil)
        #expect(try await client.error(Self.setWallet, #"{"action":"decline"}"#) == nil)
        let answer = try await servers.get("1", in: "page")
        let credential = try #require(answer["credential"] as? [String: Any], "\(answer)")
        #expect(credential["protocol"] as? String == "openid4vp-v1-signed")
        #expect((credential["data"] as? [String: Any])?["a"] as? [AnyHashable] == [1, "b"])
        #expect(answer["consumesActivation"] as? Bool == true)
        // The frame has the behavior of the session.
        let declined = try await servers.get("2", in: "frame")
        #expect((declined["exception"] as? [String: Any])?["name"] as? String == "NotAllowedError")
        // A call that waits can be aborted, and the next one is made.
        #expect(try await client.error(Self.setWallet, #"{"action":"wait","context":"page"}"#) == nil)
        async let waiting = servers.get("3", in: "page")
        var status = 0
        while status != 204 {
          status = try await servers.post("/calls/3/abort", #"{"message":"enough"}"#).status
        }
        #expect((try await waiting["exception"] as? [String: Any])?["message"] as? String == "enough")
        let last = try await servers.get("4", in: "frame")
        #expect((last["exception"] as? [String: Any])?["name"] as? String == "NotAllowedError")
      }
    }
  }

  @Test("The world's wallet answers the page's own request", .backstop, arguments: ["authorize", "decline"])
  func anAppAnswers(_ decision: String) async throws {
    try await serve { servers in
      try await servers.join("page")
      try await drive(servers) { client in
        // It holds for pages that join later, too.
        let order = #"{"action":"respond","presentment:app":"Wallet","presentment:decision":"\#(decision)"}"#
        #expect(try await client.error(Self.setWallet, order) == nil)
        let answer = try await servers.get("1", in: "page", try await servers.realRequest())
        if decision == "decline" {
          #expect((answer["exception"] as? [String: Any])?["name"] as? String == "NotAllowedError", "\(answer)")
        } else {
          let data = (answer["credential"] as? [String: Any])?["data"] as? [String: Any]
          #expect((data?["response"] as? String)?.hasPrefix("gmVkY2FwaaJ") == true, "\(answer)")
        }
        // An app that the selector does not offer: the person closes it.
        let elsewhere = #"{"action":"respond","presentment:app":"Other Wallet"}"#
        #expect(try await client.error(Self.setWallet, elsewhere) == nil)
        let none = try await servers.get("2", in: "page", try await servers.realRequest())
        #expect((none["exception"] as? [String: Any])?["name"] as? String == "NotAllowedError", "\(none)")
      }
    }
  }

  /// A person who declines and an app that does not exist would be the same to the page.
  @Test(.backstop) func anUnknownAppIsNotAPersonWhoDeclines() async throws {
    try await serve { servers in
      let order = #"{"action":"respond","presentment:app":"Walet"}"#
      try await drive(servers) { client in
        try await servers.join("page")
        let answer = try await client.command(Self.setWallet, order)
        #expect(answer["error"] as? String == "invalid argument", "\(answer)")
        #expect((answer["message"] as? String)?.contains("did you mean 'Wallet'?") == true, "\(answer)")
        #expect(try await servers.post("/virtual-wallet", order).status == 400)
        #expect(try await client.error("session.end") == nil)
      }
      // No page has joined that shows the world's apps: each one that joins is refused.
      try await drive(servers, test: "a") { client in
        #expect(try await client.error(Self.setWallet, order) == nil)
        for _ in 0..<2 {
          let refused = try await servers.join("page of a", test: "a", expecting: 400)
          #expect(refused.contains("unknown app"), "\(refused)")
        }
      }
    }
  }

  @Test(.backstop) func aSessionOfATestHasThePagesOfTheTestOnly() async throws {
    try await serve { servers in
      try await servers.join("shared")
      try await drive(servers, test: "a") { first in
        try await drive(servers, test: "b") { second in
          try await drive(servers) { third in
            let worldOfA = try await servers.join("page of a", test: "a")
            let worldOfB = try await servers.join("page of b", test: "b")
            #expect(worldOfA != worldOfB)
            for (client, context) in [(first, "page of a"), (second, "page of b"), (third, "shared")] {
              let tree = try await client.command("browsingContext.getTree")["result"] as? [String: Any]
              let contexts = (tree?["contexts"] as? [[String: Any]] ?? []).map { $0["context"] as? String }
              #expect(contexts == [context])
            }
            #expect(try await first.error(Self.setWallet, #"{"action":"wait","context":"shared"}"#) == "no such frame")
            #expect(try await first.error(Self.setWallet, #"{"action":"wait"}"#) == nil)
            #expect(try await second.error(Self.setWallet, #"{"action":"decline"}"#) == nil)
            // A call that waits in one world is in no one's way in another.
            async let waiting = servers.get("1", in: "page of a", world: worldOfA)
            var status = 0
            while status != 204 {
              let declined = try await servers.get("2", in: "page of b", world: worldOfB)
              let exception = declined["exception"] as? [String: Any]
              #expect((exception?["message"] as? String)?.contains("pending") == false, "\(declined)")
              status = try await servers.post("/calls/1/abort", "{}", world: worldOfA).status
            }
            #expect((try await waiting["exception"] as? [String: Any])?["name"] as? String == "AbortError")
          }
        }
        let again = #"{"capabilities":{"firstMatch":[{"presentment:test":"a"}]}}"#
        try await BiDiClient.connect(port: servers.bidi) { (other) async throws in
          #expect(try await other.error("session.new", again) == "session not created")
          for name in ["1", "\"\"", "\"\(String(repeating: "a", count: 65))\""] {
            let wrong = #"{"capabilities":{"alwaysMatch":{"presentment:test":\#(name)}}}"#
            #expect(try await other.error("session.new", wrong) == "invalid argument")
          }
        }
      }
    }
  }

  /// Faults hold for the pages of the session that join later, too, until it ends.
  @Test(.backstop) func theFaultsOfASessionEndWithIt() async throws {
    try await serve { servers in
      // The default world's website has no world of its own.
      let world = try await servers.joinOwnWorld(servers.port)
      func faults() -> [String] {
        servers.sessions.externalPages.page(inWorld: world)?.faults.map(\.name) ?? ["no page"]
      }
      try await drive(servers) { client in
        let setFaults = "presentment:test.setFaults"
        #expect(try await client.error(setFaults, #"{"faults":["isuer.expired"]}"#) == "invalid argument")
        #expect(try await client.error(setFaults, #"{"faults":["issuer.expired"],"context":1}"#) == "invalid argument")
        #expect(try await client.error(setFaults, #"{"faults":["issuer.expired"],"context":"x"}"#) == "no such frame")
        #expect(try await client.error("presentment:test.dance") == "unknown command")
        #expect(faults() == [])
        #expect(try await client.error(setFaults, #"{"faults":["issuer.expired"]}"#) == nil)
        #expect(faults() == ["issuer.expired"])
        let later = try await servers.joinOwnWorld(servers.bidi)
        #expect(servers.sessions.externalPages.page(inWorld: later)?.faults.map(\.name) == ["issuer.expired"])
        // Two pages have joined, and a step is for one.
        let step = #"{"step":{"person":{"switches-off":"Wallet"}}}"#
        #expect(try await client.error("presentment:test.perform", step) == "invalid argument")
        let calls = try await client.command("presentment:test.getCalls")["result"] as? [String: Any]
        #expect((calls?["calls"] as? [Any])?.count == 0)
        #expect(try await client.error("session.end") == nil)
        #expect(try await client.error(setFaults, #"{"faults":[]}"#) == "invalid session id")
      }
      #expect(faults() == [])
    }
  }

  @Test(.backstop) func theEndOfATestEndsItsWorldsWithTheirFaults() async throws {
    try await serve { servers in
      var world = ""
      for _ in 0..<2 {
        try await drive(servers, test: "a") { client in
          let next = try await servers.join("page", test: "a")
          #expect(next != world)
          world = next
          let page = try #require(servers.sessions.externalPages.page(inWorld: world))
          #expect(page.faults.isEmpty)
          try await servers.sessions.externalPages.set(
            try DemoFault.forExternalSite(["issuer.expired"]), for: page.identifier, in: servers.sessions.find(world))
          #expect(try await client.error("session.end") == nil)
        }
        #expect(servers.sessions.externalPages.all.isEmpty)
      }
    }
  }

  @Test(.backstop) func theBehaviorOfTheSessionHoldsForLaterPagesAndEndsWithIt() async throws {
    try await serve { servers in
      try await drive(servers) { client in
        #expect(try await client.error(Self.setWallet, #"{"action":"decline"}"#) == nil)
        try await servers.join("later")
        let answer = try await servers.get("1", in: "later")
        #expect((answer["exception"] as? [String: Any])?["name"] as? String == "NotAllowedError")
        #expect(try await client.error("session.end") == nil)
      }
      let request = try await servers.realRequest()
      async let pending = servers.get("2", in: "later", request)
      var status = 0
      // The platform has the call now, until the page aborts it.
      while status != 204 { status = try await servers.post("/calls/2/abort", "{}").status }
      #expect((try await pending["exception"] as? [String: Any])?["name"] as? String == "AbortError")
    }
  }

  @Test(.backstop) func acceptsNeitherStrangersNorLargeMessages() async throws {
    try await serve { servers in
      for (path, headers) in [
        ("/session", ["Origin": "https://elsewhere.example"]), ("/session", ["Host": "elsewhere.example"]),
        ("/", [:]), ("/session/x", [:]),
      ] as [(String, [String: String])] {
        await #expect(throws: (any Error).self, "\(path) \(headers)") {
          try await BiDiClient.connect(port: servers.bidi, path: path, headers: .init(Array(headers))) { _ in }
        }
      }
      try await BiDiClient.connect(port: servers.bidi, headers: ["Origin": "http://localhost:9000"]) {
        (client) async throws in
        #expect(try await client.error("session.status") == nil)
        await #expect(throws: (any Error).self) {
          try await client.send(String(repeating: " ", count: BiDiService.messageLimit + 1))
          _ = try await client.receive()
        }
      }
      // The endpoint serves others meanwhile.
      try await drive(servers) { _ in }
    }
  }

  /// Frames that RFC 6455, 5.1 and 5.2, forbid to a client without extensions.
  private static let forbidden: [String: WebSocketFrame] = {
    let data = ByteBuffer(string: #"{"id":1,"method":"session.status","params":{}}"#)
    func frame(_ change: (inout WebSocketFrame) -> Void) -> WebSocketFrame {
      var frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: data)
      change(&frame)
      return frame
    }
    var frames = [
      "no mask": frame { $0.maskKey = nil }, "bit 1": frame { $0.rsv1 = true }, "bit 2": frame { $0.rsv2 = true },
      "bit 3": frame { $0.rsv3 = true },
      "a fragment without a mask": frame {
        $0.maskKey = nil
        $0.fin = false
      },
    ]
    for number in Array(3...7) + Array(11...15) {
      frames["opcode \(number)"] = WebSocketOpcode(encodedWebSocketOpcode: UInt8(number)).map { opcode in
        frame { $0.opcode = opcode }
      }
    }
    return frames
  }()

  @Test(.backstop) func aForbiddenFrameEndsItsConnection() async throws {
    try await serve { servers in
      #expect(Self.forbidden.count == 15)
      for (name, frame) in Self.forbidden {
        try await BiDiClient.connect(port: servers.bidi) { (client) async throws in
          try await client.send(frame)
          // A server that ignores the frame answers this.
          try await client.send(#"{"id":2,"method":"session.status","params":{}}"#)
          do {
            let answer = try await client.receive()
            Issue.record("\(name): \(answer)")
          } catch let error as BiDiClient.Closed {
            #expect(error.code == .protocolError, "\(name)")
          }
        }
      }
      try await drive(servers) { _ in }
    }
  }

  @Test(.backstop) func aTextThatIsNotUTF8EndsItsConnection() async throws {
    try await serve { servers in
      try await BiDiClient.connect(port: servers.bidi) { (client) async throws in
        let data = ByteBuffer(bytes: [0x22, 0xff, 0xfe, 0x22])
        try await client.send(WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: data))
        do {
          Issue.record("answered: \(try await client.receive())")
        } catch let error as BiDiClient.Closed {
          // RFC 6455, 8.1.
          #expect(error.code == .dataInconsistentWithMessage)
        }
      }
    }
  }

  @Test(.backstop) func theHandshakeHasOneHost() async throws {
    try await serve { servers in
      let host = "127.0.0.1:\(servers.bidi)"
      for headers in [[("Host", host), ("Host", host)], [("Host", host), ("Origin", "http://[::1].evil.example")]] {
        await #expect(throws: (any Error).self, "\(headers)") {
          try await BiDiClient.connect(port: servers.bidi, headers: HTTPHeaders(headers)) { _ in }
        }
      }
      let raw = try await RawConnection.open(port: servers.bidi)
      try await raw.send("GET /session HTTP/1.1\r\nHost: \(host)\r\nHost: \(host)\r\n\r\n")
      #expect(await raw.rest().hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test(.backstop) func connectionsWithoutASessionLockNoOneOut() async throws {
    try await serve { servers in
      func open() async throws -> [RawConnection] {
        var connections: [RawConnection] = []
        for _ in 0..<BiDiService.connectionLimit {
          connections.append(try await RawConnection.open(port: servers.bidi))
        }
        return connections
      }
      let silent = try await open()
      while servers.connections.count < BiDiService.connectionLimit { await Task.yield() }
      try await drive(servers) { client in
        let more = try await open()
        // All are closed for others, or without a handshake; the session stays.
        for connection in silent + more { await connection.rest() }
        #expect(try await client.error("session.status") == nil)
      }
    }
  }
}
