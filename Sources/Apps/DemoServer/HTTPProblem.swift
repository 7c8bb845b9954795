import HTTPTypes
import InteractiveWorlds

/// The refusal of a request over HTTP: a status, and the code, message and evidence of the command.
struct HTTPProblem: Error, Sendable {
  /// Faults of the request itself.
  enum Code: String, CaseIterable {
    case host = "http.host"
    case origin = "http.origin"
    case notFound = "http.not-found"
    case method = "http.method"
    case contentType = "http.content-type"
    case tooLarge = "http.too-large"
    case body = "http.body"
    case json = "http.json"
    case member = "http.member"
    case world = "http.world"
    case callPending = "http.call-pending"
    case full = "http.full"
    case gone = "http.gone"
  }

  let status: HTTPResponse.Status
  let code: String
  let message: String
  var evidence: [String] = []
  /// The methods of the resource, for `Allow`.
  var allowed: [HTTPRequest.Method] = []

  init(_ status: HTTPResponse.Status, _ code: Code, _ message: String) {
    self.init(status, code.rawValue, message)
  }

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, evidence: [String] = []) {
    self.status = status
    self.code = code
    self.message = message
    self.evidence = evidence
  }

  /// A refusal by a live world: the input is not a step, or the step cannot be done now.
  init(_ refusal: InteractiveWorldError) {
    let status: HTTPResponse.Status =
      switch refusal.code {
      case .unreadable, .unsuitable: .badRequest
      case .impossible: .conflict
      case .ended, .full, .broken: .gone
      }
    self.init(status, refusal.code.rawValue, refusal.message)
  }

  /// A refusal by a phone: the request is well-formed, and refused.
  init(_ refusal: WalletResponseError) {
    self.init(
      refusal.isAboutTheQuestion ? .badRequest : .unprocessableContent, refusal.code, refusal.message,
      evidence: refusal.evidence)
  }

  static let noWorld = HTTPProblem(.notFound, .world, "the world is unknown or has ended")
}
