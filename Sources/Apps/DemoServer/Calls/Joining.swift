import DigitalCredentials
import Hummingbird
import JSON

/// A page that joins a world, or a frame in it: the settings of its script element, and its document.
struct Joining: Sendable {
  /// The name of the document's context; nil if WebDriver does not see it.
  let context: String?
  /// The context around a frame.
  let parent: String?
  let url: String?
  /// The profile of the browser that the page wants.
  let profile: BrowserProfile?
  /// The device of that browser.
  let device: String?
  /// A scenario, in whose world the page takes part, with its faults.
  let scenario: String?
  /// The faults for the page's calls.
  let faults: [String]?
  /// The test that the page belongs to.
  let test: String?

  /// The body of a request.
  struct Body: JSONObject {
    var context: String?
    var parent: String?
    var url: String?
    var browser: String?
    var device: String?
    var scenario: String?
    var faults: [String]?
    var test: String?

    static let json = JSONForm<Self>(
      Self.init, Member(optional: "context", \.context), Member(optional: "parent", \.parent),
      Member(optional: "url", \.url), Member(optional: "browser", \.browser), Member(optional: "device", \.device),
      Member(optional: "scenario", \.scenario), Member(optional: "faults", \.faults),
      Member(optional: "test", \.test))
  }

  /// Reads the body of a request.
  init(_ request: Request) async throws(HTTPProblem) {
    try self.init(try await request.json(Body.self, upTo: StageRoutes.bodyLimit))
  }

  /// Checks a body.
  init(_ body: Body) throws(HTTPProblem) {
    context = try Self.limited(body.context, "context", to: BrowsingContexts.nameLimit)
    parent = try Self.limited(body.parent, "parent", to: BrowsingContexts.nameLimit)
    url = try Self.limited(body.url, "url", to: BrowsingContexts.addressLimit)
    profile = try body.browser.map { (name) throws(HTTPProblem) in
      guard let profile = BrowserProfile.named(name) else {
        let names = BrowserProfile.all.map(\.name).joined(separator: ", ")
        throw HTTPProblem(.badRequest, .member, "browser: unknown profile \(name.quoted); the profiles are \(names)")
      }
      return profile
    }
    test = try Self.limited(body.test, "test", to: BrowsingContexts.nameLimit)
    (device, scenario, faults) = (body.device, body.scenario, body.faults)
  }

  private static func limited(_ text: String?, _ name: String, to limit: Int) throws(HTTPProblem) -> String? {
    guard let text else { return nil }
    guard (1...limit).contains(text.utf8.count) else {
      throw HTTPProblem(.badRequest, .member, "\(name): longer than \(limit) bytes, or empty")
    }
    return text
  }
}
