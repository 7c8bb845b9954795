import ExchangeFiles
import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import MobileDocument
import Primitives

/// `POST /api/answer`: the real answer of a world's phone to the request of a real page, as `presentment answer` gives it.
struct AnswerRoute: Sendable {
  let catalogue: Catalogue
  let hosts: Hosts
  let allowedOrigins: [String]
  let workers: Workers

  /// Longest body in bytes: the longest options that the browser takes, and room for what is around them.
  static let bodyLimit = CallRoutes.bodyLimit

  /// What is asked.
  private struct Question: Decodable {
    var origin: String
    var world: String?
    var device: String?
    var app: String?
    var seed: UInt64?
    var at: String?
    var format: WalletResponse.Format?
  }

  func answer(_ request: Request) async throws(HTTPProblem) -> Response {
    var request = request
    try requireAllowed(request)
    let data = try await request.data(type: "application/json", upTo: Self.bodyLimit)
    let question = try Request.json(Question.self, from: data)
    let options = try Self.options(Array(data))
    guard let world = catalogue.world(question.world ?? Catalogue.defaultWorld) else {
      throw HTTPProblem(WalletResponseError(.world, "there is no world \(question.world?.quoted ?? "")"))
    }
    var moment = DateTime(Date())
    if let text = question.at {
      guard let (parsed, _) = DateTime.parse(text) else {
        throw HTTPProblem(
          .badRequest, ExchangeFileError.Code.content.rawValue, "at is no moment as 2026-06-01T00:00:00Z")
      }
      moment = parsed
    }
    let asked = WalletQuery(
      world: world, device: question.device, app: question.app, origin: question.origin, seed: question.seed,
      moment: moment)
    let result: Result<WalletResponse, WalletResponseError> = try await workers.run {
      Result { () throws(WalletResponseError) in try WalletResponse(to: options, asked) }
    }
    switch result {
    case .failure(let refusal): throw HTTPProblem(refusal)
    case .success(let answer):
      return Reply.bytes(Data(answer.text(as: question.format ?? .credential)), type: "application/json")
    }
  }

  /// The roots of a world's issuing authorities, in PEM, for a site to trust. Each has the same key whenever it is asked for.
  func issuerRoots(_ request: Request) async throws(HTTPProblem) -> Response {
    let name = request.query("world") ?? Catalogue.defaultWorld
    guard let path = catalogue.world(name) else {
      throw HTTPProblem(.notFound, .notFound, "there is no world \(name.quoted)")
    }
    let result: Result<[UInt8], InteractiveWorldError> = try await workers.run {
      Result { () throws(InteractiveWorldError) in
        try IssuerRoots.pem(ofWorldAt: path, seed: nil, moment: DateTime(Date()))
      }
    }
    switch result {
    case .failure(let refusal): throw HTTPProblem(refusal)
    case .success(let pem): return Reply.bytes(Data(pem), type: "application/x-pem-file")
    }
  }

  /// Pages of others may not ask, though they can reach this server, unless they are allowed by name.
  private func requireAllowed(_ request: Request) throws(HTTPProblem) {
    guard let origin = request.origin, origin != hosts.stageOrigin, !allowedOrigins.contains(origin) else { return }
    throw HTTPProblem(.forbidden, .origin, "pages of \(origin.quoted) may not ask that; --allow-origin lets them")
  }

  /// Lets a page that is allowed by name read a response.
  func setCrossOrigin(_ response: inout Response, for request: Request) {
    response.headers[.vary] = "Origin"
    guard let origin = request.origin, allowedOrigins.contains(origin) else { return }
    response.headers[.accessControlAllowOrigin] = origin
  }

  /// What a browser asks before a page's request (Fetch, "CORS-preflight request").
  func preflight(_ request: Request) throws(HTTPProblem) -> Response {
    try requireAllowed(request)
    var response = Reply.empty()
    response.headers[.accessControlAllowMethods] = "POST"
    response.headers[.accessControlAllowHeaders] = "Content-Type"
    response.headers[.accessControlMaxAge] = "600"
    return response
  }

  /// What the page passed to the API, out of the member `request`.
  private static func options(_ body: [UInt8]) throws(HTTPProblem) -> [UInt8] {
    do throws(ExchangeFileError) {
      return try RequestTexts(anywhereIn: try ExchangeFile(body).member("request")).options
    } catch {
      let member = error.member.map { "\($0): " } ?? ""
      throw HTTPProblem(.badRequest, error.code.rawValue, TerminalSafe.text(member + error.message))
    }
  }
}
