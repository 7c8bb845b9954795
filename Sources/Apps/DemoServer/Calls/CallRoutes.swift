import DigitalCredentials
import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON
import Primitives
import Vocabulary

/// Calls of the API that `presentment.js` forwards from a real page.
struct CallRoutes: Sendable {
  let sessions: Sessions
  let stage: StageRoutes
  let callers: Callers
  let catalogue: Catalogue
  let contexts: BrowsingContexts

  /// The maximum body size in bytes: the browser's limit for options, and space for the other members.
  static let bodyLimit = CredentialLimits.optionsBytes + (4 << 10)
  /// The maximum length of a call's name in bytes: a UUID has 36.
  static let nameLimit = 64

  /// The body of a call.
  struct Call {
    let options: ExternalPage.Options
    let hasGesture: Bool
    /// The state of the document that calls, JSON; nil if the page does not say.
    let caller: String?
    /// The message of an abort that follows at once.
    let abortion: String?
    /// The device whose browser shows the page; the person's current device when nil.
    let device: String?

    init(_ data: Data) throws(HTTPProblem) {
      let body = try Request.value(from: data)
      guard let options = body.member("options") else { throw HTTPProblem(.badRequest, .member, "options: missing") }
      let method = try body.optionalText("method") ?? CredentialOperation.get.rawValue
      guard let operation = CredentialOperation(rawValue: method) else {
        let names = CredentialOperation.allCases.map(\.rawValue).joined(separator: ", ")
        throw HTTPProblem(.badRequest, .member, "method: must be one of \(names), not \(method.quoted)")
      }
      self.options = ExternalPage.Options(
        String(decoding: options.bytes, as: UTF8.self), of: operation,
        isMarked: body.member("isMarked") == .boolean(true))
      hasGesture = body.member("gesture") == .boolean(true)
      device = try body.optionalText("device")
      abortion = try body.optionalText("abort").map { String($0.prefix(HTTPLimits.abortMessage)) }
      let caller = body.member("caller")?.bytes
      if let caller {
        do {
          _ = try JSONCoding.decode(CallerFacts.self, from: caller)
        } catch {
          throw HTTPProblem(.badRequest, .member, "caller: \(error.message)")
        }
      }
      self.caller = caller.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Returns the page's world. A page whose origin is the origin of a website in a world of the server joins that world,
  /// unless it wants another browser. Any other page gets a world of its own, with such a website and such a browser.
  ///
  /// - Parameter name: A world that lives on the server, or one of the catalogue.
  func join(
    _ request: Request, _ name: String,
    default session: () async throws(HTTPProblem) -> Session
  ) async throws(HTTPProblem) -> Response {
    let origin = try callers.requirePage(request)
    let joining = try await Joining(request)
    var known = sessions.known(name)
    // Only the default world begins with the first page of its websites.
    if known == nil, name == Catalogue.defaultWorld, callers.hosts.isWebsite(origin) { known = try await session() }
    let own = known.flatMap { sessions.externalPages.page(inWorld: $0.identifier) }
    // A frame is in the world that the page around it has joined.
    if let known, own == nil && joining.test == nil || joining.parent != nil, let website = known.website(of: origin),
      joining.profile.map({ $0 == known.browser(on: joining.device) }) ?? true
    {
      return try await welcome(joining, of: origin, into: known, website)
    }
    var named = try DemoFault.forPage(joining.faults ?? [])
    if joining.faults == nil, own == nil { named = known?.setting.faults.filter(\.actsOnExternalSites) ?? [] }
    var place = try place(named: name, joining.scenario, like: known, own)
    if let profile = joining.profile {
      place.browser = ExternalPages.Browser(profile: profile.name, device: joining.device)
    }
    if let test = joining.test { place.test = test }
    let (page, faults, ending) = try sessions.externalPages.join(
      origin, in: place, naming: named, isOver: contexts.isOver)
    ending.map(sessions.stop)
    let joined = try await sessions.find(named: "own \(page.identifier)") { () async throws(HTTPProblem) in
      try await begin(page)
    }
    try await HTTPProblem.ifRefused(try await sessions.externalPages.set(faults, for: page.identifier, in: joined))
    return try await welcome(joining, of: origin, into: joined, joined.website(of: origin) ?? "", page)
  }

  /// Adds the document to those that WebDriver sees, and tells it its place.
  private func welcome(
    _ joining: Joining, of origin: String, into session: Session, _ website: String, _ page: ExternalPages.Page? = nil
  ) async throws(HTTPProblem) -> Response {
    if let context = joining.context {
      let browser = BrowsingContexts.Browser(
        session: session.identifier, device: joining.device ?? session.device, website: website)
      try await contexts.add(
        BrowsingContexts.Context(
          identifier: context, parent: joining.parent, url: joining.url ?? origin, origin: origin, browser: browser,
          test: sessions.externalPages.page(inWorld: session.identifier)?.place.test))
    }
    let known = page.map { [("page", JSONValue.string($0.identifier))] } ?? []
    let browser = session.browser(on: joining.device)?.name ?? ""
    return Reply.json(
      JSONValue(
        members: [("browser", .string(browser))] + known + [
          ("website", .string(website)), ("world", .string(session.identifier)),
        ]))
  }

  /// Finds the place that a page joins: a scenario, the world of a session, or a world of the catalogue.
  private func place(
    named name: String, _ scenario: String?, like session: Session?, _ page: ExternalPages.Page?
  ) throws(HTTPProblem) -> ExternalPages.Place {
    if let scenario {
      guard catalogue.scenario(scenario) != nil else {
        throw HTTPProblem(.badRequest, .member, "unknown scenario '\(scenario.quoted)'")
      }
      return ExternalPages.Place(scenario: scenario)
    }
    if let page { return page.place }
    if let known = catalogue.world(name) { return ExternalPages.Place(world: known.name) }
    guard let session else { throw .noWorld }
    return ExternalPages.Place(world: session.worldName, scenario: session.scenarioName, seed: session.setting.seed)
  }

  /// Begins the world of a page.
  private func begin(_ page: ExternalPages.Page) async throws(HTTPProblem) -> Session {
    let place = page.place
    let session = try await stage.begin(
      StageRoutes.Beginning(world: place.world, scenario: place.scenario, seed: place.seed), forPageOf: page.origin,
      in: place.browser)
    if place.test != nil { session.use.setOfTest() }
    guard sessions.externalPages.begin(page.identifier, in: session.identifier) else {
      session.world.stop()
      throw HTTPProblem(.conflict, .gone, "the page's test has ended")
    }
    return session
  }

  /// Ends the world that a page has of its own, with its faults and the behavior of its virtual wallet. The page joins
  /// again.
  func reset(_ request: Request, in session: Session) throws(HTTPProblem) -> Response {
    let page = try page(of: request, in: session)
    for world in sessions.externalPages.remove(where: { $0.identifier == page.identifier }) { sessions.stop(world) }
    return Reply.empty()
  }

  /// Does a command of a test for the page that sends it.
  func test(_ request: Request, _ name: String, in session: Session) async throws(HTTPProblem) -> Response {
    let page = try page(of: request, in: session)
    guard let command = TestCommand(rawValue: name) else {
      throw HTTPProblem(.notFound, .notFound, "unknown command \(name.quoted)")
    }
    let parameters = try Request.value(from: try await request.content(upTo: StageRoutes.bodyLimit))
    return Reply.json(try await contexts.tests.result(of: command, parameters, for: [page]))
  }

  /// The external page that sends a request about a world of its own.
  private func page(of request: Request, in session: Session) throws(HTTPProblem) -> ExternalPages.Page {
    let origin = try callers.requirePage(request)
    guard let page = sessions.externalPages.page(inWorld: session.identifier), page.origin == origin else {
      throw HTTPProblem(.conflict, .world, "the world is not one of the page's own")
    }
    return page
  }

  /// Removes a document that was left, and the frames in it.
  func leave(_ request: Request, _ context: String) throws(HTTPProblem) -> Response {
    contexts.remove(context, of: try callers.requirePage(request))
    return Reply.empty()
  }

  /// Sets the behavior of the virtual wallet of a page's browser.
  func setVirtualWallet(_ request: Request, in session: Session) async throws(HTTPProblem) -> Response {
    let origin = try callers.requirePage(request)
    let data = try await request.content(upTo: Self.bodyLimit)
    guard let website = session.website(of: origin) else {
      throw HTTPProblem(.conflict, .world, "no website of this world has the page's origin; the page has to join first")
    }
    let parameters = try Request.value(from: data)
    func problem(_ code: VirtualWalletError.Code, _ message: String) -> HTTPProblem {
      HTTPProblem(.badRequest, HTTPProblem.Code(rawValue: code.rawValue), message)
    }
    do { _ = try VirtualWalletCommand(parameters: parameters) } catch { throw problem(error.code, error.message) }
    let device = try parameters.optionalText("device") ?? session.device
    do throws(InteractiveWorldError) {
      try await ExternalPage(website, on: device, in: session.world)
        .setVirtualWallet(String(decoding: parameters.bytes, as: UTF8.self))
    } catch {
      throw error.code == .unsuitable ? problem(.invalidArgument, error.message) : HTTPProblem(error)
    }
    return Reply.empty()
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
    sessions.externalPages.countCall(inWorld: session.identifier)
    defer { session.endCall(name, of: website) }
    do {
      let answer = try await request.body.consumeWithCancellationOnInboundClose { _ in
        try await page.call(
          call.options, call: number, after: ExternalPage.Gesture(isOpened: true, isTapped: call.hasGesture),
          caller: call.caller, abortedWith: call.abortion)
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
    let consumes = answer.consumesActivation ? #""consumesActivation":true,"# : ""
    let body = Data("{\(consumes)\"\(member)\":".utf8) + Data(answer.bytes) + Data("}".utf8)
    var response = Reply.bytes(body, type: "application/json")
    // A connection that was watched for its end is not used again.
    response.headers[.connection] = "close"
    return response
  }

  /// Aborts a call.
  func abort(_ request: Request, _ name: String, in session: Session) async throws(HTTPProblem) -> Response {
    struct Body: JSONObject {
      var message: String?
      static let json = JSONForm<Self>(Self.init, Member(optional: "message", \.message))
    }
    let origin = try callers.requirePage(request)
    let body = try await request.json(Body.self, upTo: StageRoutes.bodyLimit)
    guard let website = session.website(of: origin), let call = session.call(name, of: website) else {
      throw HTTPProblem(.notFound, .notFound, "unknown call")
    }
    let message = String((body.message ?? "").prefix(HTTPLimits.abortMessage))
    try await HTTPProblem.ifRefused(try await call.page.abort(call: call.number, message))
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

extension JSONValue {
  /// The text of a member, or nil if it is missing or null.
  fileprivate func optionalText(_ name: String) throws(HTTPProblem) -> String? {
    switch member(name) {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw HTTPProblem(.badRequest, .member, "\(name): not a string")
    }
  }
}

extension DemoFault {
  /// Returns the faults with names for the calls of a real page, each once.
  static func forPage(_ names: [String]) throws(HTTPProblem) -> [DemoFault] {
    do throws(InteractiveWorldError) {
      return try forExternalSite(names)
    } catch {
      throw HTTPProblem(.badRequest, .member, "faults: \(error.message)")
    }
  }

  /// Returns the faults with names for a world of the server, each once.
  static func named(_ names: [String]) throws(HTTPProblem) -> [DemoFault] {
    try names.uniqued().map { (name) throws(HTTPProblem) in
      if let fault = named(name) { return fault }
      throw HTTPProblem(.badRequest, .member, "unknown fault '\(name.quoted)'")
    }
  }
}

extension Session {
  /// The profile of a device's browser.
  /// - Parameter device: Nil for the one whose browser shows the pages.
  fileprivate func browser(on device: String?) -> BrowserProfile? {
    let name = device ?? self.device
    return world.scenario.world.devices.first { $0.identifier == name }?.browserProfile
  }
}
