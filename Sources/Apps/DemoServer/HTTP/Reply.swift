import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON
import Primitives

/// Makes responses with the headers that all responses share.
enum Reply {
  /// JSON, members in alphabetical order.
  static func json(_ value: some JSONWritable, status: HTTPResponse.Status = .ok) -> Response {
    bytes(Data(JSONCoding.encode(value)), type: "application/json", status: status)
  }

  static func bytes(_ data: Data, type: String, status: HTTPResponse.Status = .ok) -> Response {
    var response = Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    response.headers[.contentType] = type
    setCommon(&response)
    return response
  }

  static func empty(_ status: HTTPResponse.Status = .noContent) -> Response {
    var response = Response(status: status)
    setCommon(&response)
    return response
  }

  static func problem(_ problem: HTTPProblem) -> Response {
    var response = json(problem.json, status: problem.status)
    if !problem.allowed.isEmpty { response.headers[.allow] = problem.allowed.map(\.rawValue).joined(separator: ", ") }
    if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
    return response
  }

  /// Forbids caching, sniffing and referrers.
  static func setCommon(_ response: inout Response) {
    response.headers[.cacheControl] = response.headers[.cacheControl] ?? "no-store"
    response.headers[.xContentTypeOptions] = "nosniff"
    if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
  }

  /// Forbids pages of other origins to load a response as a picture, a script or a frame's content (Fetch,
  /// "Cross-Origin-Resource-Policy header").
  static func setOwnOnly(_ response: inout Response) {
    if let name = HTTPField.Name("Cross-Origin-Resource-Policy") { response.headers[name] = "same-origin" }
  }
}

/// The refusal of a request over HTTP: a status, and the code, message and evidence of the command.
struct HTTPProblem: CodedError {
  /// A fault of the request itself, or the code of the error behind the refusal.
  struct Code: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let host = Code(rawValue: "http.host")
    static let origin = Code(rawValue: "http.origin")
    static let notFound = Code(rawValue: "http.not-found")
    static let method = Code(rawValue: "http.method")
    static let contentType = Code(rawValue: "http.content-type")
    static let tooLarge = Code(rawValue: "http.too-large")
    static let body = Code(rawValue: "http.body")
    static let json = Code(rawValue: "http.json")
    static let member = Code(rawValue: "http.member")
    static let world = Code(rawValue: "http.world")
    static let callPending = Code(rawValue: "http.call-pending")
    static let full = Code(rawValue: "http.full")
    static let gone = Code(rawValue: "http.gone")

    /// The faults of requests.
    static let requests = [
      host, origin, notFound, method, contentType, tooLarge, body, json, member, world, callPending, full, gone,
    ]
  }

  let status: HTTPResponse.Status
  let code: Code
  let message: String
  /// The evidence, line by line.
  let details: [String]
  /// The methods of the resource, for `Allow`.
  var allowed: [HTTPRequest.Method] = []
  /// The time in seconds after which the request may succeed, for `Retry-After`.
  var retryAfter: Int?

  init(_ status: HTTPResponse.Status, _ code: Code, _ message: String, details: [String] = []) {
    self.status = status
    self.code = code
    self.message = message
    self.details = details
  }

  /// A body that is not JSON.
  init(notJSON error: JSONError) {
    self.init(.badRequest, .json, "the body is not JSON: byte \(error.offset): \(error.message)")
  }

  /// A refusal by an interactive world or by its device.
  init(_ refusal: InteractiveWorldError) {
    let status: HTTPResponse.Status =
      switch refusal.code {
      case .unreadable, .unsuitable, .world, .origin: .badRequest
      case .impossible: .conflict
      case .ended, .full, .broken: .gone
      // The request is well-formed, and the device refuses it.
      default: .unprocessableContent
      }
    self.init(status, Code(rawValue: refusal.code.rawValue), refusal.message, details: refusal.details)
  }

  /// Returns the result of what a world does, or throws its refusal as a problem.
  @discardableResult
  static func ifRefused<Value>(
    _ body: @autoclosure () async throws(InteractiveWorldError) -> Value
  ) async throws(HTTPProblem) -> Value {
    do throws(InteractiveWorldError) {
      return try await body()
    } catch {
      throw HTTPProblem(error)
    }
  }

  /// The content of the response.
  var json: JSONValue {
    let evidence: [(String, JSONValue)] = details.isEmpty ? [] : [("evidence", .array(details.map(JSONValue.string)))]
    return JSONValue(members: [("code", .string(code.rawValue))] + evidence + [("message", .string(message))])
  }

  /// The evidence in one text.
  var evidence: String? { details.isEmpty ? nil : details.joined(separator: "; ") }

  static let noWorld = HTTPProblem(.notFound, .world, "the world is unknown or has ended")
}
