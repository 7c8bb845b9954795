import Certificates
import Checks
import DevicePlatform
import DigitalCredentials
import IdentityDocumentServices
import Messaging
import MobileDocument
import Primitives
import SimulationKernel
import Storage
import Vocabulary
import WebPresentment
import X509

/// The operating system's part in a presentment: the machine decides, and this code moves the bytes.
extension OperatingSystem {
  func parseInSandbox(_ call: Int, origin: String) {
    guard let announced = calls[call] else { return }
    let body = ParseTaskBody(
      call: announced.number, origin: origin, openID4VP: calls.exchangeProtocol(of: call)?.rawValue,
      holder: announced.holder.role.rawValue)
    station.scheduler.spawn { [self] in
      guard let answer = try? await station.request(.parse, body, to: station.part(.sandbox)) else { return }
      await parsed(answer, for: call, from: origin)
    }
  }

  private func parsed(_ answer: Message, for call: Int, from origin: String) {
    // The holder no longer has the request, and its withdrawal of the call is on the way.
    guard answer.kind != .refused else { return }
    if answer.kind == .partialRequest {
      parsed(answer.body(PartialRequestBody.self), for: call, from: origin)
    } else if let refusal = answer.body(SandboxRefusalBody.self)?.refusal {
      perform(machine.receive(.refused(call, refusal)))
    } else {
      parsed(nil, for: call, from: origin)
    }
  }

  /// Receives the partial request of a call from the sandbox.
  private func parsed(_ body: PartialRequestBody?, for call: Int, from origin: String) {
    if let body, let request = body.request(&readerCertificates) {
      let partial = PartialRequest(
        request: request, openID4VP: body.openID4VPRequest(signedBy: request),
        chains: body.chains.map { $0.map(\.bytes) }, findings: [])
      for finding in body.findings { station.note(.sandboxFinding, finding) }
      perform(machine.receive(.parsed(call, partial, select(for: partial, from: origin))))
    } else {
      perform(
        machine.receive(.refused(call, SandboxRefusal(.deviceRequest, nil, "the sandbox gave an unreadable answer"))))
    }
  }

  /// Compares the request of the open selector or view with the registrations again. Records a selection that changes what
  /// the person sees.
  func refreshSelection() {
    guard let comparison = machine.comparison,
      let selection = selection(for: comparison.request, at: comparison.moment ?? station.now)
    else { return }
    let effects = machine.receive(.reselected(selection))
    guard !effects.isEmpty else { return }
    station.record(selection, for: comparison.request.request, from: comparison.origin, reading: authorityReading)
    perform(effects)
  }

  /// Compares the open selector again when the next date passes that can change it.
  private func watchDates() {
    dateWatch += 1
    let watch = dateWatch
    guard machine.isSelecting, let comparison = machine.comparison else { return }
    let next: DateTime?
    do {
      next = try database.nextChange(for: comparison.request.request, after: station.now)
    } catch {
      return station.note(.osRegistrations, "the registrations cannot be read: \(journalMessage(of: error))")
    }
    guard let next else { return }
    // A date can be further away than the clock counts.
    let latest = station.now.adding(seconds: Self.longestDateWatch)
    at(WorldClock.Instant(secondsSince1970: min(next, latest).secondsSince1970)) { $0.datePassed(watch) }
  }

  private func datePassed(_ watch: Int) {
    guard isRunning, watch == dateWatch else { return }
    refreshSelection()
    if watch == dateWatch { watchDates() }
  }

  private func select(for partial: PartialRequest, from origin: String) -> Selection {
    guard let selection = selection(for: partial, at: station.now) else { return Selection(offered: [], hidden: []) }
    station.record(selection, for: partial.request, from: origin, reading: authorityReading)
    return selection
  }

  private func selection(for partial: PartialRequest, at moment: DateTime) -> Selection? {
    let name = partial.openID4VP?.exchangeProtocol.rawValue ?? RequestData.protocolIdentifier
    let silentApps = manifests.filter { app in !app.answersIn.contains { $0.rawValue == name } }.map(\.name)
    do {
      return try database.selection(
        for: partial.request, at: moment, reading: authorityReading, signatures: authoritySignatures,
        silentApps: Set(silentApps))
    } catch {
      station.note(.osRegistrations, "the registrations cannot be read: \(journalMessage(of: error))")
      return nil
    }
  }

  /// The app whose view is on the screen: the one that was picked, or Wallet for a requesting app.
  var appOnScreen: String? { identityRequests.appOnScreen ?? machine.appOnScreen }

  private func agrees(_ control: String) -> Bool {
    identityRequests.appOnScreen == nil ? machine.agrees(control) : identityRequests.machine.agrees(control)
  }

  /// Receives a touch in an app's view. It counts only if that view is still on the screen: the person agrees to what they saw.
  func touchedView(_ seen: SeenTouch) {
    guard let app = appOnScreen else { return }
    guard let view = screen.touched(seen.view, of: app) else {
      return station.note(
        .osViewReplaced, "the person touched a view that is not on the screen any more", facts: [Note.Fact("app", app)])
    }
    switch seen.touch {
    case .tap(let label):
      guard let method = OwnerAuthentication.Method(rawValue: label) else { return touched(label, in: view, of: app) }
      authenticate(OwnerAuthentication.Attempt(method), in: view, of: app)
    case .authorize(let attempt): authenticate(attempt, in: view, of: app)
    // The app shows the other document in a new view, which the person has not agreed to.
    default: station.send(.tap, SeenTouch(seen.touch, in: view), to: party(of: app))
    }
  }

  /// Passes a tap in an app's view on. It goes through the system, so the system knows whether the person agreed.
  private func touched(_ label: String, in view: Int, of app: String) {
    if identityRequests.appOnScreen == nil {
      perform(machine.receive(.interacted(app: app, control: label)))
    } else {
      _ = identityRequests.machine.receive(.interacted(control: label))
    }
    station.send(.tap, TapBody(label: label, view: view > 1 ? view : nil), to: party(of: app))
  }

  /// Authenticates the owner for the view on the screen, if the view agrees in this way.
  private func authenticate(_ attempt: OwnerAuthentication.Attempt, in view: Int, of app: String) {
    let control = attempt.method.rawValue
    guard agrees(control), let failure = owner.take(attempt) else { return touched(control, in: view, of: app) }
    station.note(.osNotAuthenticated, value: failure.rawValue, failure.message, facts: [Note.Fact("app", app)])
    station.send(.authenticationFailed, AuthenticationFailedBody(reason: failure), to: party(of: app))
  }

  func perform(_ effects: [PresentmentMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .parseInSandbox(let call, let origin): parseInSandbox(call, origin: origin)
      case .present(let selection, _, let origin, let notice, let offersAnotherDevice):
        station.send(
          .showSelector,
          SelectorScreen(
            selection, origin: origin, notice: notice, offersAnotherDevice: offersAnotherDevice, in: station.language),
          as: MediaType.screen, to: Party.person)
        watchDates()
      case .askAnotherDevice(let call): askAnotherDevice(call)
      case .stopAskingAnotherDevice(let call):
        guard let otherDevices, let announced = calls[call] else { continue }
        station.send(.dismiss, CallReference(call: announced.number), to: otherDevices)
      // The end of the call passes on with its bytes, where they arrive.
      case .passOnEnd: continue
      case .dismissInterface(let notice): dismissInterface(notice)
      case .hand(let partial, let origin, let app):
        station.send(
          .authorize, AuthorizeBody(origin: origin, partialRequest: PartialRequestBody(partial)),
          to: party(of: app))
      case .release(let call, let app):
        station.record(.consent(.requestReleased(app: app)))
        guard let announced = calls[call] else { continue }
        station.send(.release, ReleaseBody(call: announced.number, app: party(of: app).name), to: announced.holder)
      case .withhold(let app):
        station.record(.consent(.requestWithheld(app: app)))
        station.send(.withheld, [String](), to: party(of: app))
      case .endApp(let app): station.send(.endApp, [String](), to: party(of: app))
      case .reply(let call, let response):
        guard let announced = calls.end(call) else { continue }
        station.send(
          .response, PresentmentResponseBody(call: announced.number, response: Base64URL.encode(response)),
          to: announced.holder)
      case .fail(let call, let failure): fail(call, failure)
      }
    }
  }

  /// Takes the selector or the view of an app from the screen.
  func dismissInterface(_ notice: PresentmentNotice?) {
    screen.close()
    station.send(
      .dismissInterface, DismissScreen(notice: notice, in: station.language), as: MediaType.screen, to: Party.person)
  }

  /// Announces a call to the part that asks another device, which lets its own sandbox parse the request.
  private func askAnotherDevice(_ call: Int) {
    guard let otherDevices, let announcement = calls.announcement(of: call) else { return }
    station.note(.osAnotherDevice, "the device asks another one for the document")
    station.send(.announce, announcement, to: otherDevices)
  }

  func fail(_ call: Int, _ failure: PresentmentMachine.Failure) {
    station.record(failure.event)
    guard let announced = calls.end(call) else { return }
    station.send(
      .presentmentFailed,
      PresentmentFailedBody(
        call: announced.number,
        error: (explainsExceptions ? failure.platformFailure : failure.privateFailure).rawValue,
        detail: explainsExceptions ? failure.developerDetail : nil),
      to: announced.holder)
  }
}

extension PresentmentMachine.Failure {
  /// The error for the browser.
  fileprivate var platformFailure: PlatformFailure {
    switch self {
    case .invalidRequest: .invalidRequest
    case .noApp, .unsupportedProtocol: .nothingCanAnswer
    case .requestInProgress: .requestInProgress
    case .cancelled: .cancelledByUser
    case .appFailed, .appUnavailable: .unknown
    }
  }

  /// The error for the browser of a system that keeps its apps private: a request that no app can answer ends as one that
  /// the person cancels (w3c-fedid/digital-credentials, issues 105 and 130).
  fileprivate var privateFailure: PlatformFailure {
    if case .noApp = self { .cancelledByUser } else { platformFailure }
  }

  /// The failure's event in the journal. A refused request has the finding that the sandbox recorded with its evidence.
  fileprivate var event: JournalEvent {
    switch self {
    case .invalidRequest(let refusal): .check(CheckFailure(refusal.finding, refusal.message).result)
    case .noApp(let selection): .note(Note(.osNoApp, Self.noAppMayAnswer, facts: Self.facts(of: selection.hidden)))
    case .unsupportedProtocol(let name):
      .note(Note(.osNoApp, Self.noAppMayAnswer, facts: [Note.Fact("no app", Self.unsupported(name))]))
    case .requestInProgress: .note(Note(.osRequestInProgress, "another presentment is in progress"))
    case .cancelled: .note(Note(.osCancelled, "the person cancelled"))
    case .appFailed(let reason): .note(Note(.osAppFailed, reason))
    case .appUnavailable(let app, let reason): .note(Note(.osAppUnavailable, reason, facts: [Note.Fact("app", app)]))
    }
  }

  private static let noAppMayAnswer = "no app on the device may answer"

  /// For each hidden app the reason and the remedy.
  private static func facts(of hidden: [Selection.Hidden]) -> [Note.Fact] {
    if hidden.isEmpty { return [Note.Fact("no app", noApps)] }
    return hidden.flatMap { app in
      [Note.Fact("hidden", "\(app.app): \(app.message) [\(app.finding.name)]"), Note.Fact("remedy", app.remedy)]
    }
  }

  /// The same as text for the developers of the page. It becomes part of the exception's message.
  fileprivate var developerDetail: String? {
    if case .unsupportedProtocol(let name) = self { return Self.unsupported(name) }
    guard case .noApp(let selection) = self else { return nil }
    if selection.hidden.isEmpty { return Self.noApps }
    return selection.hidden.map { hidden in
      "\(hidden.app): \(hidden.message) (\(hidden.finding.name)), it would appear: \(hidden.remedy)"
    }.joined(separator: "; ")
  }

  private static func unsupported(_ name: String) -> String { "no app can be asked in the protocol \(name)" }

  private static let noApps = "no app on the device provides documents"
}

extension Station {
  /// Records a selection: the conditions of the request, then an event for each app.
  func record(
    _ selection: Selection, for request: ISO18013MobileDocumentRequest, from origin: String,
    reading: Selection.AuthorityReading
  ) {
    record(
      .selection(
        .asked(
          request: SelectionEvent.Request(
            origin: origin, documents: request.documents, useCases: request.useCases, signers: request.signers,
            reading: reading.rawValue))))
    for offer in selection.offered {
      let registrations = offer.registrations.map {
        SelectionEvent.Registration(identifier: $0.documentIdentifier, documentType: $0.mobileDocumentType)
      }
      record(.selection(.offered(app: offer.app, registrations: registrations)))
    }
    for hidden in selection.hidden {
      let finding = CheckFailure(hidden.finding, hidden.message).result
      record(.selection(.hidden(app: hidden.app, finding: finding, remedy: hidden.remedy)))
    }
  }
}

extension ISO18013MobileDocumentRequest {
  /// The requested documents. A document of several use cases is listed once.
  fileprivate var documents: [SelectionEvent.Document] {
    var documents: [SelectionEvent.Document] = []
    for request in presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests) {
      let document = SelectionEvent.Document(
        documentType: request.documentType, issuers: request.issuerKeyIdentifiers.map { hexadecimal($0) })
      if !documents.contains(document) { documents.append(document) }
    }
    return documents
  }

  fileprivate var useCases: [SelectionEvent.UseCase] {
    presentmentRequests.map { useCase in
      SelectionEvent.UseCase(
        isMandatory: useCase.isMandatory,
        documentSets: useCase.documentRequestSets.map { $0.requests.map(\.documentType) })
    }
  }

  fileprivate var signers: [SelectionEvent.Signer] {
    requestAuthentications.map(\.authenticationCertificateChain).map { chain in
      SelectionEvent.Signer(
        name: chain.first.map { $0.commonName ?? $0.subject.description } ?? "",
        authorities: chain.map { certificate in
          SelectionEvent.Authority(
            name: certificate.issuerCommonName ?? certificate.issuer.description,
            keyIdentifier: certificate.authorityKeyIdentifier.map { hexadecimal($0) })
        })
    }
  }
}
