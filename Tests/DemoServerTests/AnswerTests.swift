import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import DemoServer

/// `POST /api/answer`, called without a socket.
@Suite("Answers over HTTP") struct AnswerTests {
  private struct Problem: Decodable {
    var code: String
    var message: String
  }

  private static func server(allowedOrigins: [String] = []) throws -> DemoServer {
    let worlds = Programs.package.appendingPathComponent("scenarios/worlds").path
    return try DemoServer(
      DemoServer.Configuration(
        world: worlds + "/any-site.yaml", folder: worlds, allowedOrigins: allowedOrigins))
  }

  /// The options that a site's page passes to the API.
  static let options = Task {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("page.json")
    let made = try await Programs.run(
      Programs.presentment,
      [
        "request", "--origin", "https://site.example", "--document-type", "org.iso.18013.5.1.mDL", "--element",
        "org.iso.18013.5.1:given_name", "--out", folder.appendingPathComponent("exchange.json").path, "--page",
        page.path,
      ])
    try #require(made.code == 0, "\(made)")
    return try String(contentsOf: page, encoding: .utf8)
  }

  private static func body(_ more: String = "") async throws -> String {
    #"{"origin":"https://site.example","request":\#(try await options.value)\#(more)}"#
  }

  private static let json: HTTPFields = [.contentType: "application/json"]

  private func ask(
    _ client: TestClient, _ body: String, method: HTTPRequest.Method = .post, uri: String = "/api/answer",
    headers: HTTPFields = json
  ) async throws -> TestClient.Response {
    try await client.execute(uri: uri, method: method, headers: headers, body: ByteBuffer(string: body))
  }

  @Test(arguments: ["credential", "webdriver", "cdp"]) func aRequestIsAnswered(_ format: String) async throws {
    try await Self.server().test { client in
      let response = try await ask(client, try await Self.body(#","format":"\#(format)""#))
      #expect(response.status == .ok)
      let text = String(buffer: response.body)
      #expect(text.contains(#""response":""#) && text.contains("org-iso-mdoc"))
      #expect(text.contains("setVirtualWalletBehavior") == (format != "credential"))
    }
  }

  @Test func manyRequestsAreAnsweredAtOnce() async throws {
    let body = try await Self.body()
    try await Self.server().test { client in
      try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for _ in 0..<24 { group.addTask { try await ask(client, body).status } }
        for try await status in group { #expect(status == .ok) }
      }
    }
  }

  @Test func issuerRootsAreReturnedForTheSiteToTrust() async throws {
    try await Self.server().test { client in
      let response = try await client.execute(uri: "/api/issuer-roots", method: .get)
      #expect(String(buffer: response.body).components(separatedBy: "BEGIN CERTIFICATE").count == 4)
      let unknown = try await client.execute(uri: "/api/issuer-roots?world=nowhere", method: .get)
      #expect(unknown.status == .notFound)
    }
  }

  @Test func otherOriginsAreRefusedUnlessAllowed() async throws {
    let body = try await Self.body()
    var headers = Self.json
    headers[.origin] = "https://stranger.example"
    let asked = headers
    try await Self.server().test { client in
      let response = try await ask(client, body, headers: asked)
      let preflight = try await ask(client, "", method: .options, headers: asked)
      for refused in [response, preflight] {
        #expect(refused.status == .forbidden && refused.headers[.accessControlAllowOrigin] == nil)
      }
    }
    try await Self.server(allowedOrigins: ["https://stranger.example"]).test { client in
      let preflight = try await ask(client, "", method: .options, headers: asked)
      let response = try await ask(client, body, headers: asked)
      for (got, status) in [(preflight, HTTPResponse.Status.noContent), (response, .ok)] {
        #expect(got.status == status && got.headers[.accessControlAllowOrigin] == "https://stranger.example")
      }
    }
  }

  @Test func aFaultActsOnTheAnswer() async throws {
    try await Self.server().test { client in
      // A credential of another protocol is the browser's fault.
      let response = try await ask(client, try await Self.body(#","faults":["browser.protocol-replaced"]"#))
      #expect(response.status == .ok)
      #expect(!String(buffer: response.body).contains("\"org-iso-mdoc\""), "\(String(buffer: response.body))")
      for (name, reason) in [("unsigned", "simulated website"), ("isuer.expired", "did you mean 'issuer.expired'?")] {
        let refused = try await ask(client, try await Self.body(#","faults":["\#(name)"]"#))
        #expect(refused.status == .badRequest)
        let problem = try JSONDecoder().decode(Problem.self, from: Data(buffer: refused.body))
        #expect(problem.code == "http.member" && problem.message.contains(reason), "\(problem)")
      }
    }
  }

  @Test func aRefusalOfThePhoneHasTheCodeOfTheCommand() async throws {
    try await Self.server().test { client in
      let response = try await ask(client, try await Self.body(#","app":"Nobody's Wallet""#))
      #expect(response.status == .unprocessableContent)
      let problem = try JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
      #expect(problem.code == "answer.app-not-offered")
    }
  }

  /// A request without an answer, and the expected refusal.
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
    Malformed(name: "a repeated member", status: .badRequest, code: "http.json", body: #"{"seed":1,"seed":2}"#),
    Malformed(name: "an array", status: .badRequest, code: "http.member", body: "[]"),
    Malformed(name: "no member", status: .badRequest, code: "http.member"),
    Malformed(name: "no such format", status: .badRequest, code: "http.member", body: #"{"format":"bogus"}"#),
    Malformed(name: "a seed below 0", status: .badRequest, code: "http.member", body: #"{"seed":-1}"#),
    Malformed(name: "a seed above 64 bits", status: .badRequest, code: "http.member", body: #"{"seed":1e30}"#),
    Malformed(
      name: "no request", status: .badRequest, code: "exchange-file.member-missing",
      body: #"{"origin":"https://site.example"}"#),
    Malformed(
      name: "a request without its members", status: .badRequest, code: "exchange-file.member-missing",
      body: #"{"origin":"https://site.example","request":{}}"#),
    Malformed(
      name: "wrong base64", status: .badRequest, code: "exchange-file.base64url",
      body: #"{"origin":"https://site.example","request":{"deviceRequest":"a+b/","encryptionInfo":"AA"}}"#),
    Malformed(
      name: "bytes that are not a request", status: .unprocessableContent, code: "sandbox.",
      body: #"{"origin":"https://site.example","request":{"deviceRequest":"AAAA","encryptionInfo":"AAAA"}}"#),
    Malformed(name: "another type", status: .unsupportedMediaType, code: "http.content-type", type: "text/plain"),
    Malformed(name: "no type", status: .unsupportedMediaType, code: "http.content-type", type: nil),
    Malformed(name: "GET", status: .methodNotAllowed, code: "http.method", method: .get),
    Malformed(name: "DELETE", status: .methodNotAllowed, code: "http.method", method: .delete),
    Malformed(name: "another place", status: .notFound, code: "http.not-found", uri: "/api/answers"),
    Malformed(
      name: "too large", status: .contentTooLarge, code: "http.too-large", body: String(repeating: " ", count: 2 << 20)),
  ]

  @Test(arguments: malformed) func eachMalformedRequestHasItsCode(_ malformed: Malformed) async throws {
    try await Self.server().test { client in
      var headers: HTTPFields = [:]
      headers[.contentType] = malformed.type
      let response = try await ask(
        client, malformed.body, method: malformed.method, uri: malformed.uri, headers: headers)
      #expect(response.status == malformed.status)
      let problem = try JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
      #expect(problem.code.hasPrefix(malformed.code) && !problem.message.isEmpty)
      #expect((response.status == .methodNotAllowed) == (response.headers[.allow] == "POST"))
    }
  }

  @Test func aRefusalNamesTheMember() async throws {
    try await Self.server().test { client in
      let response = try await ask(client, #"{"origin":"https://a.example","faults":["a",5]}"#)
      let problem = try JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
      #expect(problem.message == "faults[1]: expected a string, found a number")
    }
  }

  @Test func tenThousandMalformedRequestsAreEachRefusedWithACode() async throws {
    let requests = try MalformedRequests(honest: try await Self.body())
    try await Self.server().test { client in
      var generator = SeededGenerator(seed: 9)
      var seen: [String: Int] = [:]
      for number in 0..<10_000 {
        let request = requests.draw(&generator, reachesThePhone: number % MalformedRequests.shareOfThePhone == 0)
        let response = try await client.execute(
          uri: request.path, method: request.method, headers: request.headers, body: ByteBuffer(bytes: request.body))
        #expect((400..<500).contains(response.status.code), "\(request)")
        guard request.method != .head else { continue }
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
        #expect(problem?.code.isEmpty == false && problem?.message.isEmpty == false, "\(request)")
        seen[problem?.code ?? "", default: 0] += 1
      }
      let expected = [
        "http.json", "http.member", "http.method", "http.content-type", "http.too-large", "http.not-found",
        "exchange-file.base64url", "exchange-file.member-missing",
      ]
      for code in expected { #expect(seen[code] != nil, "\(code) does not occur: \(seen)") }
      #expect(seen.keys.contains { !$0.hasPrefix("http.") && !$0.hasPrefix("exchange-file.") }, "\(seen)")
    }
  }
}
