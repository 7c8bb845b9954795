import DigitalCredentials
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import NIOEmbedded
import NIOWebSocket

@testable import DemoServer

extension UntrustedParser {
  /// The head of a request to the server: its host, origin, path, query and conditions. The first line has the method and
  /// the target, each other line a field.
  static let httpRequest = UntrustedParser(
    "http-request",
    seeds: {
      [
        "GET /api/play?scenario=headline&seed=7&fault=a&fault=b HTTP/1.1\nHost: demo.localhost:8080",
        "GET /api/worlds/1a2b/messages/12?after=3\nHost: 127.0.0.1:8080\nOrigin: http://localhost:5173",
        "POST /presentments/response?world=any-site\nHost: shop.localhost\nOrigin: http://shop.localhost",
        "GET /api/beside?with-seed=%37\nHost: [::1]:8080\nIf-None-Match: W/\"a-b\", *\nSec-Fetch-Site: cross-site",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let request = try request(text(bytes))
    try request.requireOneHost()
    let hosts = Hosts(port: 8080, names: ["stage.example"])
    let owner = try hosts.owner(of: request.head.authority)
    if case .website(let label) = owner {
      try BrokenPromise.unless(
        (try? hosts.owner(of: "\(label).localhost")) == owner, "the host of \(label) is another owner's")
    }
    let callers = Callers(hosts: hosts, allowedOrigins: ["https://site.example"], embeddingOrigins: [])
    let path = request.uri.path.split(separator: "/").map(String.init)
    let found = APIRoute.find(path)
    let query = ["scenario", "with-scenario", "seed", "with-seed", "world", "about", "name", "after"]
      .compactMap(request.query)
    let faults = request.uri.queryParameters.getAll("fault")
    _ = (request.isFromOwnPage, request.isFromAnotherOrigin, request.knows("a-b"), request.refusal.message)
    if request.origin != nil { try callers.requirePage(request) }
    return path.reduce(0) { $0 + $1.utf8.count } + (found?.values.count ?? 0)
      + query.reduce(0) { $0 + $1.utf8.count } + faults.count
  }

  /// A request with the fields of some lines. The server's library makes the field `Host` the authority.
  private static func request(_ text: String) throws -> Request {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines[0].split(separator: " ")
    guard first.count >= 2, let method = HTTPRequest.Method(String(first[0])) else { throw NoValue() }
    var fields = HTTPFields()
    var authority: String?
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
        throw NoValue()
      }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      if name.canonicalName == "host", authority == nil {
        authority = value
      } else {
        fields.append(HTTPField(name: name, value: value))
      }
    }
    let head = HTTPRequest(
      method: method, scheme: "http", authority: authority, path: String(first[1]), headerFields: fields)
    return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
  }

  /// The JSON bodies of the interface: a new world, a page that joins one, its call, and a question for an answer.
  static let apiBody = UntrustedParser(
    "api-body", growth: 16,
    seeds: {
      [
        #"{"world":"any-site","scenario":"headline#a","seed":7,"fault":"a","faults":["b"],"steps":2}"#,
        #"{"context":"c","parent":"p","url":"https://site.example/","browser":"chromium","device":"d","faults":[]}"#,
        #"{"options":{"digital":{"requests":[]}},"method":"get","gesture":true,"isMarked":true,"device":"d","#
          + #""abort":"why","caller":{"context":"c","frameOrigin":"null","isFullyActive":false}}"#,
        #"{"origin":"https://site.example","world":"any-site","app":"Wallet","seed":1,"at":"2026-06-01T00:00:00Z","#
          + #""format":"credential","faults":["a"],"request":{"deviceRequest":"AA","encryptionInfo":"AA"}}"#,
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let data = Data(bytes)
    var size = 0
    if let world = try? Request.json(StageRoutes.Beginning.self, from: data) { size += world.faults?.count ?? 1 }
    if let body = try? Request.json(Joining.Body.self, from: data) { size += try Joining(body).faults?.count ?? 1 }
    if (try? Request.json(AnswerRoute.Question.self, from: data)) != nil {
      return size + (try AnswerRoute.options(bytes)).count
    }
    do {
      return size + (try CallRoutes.Call(data)).options.json.utf8.count
    } catch {
      guard size > 0 else { throw error }
      return size
    }
  }

  /// A message of a WebDriver BiDi client, and the parameters of the command that sets the virtual wallet.
  static let bidiMessage = UntrustedParser(
    "bidi-message", growth: 8,
    seeds: {
      [
        #"{"id":1,"method":"session.new","params":{"capabilities":{}}}"#,
        #"{"id":9007199254740991,"method":"digitalCredentials.setVirtualWalletBehavior","#
          + #""params":{"action":"respond","protocol":"org-iso-mdoc","response":{"response":"AA"},"context":"c"}}"#,
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    switch BiDiCommand.reading(bytes) {
    case .failure(let error, let number):
      _ = try JSONReader.read(error.answer(to: number))
      throw error
    case .command(let command):
      if command.method == VirtualWalletCommand.method { _ = try VirtualWalletCommand(parameters: command.parameters) }
      return try JSONReader.read(command.success(command.parameters)).bytes.count
    }
  }

  /// Frames of a client's WebSocket, after the handshake, up to the messages in them.
  static let webSocket = UntrustedParser(
    "web-socket",
    seeds: {
      // A text, one in two fragments with a ping between them, and a close: each masked (RFC 6455, 5.2).
      [
        [0x81, 0x85, 1, 2, 3, 4, 0x69, 0x67, 0x6f, 0x68, 0x6e],
        [0x01, 0x82, 0, 0, 0, 0, 0x7b, 0x20, 0x89, 0x80, 9, 9, 9, 9, 0x80, 0x81, 0, 0, 0, 0, 0x7d],
        [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8], [0x82, 0xfe, 0x00, 0x02, 0, 0, 0, 0, 1, 2],
      ]
    }
  ) { bytes in
    let channel = EmbeddedChannel()
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    do {
      try channel.pipeline.syncOperations.addHandlers([
        ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: BiDiService.messageLimit)), FrameConformance(),
        BiDiService.aggregator(),
      ])
      try channel.writeInbound(ByteBuffer(bytes: bytes))
    } catch {
      throw Refused(code: "web-socket")
    }
    var size = 0
    while let frame = try channel.readInbound(as: WebSocketFrame.self) {
      try BrokenPromise.unless(frame.fin, "a fragment is passed on")
      size += frame.unmaskedData.readableBytes
    }
    return size
  }
}
