import ExchangeFiles
import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON
import MobileDocument
import Primitives
import Vocabulary

/// `POST /api/answer`: the answer of a world's phone to the request of a real page, as `presentment answer` gives it.
struct AnswerRoute: Sendable {
  let catalogue: Catalogue
  let hosts: Hosts
  let allowedOrigins: [String]
  let workers: Workers
  let sandbox: WorldDescription.SandboxPlace?

  /// The maximum body size in bytes: the browser's limit for options, and space for the other members.
  static let bodyLimit = CallRoutes.bodyLimit

  /// The body of a request.
  struct Question: JSONObject {
    var origin: String
    var world: String?
    var device: String?
    var app: String?
    var seed: UInt64?
    var at: String?
    var format: WalletResponse.Format?
    /// The faults that act.
    var faults: [String]?

    static let json = JSONForm<Self>(
      Self.init, Member("origin", \.origin), Member(optional: "world", \.world), Member(optional: "device", \.device),
      Member(optional: "app", \.app), Member(optional: "seed", \.seed), Member(optional: "at", \.at),
      Member(optional: "format", \.format), Member(optional: "faults", \.faults))
  }

  func answer(_ request: Request) async throws(HTTPProblem) -> Response {
    try requireAllowed(request)
    let data = try await request.content(upTo: Self.bodyLimit)
    let question = try Request.json(Question.self, from: data)
    let options = try Self.options(Array(data))
    guard let world = catalogue.world(question.world ?? Catalogue.defaultWorld) else {
      throw HTTPProblem(InteractiveWorldError(.world, "unknown world '\(question.world?.quoted ?? "")'"))
    }
    var moment = DateTime(Date())
    if let text = question.at {
      guard let (parsed, _) = DateTime.parse(text) else {
        throw HTTPProblem(
          .badRequest, HTTPProblem.Code(rawValue: ExchangeFileError.Code.content.rawValue),
          "at: invalid time; expected RFC 3339 in UTC, for example 2026-06-01T00:00:00Z")
      }
      moment = parsed
    }
    let faults = try DemoFault.forPage(question.faults ?? [])
    let asked = WalletQuery(
      world: world.path, device: question.device, app: question.app, origin: question.origin, seed: question.seed,
      moment: moment, sandbox: sandbox, faults: faults)
    let answer = try await workers.attempt { () throws(InteractiveWorldError) in
      try WalletResponse(to: options, asked)
    }
    return Reply.bytes(Data(answer.text(as: question.format ?? .credential)), type: "application/json")
  }

  /// The roots of a world's issuing authorities, in PEM, for a site to trust. The keys are the same for each request.
  func issuerRoots(_ request: Request) async throws(HTTPProblem) -> Response {
    let name = request.query("world") ?? Catalogue.defaultWorld
    guard let world = catalogue.world(name) else {
      throw HTTPProblem(.notFound, .notFound, "unknown world '\(name.quoted)'")
    }
    let pem = try await workers.attempt { () throws(InteractiveWorldError) in
      try IssuerRoots.pem(ofWorldAt: world.path, seed: nil, moment: DateTime(Date()))
    }
    return Reply.bytes(Data(pem), type: "application/x-pem-file")
  }

  /// Refuses pages of other origins that are not allowed by name, although they can reach this server.
  private func requireAllowed(_ request: Request) throws(HTTPProblem) {
    guard let origin = request.origin, origin != hosts.stageOrigin, !allowedOrigins.contains(origin) else { return }
    throw HTTPProblem(
      .forbidden, .origin, "pages of \(origin.quoted) may not request answers; allow them with --allow-origin")
  }

  /// Lets a page that is allowed by name read the response.
  func setCrossOrigin(_ response: inout Response, for request: Request) {
    response.headers[.vary] = "Origin"
    guard let origin = request.origin, allowedOrigins.contains(origin) else { return }
    response.headers[.accessControlAllowOrigin] = origin
  }

  /// Answers a browser's preflight request (Fetch, "CORS-preflight request").
  func preflight(_ request: Request) throws(HTTPProblem) -> Response {
    try requireAllowed(request)
    var response = Reply.empty()
    response.headers[.accessControlAllowMethods] = "POST"
    response.headers[.accessControlAllowHeaders] = "Content-Type"
    response.headers[.accessControlMaxAge] = "600"
    return response
  }

  /// The page's options for the API, from the member `request`.
  static func options(_ body: [UInt8]) throws(HTTPProblem) -> [UInt8] {
    do throws(ExchangeFileError) {
      return try RequestTexts(anywhereIn: try ExchangeFile(body).member("request")).options
    } catch {
      let member = error.member.map { "\($0): " } ?? ""
      throw HTTPProblem(
        .badRequest, HTTPProblem.Code(rawValue: error.code.rawValue), TerminalSafe.text(member + error.message))
    }
  }
}
