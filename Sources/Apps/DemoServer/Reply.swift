import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON

/// Makes responses with the headers that all responses share.
enum Reply {
  /// JSON, members in alphabetical order.
  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
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
    struct Body: Encodable {
      var code: String
      var message: String
      var evidence: [String]?
    }
    let evidence = problem.details.isEmpty ? nil : problem.details
    var response = json(
      Body(code: problem.code.rawValue, message: problem.message, evidence: evidence), status: problem.status)
    if !problem.allowed.isEmpty {
      response.headers[.allow] = problem.allowed.map(\.rawValue).joined(separator: ", ")
    }
    return response
  }

  /// Forbids caching, sniffing and referrers.
  static func setCommon(_ response: inout Response) {
    response.headers[.cacheControl] = response.headers[.cacheControl] ?? "no-store"
    response.headers[.xContentTypeOptions] = "nosniff"
    if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
  }
}
