import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@testable import DemoServer

/// `POST /api/answer`, asked without a socket.
@Suite("Answers over HTTP") struct AnswerTests {
  private struct Problem: Decodable {
    var code: String
    var sentence: String
  }

  private static func server(allowedOrigins: [String] = []) throws -> DemoServer {
    let worlds = Programs.package.appendingPathComponent("scenarios/worlds").path
    return try DemoServer(
      DemoServer.Configuration(
        world: worlds + "/any-site.yaml", folder: worlds, allowedOrigins: allowedOrigins))
  }

  /// What a page of a site passes to the API.
  private static let options = Result<String, any Error> {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("page.json")
    let made = try Programs.run(
      Programs.presentment,
      [
        "request", "--origin", "https://site.example", "--document-type", "org.iso.18013.5.1.mDL", "--element",
        "org.iso.18013.5.1:given_name", "--out", folder.appendingPathComponent("exchange.json").path, "--page",
        page.path,
      ])
    try #require(made.code == 0, "\(made)")
    return try String(contentsOf: page, encoding: .utf8)
  }

  private static func body(_ more: String = "") throws -> String {
    #"{"origin":"https://site.example","request":\#(try options.get())\#(more)}"#
  }

  private static let json: HTTPFields = [.contentType: "application/json"]

  private func ask(
    _ client: any TestClientProtocol, _ body: String, method: HTTPRequest.Method = .post, uri: String = "/api/answer",
    headers: HTTPFields = json
  ) async throws -> TestResponse {
    try await client.execute(uri: uri, method: method, headers: headers, body: ByteBuffer(string: body))
  }

  @Test(arguments: ["credential", "webdriver", "cdp"]) func aRequestIsAnswered(_ format: String) async throws {
    try await Self.server().application(Sessions()).test(.router) { client in
      let response = try await ask(client, try Self.body(#","format":"\#(format)""#))
      #expect(response.status == .ok)
      let text = String(buffer: response.body)
      #expect(text.contains(#""response":""#) && text.contains("org-iso-mdoc"))
      #expect(text.contains("setVirtualWalletBehavior") == (format != "credential"))
    }
  }

  @Test func manyAreAnsweredAtOnce() async throws {
    let body = try Self.body()
    try await Self.server().application(Sessions()).test(.router) { client in
      try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for _ in 0..<24 { group.addTask { try await ask(client, body).status } }
        for try await status in group { #expect(status == .ok) }
      }
    }
  }

  @Test func issuerRootsAreForTheSiteToTrust() async throws {
    try await Self.server().application(Sessions()).test(.router) { client in
      let response = try await client.execute(uri: "/api/issuer-roots", method: .get)
      #expect(String(buffer: response.body).components(separatedBy: "BEGIN CERTIFICATE").count == 3)
      let unknown = try await client.execute(uri: "/api/issuer-roots?world=nowhere", method: .get)
      #expect(unknown.status == .notFound)
    }
  }

  @Test func pagesOfOthersMayNotAskUnlessAllowed() async throws {
    let body = try Self.body()
    var headers = Self.json
    headers[.origin] = "https://stranger.example"
    let asked = headers
    try await Self.server().application(Sessions()).test(.router) { client in
      let response = try await ask(client, body, headers: asked)
      #expect(response.status == .forbidden)
    }
    try await Self.server(allowedOrigins: ["https://stranger.example"]).application(Sessions()).test(.router) {
      client in
      let response = try await ask(client, body, headers: asked)
      #expect(response.status == .ok)
    }
  }

  @Test func whatThePhoneRefusesHasTheCommandsCode() async throws {
    try await Self.server().application(Sessions()).test(.router) { client in
      let response = try await ask(client, try Self.body(#","app":"Nobody's Wallet""#))
      #expect(response.status == .unprocessableContent)
      let problem = try JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
      #expect(problem.code == "answer.app-not-offered")
    }
  }

  /// A request that nobody can answer, and what comes of it.
  struct Malformed: Sendable, CustomTestStringConvertible {
    let name: String
    let status: HTTPResponse.Status
    let code: String
    var method = HTTPRequest.Method.post
    var uri = "/api/answer"
    var type: String? = "application/json"
    var body = "{}"

    var testDescription: String { name }
  }

  private static let malformed: [Malformed] = [
    Malformed(name: "no JSON", status: .badRequest, code: "http.json", body: "{"),
    Malformed(name: "nothing", status: .badRequest, code: "http.json", body: ""),
    Malformed(name: "an array", status: .badRequest, code: "http.member", body: "[]"),
    Malformed(name: "no member", status: .badRequest, code: "http.member"),
    Malformed(
      name: "no request", status: .badRequest, code: "exchange-file.member-missing",
      body: #"{"origin":"https://site.example"}"#),
    Malformed(
      name: "a request that is none", status: .badRequest, code: "exchange-file.member-missing",
      body: #"{"origin":"https://site.example","request":{}}"#),
    Malformed(
      name: "wrong base64", status: .badRequest, code: "exchange-file.base64url",
      body: #"{"origin":"https://site.example","request":{"deviceRequest":"a+b/","encryptionInfo":"AA"}}"#),
    Malformed(
      name: "bytes that are no request", status: .unprocessableContent, code: "sandbox.",
      body: #"{"origin":"https://site.example","request":{"deviceRequest":"AAAA","encryptionInfo":"AAAA"}}"#),
    Malformed(name: "another type", status: .unsupportedMediaType, code: "http.content-type", type: "text/plain"),
    Malformed(name: "no type", status: .unsupportedMediaType, code: "http.content-type", type: nil),
    Malformed(name: "GET", status: .methodNotAllowed, code: "http.method", method: .get),
    Malformed(name: "DELETE", status: .methodNotAllowed, code: "http.method", method: .delete),
    Malformed(name: "another place", status: .notFound, code: "http.not-found", uri: "/api/answers"),
    Malformed(
      name: "too large", status: .contentTooLarge, code: "http.too-large", body: String(repeating: " ", count: 2 << 20)),
  ]

  @Test(arguments: malformed) func eachFaultHasItsCode(_ malformed: Malformed) async throws {
    try await Self.server().application(Sessions()).test(.router) { client in
      var headers: HTTPFields = [:]
      headers[.contentType] = malformed.type
      let response = try await ask(
        client, malformed.body, method: malformed.method, uri: malformed.uri, headers: headers)
      #expect(response.status == malformed.status)
      let problem = try JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
      #expect(problem.code.hasPrefix(malformed.code) && !problem.sentence.isEmpty)
      #expect((response.status == .methodNotAllowed) == (response.headers[.allow] == "POST"))
    }
  }

  @Test func tenThousandMalformedRequestsAreEachRefusedWithACode() async throws {
    let honest = Array(try Self.body().utf8)
    let methods: [HTTPRequest.Method] = [.post, .get, .put, .delete, .patch, .head, .options]
    let types = ["application/json", "text/plain", "application/cbor", "", "application/json; charset=utf-8", "json"]
    let places = [
      "/api/answer", "/api/answer/", "/api/worlds", "/api/catalogue/x", "/api/worlds/x/steps", "/%00", "/api//x",
    ]
    try await Self.server().application(Sessions()).test(.router) { client in
      var generator = SeededGenerator(seed: 9)
      for _ in 0..<10_000 {
        var bytes = honest
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
        case 1: bytes = generator.bytes(Int.random(in: 0..<200, using: &generator))
        case 2: bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8(ascii: "}")
        default: bytes = Array("{\"origin\":7,\"request\":[]}".utf8)
        }
        // What is damaged may by chance be something to answer still; what is refused is refused by a code.
        let method = Int.random(in: 0..<3, using: &generator) == 0 ? methods.randomElement(using: &generator) : .post
        let place =
          Int.random(in: 0..<3, using: &generator) == 0 ? places.randomElement(using: &generator) : "/api/answer"
        var headers: HTTPFields = [:]
        headers[.contentType] = types.randomElement(using: &generator)
        let response = try await client.execute(
          uri: place ?? "/", method: method ?? .post, headers: headers, body: ByteBuffer(bytes: bytes))
        let status = response.status.code
        #expect(status < 500 && (status >= 400 || [200, 201, 204].contains(status)), "\(status) \(place ?? "")")
        guard status >= 400, method != .head else { continue }
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
        #expect(problem?.code.isEmpty == false, "\(status)")
      }
    }
  }
}
