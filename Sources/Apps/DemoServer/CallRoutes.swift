import DigitalCredentials
import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON

/// Calls of `navigator.credentials.get` that `presentment.js` forwards from a real page.
struct CallRoutes: Sendable {
  let sessions: Sessions
  let stage: StageRoutes
  let callers: Callers

  /// The maximum body size in bytes: the browser's limit for options, and space for the other members.
  static let bodyLimit = CredentialLimits.optionsBytes + (4 << 10)
  /// The maximum length of a call's name in bytes: a UUID has 36.
  static let nameLimit = 64

  private struct Call {
    let options: String
    let hasGesture: Bool
    /// The device whose browser shows the page; the person's current device when nil.
    let device: String?

    init(_ data: Data) throws(HTTPProblem) {
      let body: JSONValue
      do {
        body = try JSONReader.read(Array(data))
      } catch {
        throw HTTPProblem(.badRequest, .json, "the body is not JSON: byte \(error.offset): \(error.message)")
      }
      guard let options = body.member("options") else {
        throw HTTPProblem(.badRequest, .member, "options: missing")
      }
      self.options = String(decoding: options.bytes, as: UTF8.self)
      hasGesture = body.member("gesture") == .boolean(true)
      switch body.member("device") {
      case nil, .null: device = nil
      case .string(let name): device = name
      default: throw HTTPProblem(.badRequest, .member, "device: not a string")
      }
    }
  }

  /// Returns the page's world. A page whose origin is not the origin of a website in the world gets a world of its own
  /// with such a website.
  func join(_ request: Request, _ name: String) async throws(HTTPProblem) -> Response {
    func reply(_ session: Session, _ website: String) -> Response {
      Reply.json(JSONValue(members: [("website", .string(website)), ("world", .string(session.identifier))]))
    }
    let origin = try callers.requirePage(request)
    let session = try sessions.find(name)
    if let website = session.website(of: origin) {
      return reply(session, website)
    }
    let own = try await sessions.find(named: "\(session.identifier) \(origin)") { () async throws(HTTPProblem) in
      try await begin(for: origin, like: session)
    }
    return reply(own, own.website(of: origin) ?? "")
  }

  private func begin(for origin: String, like session: Session) async throws(HTTPProblem) -> Session {
    let change: ExternalPageChange
    do {
      change = ExternalPageChange(try Origin(serialized: origin), into: session.world.scenario.world)
    } catch {
      throw HTTPProblem(.forbidden, .origin, "\(error)")
    }
    return try await stage.begin(
      StageRoutes.Beginning(
        world: session.worldName, scenario: session.scenarioName, seed: session.setting.seed,
        faults: session.setting.faults.map(\.name)),
      changes: [change.change], moment: .now)
  }

  /// Makes a call, which is answered when the person has finished. If the page closes the connection earlier, it was
  /// closed or has aborted the call, so the call ends.
  func call(_ request: Request, in session: Session) async throws(HTTPProblem) -> Response {
    var request = request
    let origin = try callers.requirePage(request)
    let name = try callName(Self.callHeader.flatMap { request.headers[$0] })
    let call = try Call(try await request.data(type: "application/json", upTo: Self.bodyLimit))
    guard let website = session.website(of: origin) else {
      throw HTTPProblem(.conflict, .world, "no website of this world has the page's origin; the page has to join first")
    }
    let device = call.device ?? session.device
    guard session.world.scenario.world.devices.contains(where: { $0.identifier == device }) else {
      throw HTTPProblem(.badRequest, .member, "the world has no device \(device.quoted)")
    }
    let page = ExternalPage(website, on: device, in: session.world)
    let number = try session.beginCall(name, of: page)
    defer { session.endCall(name, of: website) }
    do {
      let answer = try await request.body.consumeWithCancellationOnInboundClose { _ in
        try await page.getCredential(
          call.options, call: number, after: ExternalPage.Gesture(isOpened: true, isTapped: call.hasGesture))
      }
      guard let answer else { throw InteractiveWorldError(.ended, "the world has ended") }
      return Self.response(answer)
    } catch let refusal as InteractiveWorldError {
      throw HTTPProblem(refusal)
    } catch {
      throw HTTPProblem(.conflict, .gone, "the page was closed, which ended its call")
    }
  }

  private static func response(_ answer: ExternalPage.Answer) -> Response {
    let member = answer.kind == .credential ? "credential" : "exception"
    let body = Data("{\"\(member)\":".utf8) + Data(answer.bytes) + Data("}".utf8)
    var response = Reply.bytes(body, type: "application/json")
    // A connection that was watched for its end is not used again.
    response.headers[.connection] = "close"
    return response
  }

  /// Aborts a call.
  func abort(_ request: Request, _ name: String, in session: Session) async throws(HTTPProblem) -> Response {
    struct Body: Decodable {
      var message: String?
    }
    var request = request
    let origin = try callers.requirePage(request)
    let body = try await request.json(Body.self, upTo: StageRoutes.bodyLimit)
    guard let website = session.website(of: origin), let call = session.call(name, of: website) else {
      throw HTTPProblem(.notFound, .notFound, "unknown call")
    }
    do throws(InteractiveWorldError) {
      try await call.page.abort(call: call.number, String((body.message ?? "").prefix(HTTPLimits.abortMessage)))
    } catch {
      throw HTTPProblem(error)
    }
    return Reply.empty()
  }

  /// The header with the name of a call, which the page needs to abort it.
  static let callHeader = HTTPField.Name("X-Presentment-Call")

  private func callName(_ text: String?) throws(HTTPProblem) -> String {
    guard let text, (1...Self.nameLimit).contains(text.utf8.count) else {
      throw HTTPProblem(.badRequest, .member, "the header X-Presentment-Call must have the call's name")
    }
    return text
  }

  /// Lets a page of another origin read the response.
  func setCrossOrigin(_ response: inout Response, for request: Request) {
    guard let origin = request.origin, (try? callers.requirePage(request)) != nil else { return }
    response.headers[.accessControlAllowOrigin] = origin
    response.headers[.vary] = "Origin"
  }

  /// Answers a browser's preflight request (Fetch, "CORS-preflight request").
  func preflight(_ request: Request) throws(HTTPProblem) -> Response {
    _ = try callers.requirePage(request)
    var response = Reply.empty()
    response.headers[.accessControlAllowMethods] = "POST"
    response.headers[.accessControlAllowHeaders] = "Content-Type, X-Presentment-Call"
    response.headers[.accessControlMaxAge] = "600"
    return response
  }
}
