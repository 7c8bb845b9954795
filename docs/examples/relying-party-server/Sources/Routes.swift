import Hummingbird
import Metrics
import RelyingParty

/// The calls of a page.
///
/// ```
/// POST /presentments                       {"session", "options"}, the options of navigator.credentials.get
/// POST /presentments/SESSION/response      the credential's {"protocol", "data"}; the verdict for the page
/// GET  /health, /metrics                   keep them from the internet at your proxy
/// ```
struct Routes {
  let configuration: Configuration
  let presentments: Presentments
  let metrics: MetricsRegistry

  /// The longest answer: a document with a large portrait has less than a megabyte.
  static let maximumBody = 1 << 20

  var router: Router<BasicRequestContext> {
    let router = Router()
    router.middlewares.add(MetricsMiddleware())
    router.get("health") { _, _ in "ok\n" }
    router.get("metrics") { _, _ in metrics.text }
    router.post("presentments") { request, context in try await begin(request, context) }
    router.post("presentments/:session/response") { request, context in try await submit(request, context) }
    return router
  }

  /// The page's origin is the one that the answer is bound to, so it must be ours.
  private func begin(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    guard let origin = request.headers[.origin], configuration.origins.contains(origin) else {
      throw HTTPError(.forbidden, message: "the page's origin may not ask")
    }
    let begun = try await presentments.begin(origin: origin, logger: context.logger)
    return json(.ok, Array(#"{"session":"\#(begun.session)","options":"#.utf8) + begun.options + Array("}".utf8))
  }

  private func submit(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    let identifier = try context.parameters.require("session")
    let body = try await request.body.collect(upTo: Self.maximumBody)
    let answer: SubmittedAnswer
    do {
      answer = try SubmittedAnswer(credential: Array(body.readableBytesView))
    } catch {
      throw HTTPError(.badRequest, message: "not a credential with protocol and data")
    }
    let verdict = try await presentments.verdict(on: answer, session: identifier, logger: context.logger)
    return json(verdict.isVerified ? .ok : .unprocessableContent, Array(verdict.pageJSON.utf8))
  }

  private func json(_ status: HTTPResponse.Status, _ bytes: [UInt8]) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
