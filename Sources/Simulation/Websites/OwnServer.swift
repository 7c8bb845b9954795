import Checks
import ExchangeFiles
import JSON
import Messaging
import MobileDocument
import OwnServers
import Primitives
import RelyingParty
import SimulationKernel
import Vocabulary
import WebPresentment

/// The client of a verifier server outside the world, in the place of a website's server: calls it as the page of a real
/// website does, and tells the world's page what its answers say.
///
/// ```
/// page   --POST /presentments-->  client    the call that begins a session, and the request in its answer
/// client --HTTP request-->        own server
/// page   --POST .../response-->   client    the call that hands in the credential
/// page   <--verification result-- client    whether the answer accepts or refuses, and the elements in it
/// ```
package actor OwnServerClient: StationedActor {
  package nonisolated let station: Station
  private let website: WorldDescription.Website
  private let target: VerifierTarget
  private let outside: Party
  /// The sessions, by the names that the page knows.
  private var sessions: [String: Session] = [:]

  private struct Session {
    var server: ServerSession
    /// The requested documents; empty for a request that is unreadable.
    var asks: [ItemsRequest]
  }

  package init(_ website: WorldDescription.Website, _ target: VerifierTarget, station: Station) {
    self.station = station
    self.website = website
    self.target = target
    outside = OwnServer.party(of: website.identifier)
  }

  package func receive(_ message: Message) async {
    switch message.kind {
    case .beginPresentment: await begin(message)
    case .submitResponse: await submit(message)
    default: station.ignore(message)
    }
  }

  private func begin(_ message: Message) async {
    var session = ServerSession(target)
    guard let answer = await send(session.beginCall, for: message) else { return }
    do {
      try session.begin(with: answer)
    } catch {
      return disturb(message, error.sentence)
    }
    guard let request = Self.request(in: session.options), let proto = request.member("protocol")?.text,
      let data = request.member("data"), let body = try? JSONCoding.decode(RequestData.self, from: data.bytes)
    else {
      return disturb(message, "the options have no request of \(RequestData.protocolIdentifier) with its two members")
    }
    let asks = (try? RequestedElements.like(session.options.bytes, name: website.identifier))?.documents ?? []
    let identifier = "\(website.identifier)-\(sessions.count + 1)"
    sessions[identifier] = Session(server: session, asks: asks)
    station.answer(message, .presentmentBegun, BegunPresentment(session: identifier, protocol: proto, data: body))
  }

  /// The request of the protocol that the world's devices answer.
  private static func request(in options: JSONValue) -> JSONValue? {
    guard case .array(let requests)? = options.member("digital")?.member("requests") else { return nil }
    return requests.first { $0.member("protocol")?.text == RequestData.protocolIdentifier }
  }

  private func submit(_ message: Message) async {
    guard let submitted = message.body(ReceivedResponse.self), let session = sessions[submitted.session],
      case .object(let members)? = try? JSONReader.read(message.bytes)
    else {
      return disturb(message, "the page submits to a session that the server has not begun")
    }
    let credential = JSONValue.object(members.filter { $0.name != "session" })
    guard let answer = await send(session.server.submitCall(credential), for: message) else { return }
    switch ServerReaction(answer, target) {
    case .unclear(let words), .broken(let words): disturb(message, words)
    case .refused: conclude(message, refusal: refusal(answer), [])
    case .accepted:
      guard let shown = target.shown else { return conclude(message, refusal: nil, elements(in: answer, of: session)) }
      guard let view = await view(shown, of: session.server, for: message) else { return }
      conclude(message, refusal: nil, elements(in: view, of: session))
    }
  }

  /// The person's view after acceptance; nil if the server does not show that it verified.
  private func view(_ shown: VerifierTarget.Shown, of session: ServerSession, for message: Message) async -> HTTPAnswer?
  {
    let end = station.instant.advanced(by: shown.within)
    while let call = session.shownCall {
      guard let answer = await send(call, for: message) else { return nil }
      if shown.verified.matches(answer) { return answer }
      guard station.instant < end else {
        disturb(message, "the server accepted, and does not show it: \(answer.excerpt)")
        return nil
      }
      try? await station.scheduler.clock.sleep(until: station.instant.advanced(by: Self.pollInterval))
    }
    return nil
  }

  /// The time between two calls for the person's view.
  private static let pollInterval = Duration.milliseconds(100)

  /// Calls the server. Returns nil without an answer, which leaves the case undecided.
  private func send(_ call: HTTPCall, for message: Message) async -> HTTPAnswer? {
    var call = call
    call.headers.append((OwnServer.visitorHeader, message.sender.deviceOfPage ?? message.sender.name))
    guard let answer = try? await station.endpoint.request(.httpRequest, call.encoded, as: MediaType.http, to: outside),
      answer.kind == .httpResponse
    else {
      refuse(message, "no answer")
      return nil
    }
    guard let received = HTTPAnswer(encoded: answer.bytes) else {
      disturb(message, "the answer is not HTTP")
      return nil
    }
    return received
  }

  /// Leaves the case undecided: the server gave no answer that says something.
  private func disturb(_ message: Message, _ reason: String) {
    station.note(.ownServerFailed, reason)
    station.scheduler.disturb("the server of \(website.identifier): \(reason)")
    refuse(message, reason)
  }

  private func refuse(_ message: Message, _ reason: String) {
    station.refuse(message, code: NoteCode.ownServerFailed.rawValue, reason)
  }

  private func refusal(_ answer: HTTPAnswer) -> CheckFailure<OwnServerCheck> {
    let reason = target.reason.flatMap { place in answer.json.flatMap { place.value(in: $0) } }
    let words = reason.map { $0.text ?? String(decoding: $0.bytes, as: UTF8.self) }
    return CheckFailure(
      .accepted,
      evidence: [CheckResult.Evidence("answer", found: words.map { TerminalSafe.text($0) } ?? answer.excerpt)])
  }

  /// The requested elements in an answer, wherever they are in it.
  private func elements(in answer: HTTPAnswer, of session: Session) -> [JSONValue] {
    guard let json = answer.json, let root = target.elements.map({ $0.value(in: json) }) ?? json else { return [] }
    let found = root.namedValues { $0 }
    return session.asks.compactMap { request in
      let spaces = request.nameSpaces.compactMap { space -> (String, JSONValue)? in
        let members = space.elements.compactMap { element in found[element.identifier].map { (element.identifier, $0) }
        }
        return members.isEmpty ? nil : (space.name, JSONValue(members: members))
      }
      guard !spaces.isEmpty else { return nil }
      return JSONValue(members: [("docType", .string(request.documentType)), ("elements", JSONValue(members: spaces))])
    }
  }

  private func conclude(_ message: Message, refusal: CheckFailure<OwnServerCheck>?, _ documents: [JSONValue]) {
    let result = refusal?.result ?? OwnServerCheck.accepted.passed
    station.record(result)
    station.record(.verdict(VerdictEvent(failure: refusal == nil ? nil : result)))
    let failure = refusal.map { _ in
      JSONValue(members: [("check", .string(result.check)), ("reason", result.reason.map(JSONValue.string) ?? .null)])
    }
    let verdict = JSONValue(members: [
      ("verdict", .string(refusal == nil ? "verified" : "refused")), ("failure", failure ?? .null),
      ("documents", .array(documents)),
    ])
    station.answer(message, .verificationResult, bytes: verdict.bytes, as: MediaType.verificationResult)
  }
}

/// A verifier server outside the world. Its calls and answers are messages, and the time that it takes passes in the world.
package actor OwnServer: StationedActor {
  package nonisolated let station: Station
  private let target: VerifierTarget
  private let link: (any OwnServerLink)?
  private let start: WorldClock.Instant

  /// The header that names the browser of a call.
  static let visitorHeader = "User-Agent"

  package static func party(of website: String) -> Party { Party(.ownServer, website) }

  package init(_ target: VerifierTarget, link: (any OwnServerLink)?, station: Station) {
    self.station = station
    self.target = target
    self.link = link
    start = WorldClock.Instant(secondsSince1970: station.founded.secondsSince1970)
  }

  package func receive(_ message: Message) async {
    guard message.kind == .httpRequest, let call = HTTPCall(encoded: message.bytes),
      let visitor = call.headers.first(where: { $0.name == Self.visitorHeader })?.value
    else { return station.ignore(message) }
    let instant = Int64(start.duration(to: station.instant) / .milliseconds(1))
    do throws(HTTPFailure) {
      guard let link else { throw HTTPFailure(.client, "nothing calls servers outside this world") }
      let (answer, wait) = try link.send(call, of: visitor, to: target, at: instant)
      // The sleep fails only at the end of the world, where no party waits for the answer.
      try? await station.scheduler.clock.sleep(until: station.instant.advanced(by: .milliseconds(wait)))
      station.answer(message, .httpResponse, bytes: answer.encoded, as: MediaType.http)
    } catch {
      station.note(.ownServerFailed, error.sentence)
      station.scheduler.disturb("the server of \(station.party.name): \(error.sentence)")
      station.refuse(message, code: NoteCode.ownServerFailed.rawValue, error.message)
    }
  }
}
