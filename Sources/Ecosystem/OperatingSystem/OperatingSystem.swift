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
  private let database: RegistrationDatabase
  private var registrations: RegistrationService
  private let bundles: [WorldDescription.App]
  private var machine = PresentmentMachine()
  private var isRunning = true
  /// The app's message that asks for the raw request and waits for its answer.
  private var releaseRequest: Message?

  /// How often apps are asked to bring their registrations up to date. Apple says "periodically"; a week is long enough
  /// not to fill a journal, and short beside the lifetime of a document.
  static let registrationUpdateInterval = Duration.seconds(7 * 86_400)

  init(
    _ device: WorldDescription.Device, database: RegistrationDatabase, browser: Party, sandbox: Party, person: Party,
    station: Station
  ) {
    executor = station.scheduler.makeExecutor()
    self.station = station
    self.device = device.identifier
    self.browser = browser
    self.sandbox = sandbox
    self.person = person
    authorityReading = device.authorityReading
    bundles = device.apps
    self.database = database
    registrations = RegistrationService(database, isSupported: device.supportsDocumentProviders)
  }

  /// Begins what the system does on its own.
  func start() { scheduleRegistrationUpdates() }

  /// Ends it: the device is switched off.
  func stop() { isRunning = false }

  private func scheduleRegistrationUpdates() {
    let next = station.instant.advanced(by: Self.registrationUpdateInterval)
    station.scheduler.call(at: next, keepsAwake: false) { [self] in
      station.scheduler.spawn { await self.callRegistrationUpdates() }
    }
  }

  private func callRegistrationUpdates() {
    guard isRunning else { return }
    do {
      for app in try registrations.authorizedApps() { callRegistrationUpdates(of: app) }
    } catch {
      station.record(
        .note, code: .osRegistrations, outcome: "failed", sentence: "the registrations cannot be read: \(journalSentence(of: error))")
    }
    scheduleRegistrationUpdates()
  }

  private func callRegistrationUpdates(of app: String) {
    station.record(
      .note, code: .osRegistrationUpdatesCalled, outcome: "called",
      sentence: "\(app) is to bring its registrations up to date", details: [Decision.Detail("app", app)])
    station.send(Subject.updateRegistrations, [String](), to: party(of: app))
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
        return fail(
          body.call, .nobodyCanAnswer(Selection(offered: [], hidden: [])),
          because: "no app can be asked in the protocol \(body.protocol)")
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
      await parsed(answer, for: call, from: origin)
    }
  }

  private func parsed(_ answer: Message, for call: Int, from origin: String) {
    if answer.subject == Subject.partialRequest,
      let body = JSONBody.decode(PartialRequestBody.self, from: answer.bytes), let request = body.request
    {
      let partial = PartialRequest(request: request, findings: [])
      for finding in body.findings {
        station.record(.note, code: .sandboxFinding, outcome: "deviates", sentence: finding)
      }
      perform(machine.receive(.parsed(call, partial, select(for: request, from: origin))))
    } else if let refusal = JSONBody.decode(SandboxRefusalBody.self, from: answer.bytes)?.refusal {
      perform(machine.receive(.refused(call, refusal)))
    } else {
      perform(
        machine.receive(.refused(call, SandboxRefusal(.deviceRequest, "the sandbox answered something unreadable"))))
    }
  }

  private func select(for request: ISO18013MobileDocumentRequest, from origin: String) -> Selection {
    let apps: [InstalledApp]
    do {
      apps = try registrations.apps()
    } catch {
      station.record(
        .note, code: .osRegistrations, outcome: "failed", sentence: "the registrations cannot be read: \(journalSentence(of: error))")
      return Selection(offered: [], hidden: [])
    }
    let selection = Selection.decide(apps, for: request, at: station.now, reading: authorityReading)
    station.record(selection, for: request, from: origin, reading: authorityReading)
    return selection
  }

  /// The person picks, taps and cancels.
  private func receiveFromPerson(_ message: Message) {
    guard let tap = JSONBody.decode(DeviceTap.self, from: message.bytes) else { return }
    switch tap.target {
    case .pickApp:
      // An app that left the device while the selector was open cannot be started.
      guard registrations.isInstalled(tap.label) else { return }
      perform(machine.receive(.picked(app: tap.label)))
    case .cancelSelector: perform(machine.receive(.selectorCancelled))
    case .appView:
      // Touches of an app's view pass through the system, which is how it knows that the person acted.
      guard let app = machine.appOnScreen else { return }
      perform(machine.receive(.interacted(app: app)))
      station.send(Subject.tap, TapBody(label: tap.label), to: party(of: app))
    case .deleteDocument:
      guard let app = tap.app else { return }
      station.send(Subject.tap, tap, to: party(of: app))
    case .prompt:
      guard let app = tap.app else { return }
      perform(registrations.answerPrompt(of: app, isAllowed: tap.label == PromptScreen.allow))
    case .settings:
      guard let app = tap.app else { return }
      perform(registrations.switchInSettings(app, isAllowed: tap.label == DeviceTap.on))
    case .install, .update, .remove:
      guard let app = bundles.first(where: { $0.name == tap.label }) else { return }
      manage(app, tap.target)
    }
  }

  /// Apps come, change and go.
  private func manage(_ app: WorldDescription.App, _ change: DeviceTap.Target) {
    switch change {
    case .install:
      guard !registrations.isInstalled(app.name) else { return }
      perform(registrations.install(app.name, entitlement: app.entitledDocumentTypes))
      station.send(Subject.launch, [String](), to: party(of: app.name))
    case .update:
      guard registrations.isInstalled(app.name), let entitlement = app.nextEntitlement else { return }
      perform(registrations.update(app.name, entitlement: entitlement))
    default:
      guard registrations.isInstalled(app.name) else { return }
      perform(registrations.remove(app.name))
      perform(machine.receive(.abandonedByApp(app: app.name, reason: "\(app.name) was removed from the device")))
      station.send(Subject.removed, [String](), to: party(of: app.name))
    }
  }

  private func perform(_ effects: [RegistrationService.Effect]) {
    for effect in effects {
      switch effect {
      case .answer(let message, let subject, let bytes):
        station.send(subject, bytes: bytes, as: MediaType.json, to: message.sender, answering: message)
      case .ask(let app):
        station.record(
          .consent, code: .osPromptShown, outcome: "shown",
          sentence: "the person is asked whether \(app) may provide documents", details: [Decision.Detail("app", app)])
        station.send(Subject.showPrompt, PromptScreen(app: app), as: MediaType.screen, to: person)
      case .dismissPrompt:
        station.send(Subject.dismissPrompt, [String](), as: MediaType.screen, to: person)
      case .callRegistrationUpdates(let app):
        callRegistrationUpdates(of: app)
      case .note(let code, let outcome, let sentence, let details):
        station.record(.note, code: code, outcome: outcome, sentence: sentence, details: details)
      }
    }
  }

  /// Apps register documents, show their view and answer.
  private func receiveFromApp(_ message: Message) {
    let app = app(of: message.sender)
    switch message.subject {
    case Subject.addRegistration, Subject.removeRegistration, Subject.registrations, Subject.status:
      perform(registrations.receive(message, of: app))
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

  private func fail(_ call: Int, _ failure: PresentmentMachine.Failure, because reason: String? = nil) {
    station.record(
      .note, code: failure.code, outcome: "failed", sentence: failure.sentence,
      details: reason.map { [Decision.Detail("nobody", $0)] } ?? failure.details)
    station.send(
      Subject.presentmentFailed,
      PresentmentFailedBody(
        call: call, error: failure.platformError.rawValue, detail: reason ?? failure.developerDetail),
      to: browser)
  }
}
