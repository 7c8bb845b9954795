import DigitalCredentials
import Hummingbird
import JSON

/// A page that joins a world, or a frame in it: the settings of its script element, and its document.
@dynamicMemberLookup
struct Joining: Sendable {
  private let body: Body
  /// The profile of the browser that the page wants.
  let profile: BrowserProfile?

  /// The body of a request.
  struct Body: JSONObject {
    /// The name of the document's context; nil if WebDriver does not see it.
    var context: String?
    /// The context around a frame.
    var parent: String?
    var url: String?
    var browser: String?
    /// The device of that browser.
    var device: String?
    /// A scenario, in whose world the page takes part, with its faults.
    var scenario: String?
    /// The faults for the page's calls.
    var faults: [String]?
    /// The test that the page belongs to.
    var test: String?

    static let json = JSONForm<Self>(
      Self.init, Member(optional: "context", \.context), Member(optional: "parent", \.parent),
      Member(optional: "url", \.url), Member(optional: "browser", \.browser), Member(optional: "device", \.device),
      Member(optional: "scenario", \.scenario), Member(optional: "faults", \.faults),
      Member(optional: "test", \.test))
  }

  /// A member of the body.
  subscript<Value>(dynamicMember member: KeyPath<Body, Value>) -> Value { body[keyPath: member] }

  /// Reads the body of a request.
  init(_ request: Request) async throws(HTTPProblem) {
    try self.init(try await request.json(Body.self, upTo: StageRoutes.bodyLimit))
  }

  /// Checks a body.
  init(_ body: Body) throws(HTTPProblem) {
    try Self.limit(body.context, "context", to: BrowsingContexts.nameLimit)
    try Self.limit(body.parent, "parent", to: BrowsingContexts.nameLimit)
    try Self.limit(body.url, "url", to: BrowsingContexts.addressLimit)
    profile = try body.browser.map { (name) throws(HTTPProblem) in
      guard let profile = BrowserProfile.named(name) else {
        let names = BrowserProfile.all.map(\.name).joined(separator: ", ")
        throw HTTPProblem(.badRequest, .member, "browser: unknown profile \(name.quoted); the profiles are \(names)")
      }
      return profile
    }
    try Self.limit(body.test, "test", to: BrowsingContexts.nameLimit)
    self.body = body
  }

  private static func limit(_ text: String?, _ name: String, to limit: Int) throws(HTTPProblem) {
    guard let text, !(1...limit).contains(text.utf8.count) else { return }
    throw HTTPProblem(.badRequest, .member, "\(name): longer than \(limit) bytes, or empty")
  }
}
