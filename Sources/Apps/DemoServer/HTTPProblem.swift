import HTTPTypes
import InteractiveWorlds

/// Why a request over HTTP is refused: a status, and the same code, message and evidence that the command has.
struct HTTPProblem: Error, Sendable {
  /// What is wrong with a request itself.
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
  /// Methods that the resource has, for `Allow`.
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

  /// What a live world does not do: the caller asked for what is no step, or for what cannot be done now.
  init(_ refusal: InteractiveWorldError) {
    let status: HTTPResponse.Status =
      switch refusal.code {
      case .unreadable, .unsuitable: .badRequest
      case .impossible: .conflict
      case .ended, .full, .broken: .gone
      }
    self.init(status, refusal.code.rawValue, refusal.message)
  }

  /// What a phone does not answer: the request is understood, and refused.
  init(_ refusal: WalletResponseError) {
    self.init(
      refusal.isAboutTheQuestion ? .badRequest : .unprocessableContent, refusal.code, refusal.message,
      evidence: refusal.evidence)
  }

  static let noWorld = HTTPProblem(.notFound, .world, "there is no such world, or it has ended")
}
