import DigitalCredentials
import Foundation
import IdentityDocumentServices
import MobileDocument
import Simulation
import WebPresentment

/// A device's operating system: keeps registrations, lets the sandbox parse requests, shows the selector, starts the
/// app that the person picks and releases the raw request to it only after the person acted.
///
/// ```
/// browser --present--> operating system --bytes--> sandbox --partial request--> operating system
/// operating system --selector--> person --picks--> operating system
/// operating system --partial request and origin--> app
/// app --view--> operating system --> person --taps--> operating system --> app
/// app --sendResponse--> operating system --raw request--> app --response--> operating system --> browser
/// ```
actor OperatingSystem {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let station: Station
  private let device: String
  private let browser: Party
  private let sandbox: Party
  private let person: Party
  private let authorityReading: Selection.AuthorityReading
  private let registrations: RegistrationService
  private var machine = PresentmentMachine()
  /// The app's message that asks for the raw request and waits for its answer.
  private var releaseRequest: Message?

  init(
    _ device: WorldDescription.Device, browser: Party, sandbox: Party, person: Party, station: Station
  ) throws {
    executor = station.scheduler.makeExecutor()
    self.station = station
    self.device = device.identifier
    self.browser = browser
    self.sandbox = sandbox
    self.person = person
    authorityReading = device.authorityReading
    registrations = try RegistrationService(apps: device.apps)
  }

  private func party(of app: String) -> Party { Party(.app, "\(device)/\(app)") }

  private func app(of party: Party) -> String { String(party.name.dropFirst(device.count + 1)) }

  func receive(_ message: Message) async {
    switch message.sender.role {
    case .browser: receiveFromBrowser(message)
    case .person: receiveFromPerson(message)
    case .app: receiveFromApp(message)
    default: break
    }
  }

  /// A request comes in, or is taken back.
  private func receiveFromBrowser(_ message: Message) {
    switch message.subject {
    case Subject.present:
      guard let body = JSONBody.decode(PresentBody.self, from: message.bytes) else { return }
      // Provider apps answer requests for mobile documents only.
      guard body.protocol == VerifierSession.protocolIdentifier else {
        return fail(body.call, .nobodyCanAnswer(Selection(offered: [], hidden: [])))
      }
      // Sandbox and app bind the request to this text; one that is no serialized origin they could read differently.
      guard (try? Origin(serialized: body.origin))?.serialized == body.origin else {
        return fail(
          body.call, .invalidRequest(SandboxRefusal(.origin, "\(body.origin) is not a serialized origin")))
      }
      perform(machine.receive(.requested(body.call, data: Array(body.requestData.utf8), origin: body.origin)))
    case Subject.dismiss:
      guard let body = JSONBody.decode(DismissBody.self, from: message.bytes) else { return }
      perform(machine.receive(.dismissed(body.call)))
    default: break
    }
  }

  private func parseInSandbox(_ call: Int, data: [UInt8], origin: String) {
    let body = ParseBody(origin: origin, requestData: Base64URL.encode(data))
    station.scheduler.spawn { [self] in
      guard let answer = try? await station.request(Subject.parse, body, to: sandbox) else {
        return
      }
      await parsed(answer, for: call)
    }
  }

  private func parsed(_ answer: Message, for call: Int) {
    if answer.subject == Subject.partialRequest,
      let body = JSONBody.decode(PartialRequestBody.self, from: answer.bytes), let request = body.request
    {
      let partial = PartialRequest(request: request, findings: [])
      for finding in body.findings {
        station.record(.note, code: .sandboxFinding, outcome: "deviates", sentence: finding)
      }
      perform(machine.receive(.parsed(call, partial, select(for: request))))
    } else if let refusal = JSONBody.decode(SandboxRefusalBody.self, from: answer.bytes)?.refusal {
      perform(machine.receive(.refused(call, refusal)))
    } else {
      perform(
        machine.receive(.refused(call, SandboxRefusal(.deviceRequest, "the sandbox answered something unreadable"))))
    }
  }

  private func select(for request: ISO18013MobileDocumentRequest) -> Selection {
    let selection: Selection
    do {
      selection = try registrations.selection(for: request, at: station.now, reading: authorityReading)
    } catch {
      station.record(
        .note, code: .osRegistrations, outcome: "failed", sentence: "the registrations cannot be read: \(error)")
      return Selection(offered: [], hidden: [])
    }
    for offer in selection.offered {
      station.record(
        .selector, code: .selectorOffered, outcome: "offered", sentence: "\(offer.app) may answer",
        details: [Decision.Detail("app", offer.app)]
          + offer.registrations.map { Decision.Detail("registration", $0.documentIdentifier) })
    }
    for hidden in selection.hidden {
      station.record(
        .selector, code: hidden.reason.rawValue, outcome: "hidden", sentence: hidden.sentence,
        details: [Decision.Detail("app", hidden.app), Decision.Detail("remedy", hidden.remedy)])
    }
    return selection
  }

  /// The person picks, taps and cancels.
  private func receiveFromPerson(_ message: Message) {
    guard let tap = JSONBody.decode(DeviceTap.self, from: message.bytes) else { return }
    switch tap.target {
    case .pickApp: perform(machine.receive(.picked(app: tap.label)))
    case .cancelSelector: perform(machine.receive(.selectorCancelled))
    case .appView:
      // Touches of an app's view pass through the system, which is how it knows that the person acted.
      guard let app = machine.appOnScreen else { return }
      perform(machine.receive(.interacted(app: app)))
      station.send(Subject.tap, TapBody(label: tap.label), to: party(of: app))
    case .deleteDocument:
      guard let app = tap.app else { return }
      station.send(Subject.tap, tap, to: party(of: app))
    }
  }

  /// Apps register documents, show their view and answer.
  private func receiveFromApp(_ message: Message) {
    let app = app(of: message.sender)
    switch message.subject {
    case Subject.addRegistration, Subject.removeRegistration, Subject.registrations, Subject.status:
      let answer = registrations.answer(message, of: app)
      station.send(answer.subject, bytes: answer.bytes, as: MediaType.json, to: message.sender, answering: message)
    case Subject.show:
      guard machine.appOnScreen == app else { return }
      station.send(Subject.show, bytes: message.bytes, as: MediaType.screen, to: person)
    case Subject.sendResponse:
      releaseRequest = message
      perform(machine.receive(.rawRequestAsked(app: app)))
    case Subject.response:
      perform(machine.receive(.responded(app: app, response: message.bytes)))
    case Subject.cancel:
      perform(machine.receive(.cancelledByApp(app: app)))
    case Subject.abandon:
      let reason = JSONBody.decode(AbandonBody.self, from: message.bytes)?.reason ?? "the app gave no reason"
      perform(machine.receive(.abandonedByApp(app: app, reason: reason)))
    default: break
    }
  }

  private func perform(_ effects: [PresentmentMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .parseInSandbox(let call, let data, let origin):
        parseInSandbox(call, data: data, origin: origin)
      case .present(let selection, _, let origin):
        station.send(
          Subject.showSelector, SelectorScreen(selection, origin: origin), as: MediaType.screen, to: person)
      case .dismissInterface:
        station.send(Subject.dismissInterface, [String](), as: MediaType.screen, to: person)
      case .hand(let partial, let origin, let app):
        station.send(
          Subject.authorize, AuthorizeBody(origin: origin, partialRequest: PartialRequestBody(partial)),
          to: party(of: app))
      case .release(let data, let app):
        guard let waiting = releaseRequest else { continue }
        station.record(
          .consent, code: .osRawRequestReleased, outcome: "released",
          sentence: "the person acted in \(app), so it gets the raw request")
        station.send(
          Subject.rawRequest, RawRequestBody(requestData: Base64URL.encode(data)), to: party(of: app),
          answering: waiting)
        releaseRequest = nil
      case .withhold(let app):
        station.record(
          .withheld, code: .osRawRequestWithheld, outcome: "withheld",
          sentence: "\(app) gets no raw request: the person has not acted in its view, or it had its turn")
        guard let waiting = releaseRequest else { continue }
        station.send(Subject.withheld, [String](), to: party(of: app), answering: waiting)
        releaseRequest = nil
      case .endApp(let app):
        station.send(Subject.endApp, [String](), to: party(of: app))
      case .reply(let call, let response):
        station.send(
          Subject.response, PresentmentResponseBody(call: call, response: Base64URL.encode(response)), to: browser)
      case .fail(let call, let failure):
        fail(call, failure)
      }
    }
  }

  private func fail(_ call: Int, _ failure: PresentmentMachine.Failure) {
    station.record(.note, code: failure.code, outcome: "failed", sentence: failure.sentence)
    station.send(
      Subject.presentmentFailed, PresentmentFailedBody(call: call, error: failure.platformError.rawValue), to: browser)
  }
}
