import HTTPTypes
import Hummingbird

/// The pages that may use the server, and the pages that may frame its pages.
struct Callers: Sendable {
  let hosts: Hosts
  /// Origins besides those of this machine whose pages may use the phone and request answers.
  let allowedOrigins: [String]
  /// Origins besides the stage's own whose pages may frame the stage, and everything in it.
  let embeddingOrigins: [String]

  /// Refuses pages other than the stage's own and those that take part in a world.
  func requireReader(_ request: Request, of session: Session) throws(HTTPProblem) {
    if request.isFromOwnPage { return }
    let origin = try requirePage(request)
    guard session.website(of: origin) != nil else { throw request.refusal }
  }

  /// Returns the origin of a page that may use the simulated phone: a page of this machine, or one that is allowed by
  /// name.
  @discardableResult
  func requirePage(_ request: Request) throws(HTTPProblem) -> String {
    guard let origin = request.origin else {
      throw HTTPProblem(.forbidden, .origin, "only a page can do this: the Origin header is missing")
    }
    guard Hosts.isLocal(origin) || allowedOrigins.contains(origin) else { throw request.refusal }
    return origin
  }

  /// The sources of `frame-ancestors` for the stage.
  var framesOfStage: String { embeddingOrigins.isEmpty ? "'none'" : embeddingOrigins.joined(separator: " ") }

  /// The sources of `frame-ancestors` for a website's page: the stage, and the pages around it.
  var framesOfSite: String { (hosts.stageOrigins + embeddingOrigins).joined(separator: " ") }

  /// The sources of `frame-ancestors` for the phone: the pages that may use it. A source cannot be an IPv6 address
  /// (Content Security Policy Level 3, 2.3.1).
  var framesOfPhone: String {
    let local = ["http", "https"].flatMap { scheme in
      ["localhost", "*.localhost", "127.0.0.1"].map { "\(scheme)://\($0):*" }
    }
    return (["'self'"] + local + allowedOrigins + embeddingOrigins).joined(separator: " ")
  }
}

extension Request {
  /// Refuses pages of other origins than the request's host, although they can reach this server. A request that no page
  /// sent is accepted.
  func requireOwnPage() throws(HTTPProblem) { guard isFromOwnPage else { throw refusal } }

  /// True if a page of the request's host or no page sent it.
  var isFromOwnPage: Bool {
    guard let origin else { return !isFromAnotherOrigin }
    return origin == "http://\(head.authority?.lowercased() ?? "")"
  }

  /// The refusal of a page's request.
  var refusal: HTTPProblem {
    HTTPProblem(.forbidden, .origin, "pages of \(origin?.quoted ?? "another origin") may not do this")
  }

  /// True if a browser says that a page of another origin caused the request without a header `Origin`: for a picture, a
  /// script or a frame. A link to an address is followed from everywhere (Fetch Metadata, 2).
  var isFromAnotherOrigin: Bool {
    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    guard let site = field("Sec-Fetch-Site"), !["same-origin", "none"].contains(site) else { return false }
    return field("Sec-Fetch-Mode") != "navigate" || field("Sec-Fetch-Dest") != "document"
  }
}
