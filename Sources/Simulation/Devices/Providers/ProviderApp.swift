import COSE
import Certificates
import Checks
import Crypto
import DevicePlatform
import Foundation
import IdentityDocumentServices
import Messaging
import MobileDocument
import OpenID4VP
import Primitives
import ProviderStyles
import Proximity
import SimulationKernel
import Storage
import Vocabulary
import WebPresentment
import X509

/// A document provider app: its documents and device keys, and the extension that the system starts. A `ProviderMachine`
/// decides which presentment's view is on the screen, and a `MobileDocumentResponder` what is answered.
///
/// ```
/// app --root certificate--> each reader authority that it trusts
/// app --provision--> issuing authority --document--> app --addRegistration--> operating system
/// operating system --partial request, origin--> app --view--> person (through the system) --tap--> app
/// app --sendResponse--> operating system, and then browser --raw request--> app --encrypted response--> operating system
/// ```
package actor ProviderApp: StationedActor {
  /// The app's name.
  package nonisolated let name: String
  /// The app's place in the world.
  package nonisolated let station: Station
  /// The app's own program, without the contents of documents.
  package nonisolated let program: AppProgram
  /// The fingerprints of the reader authorities' roots that the app's developer has configured.
  let fingerprints: RootFingerprints
  let operatingSystem: Party
  let database: DocumentDatabase
  private let connection: SystemConnection
  let responseBuilder: any ResponseBuilder
  let identityAnswers: any IdentityAnswerBuilder
  private var machine: ProviderMachine
  /// The documents that the app holds.
  package internal(set) var documents: [StoredDocument]
  var anchors: [DocumentDatabase.Anchor] { didSet { decodedReaders = nil } }
  /// ``trustedReaders``, from its first use until the anchors change.
  private var decodedReaders: TrustedCertificates?
  /// The lists of revoked reader certificates, by location.
  var revocationLists: [String: CertificateRevocationList] = [:]
  var deviceKeys: EntropyStream
  private var ephemeralKeys: EntropyStream
  /// The views whose code waits for the person's decision, by their numbers.
  private var views: [Int: OpenView] = [:]
  private var lastView = 0
  /// The context of the newest presentment.
  private var context: ISO18013MobileDocumentRequestContext?
  /// The partial request of the newest presentment as received, for a program outside the world.
  private var partialRequest: PartialRequestBody?
  /// The place where the code of the newest presentment waits for the raw request.
  private var rawRequests = RawRequestInbox()
  private var readerCertificates = CertificateMemory()
  /// The newest request of a requesting app, until its consent sheet is shown.
  private var inquiry: IdentityInquiry?

  /// A view whose code waits for the person's decision.
  private struct OpenView {
    var contents: ViewContents
    let code: CheckedContinuation<ViewDecision, Never>
  }

  /// Creates an app with the contents of its database.
  package init(
    _ program: AppProgram, isInstalled: Bool, database: DocumentDatabase, operatingSystem: Party,
    responseBuilder: any ResponseBuilder, identityAnswers: any IdentityAnswerBuilder, readerRoots: RootFingerprints,
    station: Station
  ) {
    name = program.name
    self.station = station
    self.program = program
    fingerprints = readerRoots
    machine = ProviderMachine(isInstalled: isInstalled)
    self.database = database
    self.responseBuilder = responseBuilder
    self.identityAnswers = identityAnswers
    self.operatingSystem = operatingSystem
    connection = SystemConnection(
      station: station, operatingSystem: operatingSystem,
      identifiers: SharedEntropy(station.stream("document identifiers")))
    deviceKeys = station.stream("device keys")
    ephemeralKeys = station.stream("ephemeral keys")
    do {
      documents = try database.documents()
      anchors = try database.anchors()
    } catch {
      documents = []
      anchors = []
      station.note(.providerStorage, "the app's documents cannot be read: \(journalMessage(of: error))")
    }
  }

  /// Indicates whether the app is on the device.
  var isInstalled: Bool { machine.isInstalled }

  /// The extension's code for a presentment, or for other calls of the system.
  private func provider(of presentment: Int?) async -> any IdentityDocumentProvider {
    let surroundings = ProviderSurroundings(app: self, presentment: presentment)
    let style = ProviderCatalogue.style(named: program.style.rawValue) ?? CustomStyle()
    return await style.provider(in: surroundings)
  }

  /// Roots of the reader authorities that the app trusts.
  var trustedReaders: TrustedCertificates {
    if let decodedReaders { return decodedReaders }
    let readers = TrustedCertificates(anchors.map(\.root), for: .reader)
    decodedReaders = readers
    return readers
  }

  /// The roles of the parties that release raw requests: the device's browser, its authenticator for a browser elsewhere,
  /// its part in the model of a nearby iPhone, and its mdoc for a reader near it.
  private static let releasingRoles: [Party.Role] = [.browser, .authenticator, .nearby, .mdoc]

  /// Starts with the device. A newly installed app is opened for the first time.
  package func start() async {
    guard isInstalled else { return }
    do {
      if try !database.isPrepared() { await prepare() }
    } catch {
      storageFailed(error)
    }
  }

  package func receive(_ message: Message) {
    // An app that is not on the device does not run.
    guard isInstalled || message.kind == .launch else { return }
    switch message.kind {
    case .launch where !isInstalled: perform(machine.receive(.launched))
    case .authorize: authorize(message)
    case .holdsDocument, .requestIdentity: receiveIdentityRequest(message)
    case .tap: tapped(message)
    case .rawRequest where Self.releasingRoles.contains(message.sender.role): received(rawRequest: message)
    case .withheld: rawRequests.end()
    case .authenticationFailed: authenticationFailed(message)
    case .endApp: end(.ended)
    case .updateRegistrations:
      station.scheduler.spawn { [self] in await extensionCode { await $0.performRegistrationUpdates() } }
    case .removed: end(.removed)
    default: station.ignore(message)
    }
  }

  private func authorize(_ message: Message) {
    guard let body = message.body(AuthorizeBody.self),
      let request = body.partialRequest.request(&readerCertificates)
    else { return station.ignore(message) }
    let isInPerson = body.origin == InPersonRequest.origin
    rawRequests.end()
    rawRequests = RawRequestInbox()
    partialRequest = body.partialRequest
    let openID4VP = body.partialRequest.openID4VPRequest(signedBy: request)
    context = ISO18013MobileDocumentRequestContext(
      request: request, openID4VPRequest: openID4VP,
      requestingWebsiteOrigin: isInPerson ? nil : URL(string: body.origin), isInPerson: isInPerson,
      session: AppPresentmentSession(
        station: station, operatingSystem: operatingSystem, rawRequests: rawRequests, isInPerson: isInPerson,
        requestType: openID4VP.map { .openID4VP($0.exchangeProtocol) } ?? .iso18013MobileDocument))
    perform(machine.receive(.requested))
  }

  private func received(rawRequest message: Message) {
    guard let body = station.body(RawRequestBody.self, of: message) else { return }
    if !rawRequests.deliver(body.requestData) { station.ignore(message) }
  }

  /// Ends the presentment: the extension's code waits neither for the person nor for the raw request.
  private func end(_ event: ProviderMachine.Event) {
    perform(machine.receive(event))
    rawRequests.end()
  }

  /// Starts the code for a request of a requesting app.
  func inquire(_ inquiry: IdentityInquiry) {
    self.inquiry = inquiry
    perform(machine.receive(.requested))
  }

  /// Shows the reason in the view on the screen, which stays open.
  private func authenticationFailed(_ message: Message) {
    guard let body = station.body(AuthenticationFailedBody.self, of: message) else { return }
    guard let view = machine.view, let asked = views[view.number] else { return }
    var contents = asked.contents
    contents.screen.show(body.reason)
    change(view, to: contents)
  }

  private func change(_ view: ProviderMachine.View, to contents: ViewContents) {
    views[view.number]?.contents = contents
    perform(machine.receive(.changed(Self.view(view.number, of: view.presentment, contents.screen))))
  }

  private func tapped(_ message: Message) {
    let seen = message.body(SeenTouch.self)
    if case .delete(let document, _)? = seen?.touch {
      station.scheduler.spawn { [self] in await deleteDocument(document) }
    } else if let seen, case .choose(let document) = seen.touch {
      perform(machine.receive(.chose(document: document, in: seen.view)))
    } else if let tap = message.body(TapBody.self) {
      perform(machine.receive(.tapped(tap.label, in: tap.view ?? 1)))
    }
  }

  private func perform(_ effects: [ProviderMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .open: station.scheduler.spawn { [self] in await start() }
      case .start(let presentment):
        if let inquiry {
          self.inquiry = nil
          station.scheduler.spawn { [self] in await answer(inquiry, in: presentment) }
          continue
        }
        guard let context else { continue }
        station.scheduler.spawn { [self] in await extensionCode(of: presentment) { await $0.present(context) } }
      case .show(let view):
        guard let screen = views[view]?.contents.screen else { continue }
        let elements = screen.given.map {
          ConsentEvent.Element(nameSpace: $0.nameSpace, identifier: $0.identifier, isRetained: $0.isRetained)
        }
        station.record(.consent(.asked(requester: screen.requester, elements: elements)))
        show(screen)
      case .choose(_, let document):
        guard let view = machine.view, let asked = views[view.number] else { continue }
        change(view, to: asked.contents.choosing(document))
      case .update(let view):
        guard let screen = views[view]?.contents.screen else { continue }
        show(screen)
      case .decide(let view, let decision):
        guard let asked = views.removeValue(forKey: view) else { continue }
        asked.code.resume(returning: ViewDecision(decision, asked.contents))
      case .erase: erase()
      }
    }
  }

  private func show(_ screen: AuthorizationScreen) {
    var screen = screen.shown(in: station.language)
    screen.number = machine.shown
    station.send(.show, screen, as: MediaType.screen, to: operatingSystem)
  }

  private func erase() {
    endProgram()
    documents = []
    anchors = []
    do {
      try database.clear()
    } catch {
      storageFailed(error)
    }
  }

  func storageFailed(_ error: any Error) {
    station.note(.providerStorage, "the app's documents cannot be kept: \(journalMessage(of: error))")
  }

  /// Runs code of the extension with a connection to the app's system.
  func extensionCode(of presentment: Int? = nil, _ body: @Sendable (any IdentityDocumentProvider) async -> Void) async {
    let provider = await provider(of: presentment)
    await IdentityDocumentServicesHost.$system.withValue(connection) { await body(provider) }
  }

  /// Runs code of the app itself with a connection to the app's system.
  func withStore<Result: Sendable>(_ body: () async -> Result) async -> Result {
    await IdentityDocumentServicesHost.$system.withValue(connection) { await body() }
  }

  /// The requester's identity according to the authorities that the app trusts.
  func requester(of context: ISO18013MobileDocumentRequestContext) async -> RequesterIdentity {
    await fetchRevocationLists(for: context.request)
    return await responder().requester(of: context, at: station.now.date)
  }

  private static func view(_ number: Int, of presentment: Int, _ screen: AuthorizationScreen) -> ProviderMachine.View {
    ProviderMachine.View(
      number, of: presentment, agreeing: screen.agreeing, declining: screen.declining,
      documents: screen.others.map(\.identifier))
  }

  /// The partial request as received; nil if another presentment than the newest asks for it.
  func partialRequest(of presentment: Int?) -> PartialRequestBody? {
    presentment == machine.presentment ? partialRequest : nil
  }

  /// Shows the view of a presentment and waits for the person's decision.
  func ask(_ contents: ViewContents, in presentment: Int?) async -> ViewDecision {
    guard let presentment else { return ViewDecision(.ended, contents) }
    return await withCheckedContinuation { continuation in
      lastView += 1
      views[lastView] = OpenView(contents: contents, code: continuation)
      perform(machine.receive(.viewReady(Self.view(lastView, of: presentment, contents.screen))))
    }
  }

  /// Answers a request that the person has approved.
  /// - Parameter choice: The documents that the person saw; nil without a view.
  func respond(to context: ISO18013MobileDocumentRequestContext, with choice: DocumentChoice?) async {
    do {
      try await context.sendResponse { [self] in try await response(to: $0, in: context, with: choice) }
      station.record(.consent(.answered(app: name)))
    } catch is ProviderRefusal {
      // The failed check is recorded with the others.
    } catch {
      station.note(.providerFailed, "\(error)")
    }
  }

  /// A responder with the trust of the app, and with the lists of revoked certificates that it has fetched.
  package func responder() -> MobileDocumentResponder {
    var responder = MobileDocumentResponder(
      trustedReaders: trustedReaders, answersUntrustedReaders: program.trustsReaders.isEmpty)
    responder.answersOtherDomains = program.domainMismatch == .warn
    responder.revocationLists = knownRevocationLists
    responder.acceptsTestReaders = !program.isInProduction
    responder.readerCertificates = readerCertificates
    return responder
  }

  /// Runs the checks of an answer, records them, and returns the response.
  private func response(
    to rawRequest: IdentityDocumentWebPresentmentRawRequest, in context: ISO18013MobileDocumentRequestContext,
    with choice: DocumentChoice?
  ) async throws -> ISO18013MobileDocumentResponse {
    await fetchRevocationLists(for: context.request)
    let responder = responder()
    let origin = context.requestingWebsiteOrigin
    // The time of the answer, and not that of the view: dates can pass while the person reads.
    let moment = station.now.date
    let answer =
      if let request = context.openID4VPRequest {
        await responder.answer(rawRequest, shownAs: request, origin: origin, at: moment) { [responder] validated in
          try await responseBuilder.response(
            to: ApprovedOpenID4VPRequest(validated: validated, choice: choice), with: responder, from: self)
        }
      } else {
        await responder.answer(
          rawRequest, shownAs: context.request, origin: origin, isInPerson: context.isInPerson, at: moment
        ) { [responder] validated in
          let approved = ApprovedRequest(validated: validated, choice: choice, origin: origin?.serializedOrigin ?? "")
          return try await responseBuilder.response(to: approved, with: responder, from: self)
        }
      }
    station.record(answer.checks)
    if program.reportsErrors, context.openID4VPRequest != nil, case .failure(let error) = answer.response,
      let refusal = error as? ProviderRefusal
    {
      return ISO18013MobileDocumentResponse(responseData: Data(PresentationResponse.error(refusal.check.errorCode)))
    }
    return ISO18013MobileDocumentResponse(responseData: try answer.response.get())
  }

  /// Answers the presentment on the screen before the person has acted, which an app must not do.
  func respondWithoutConsent() async {
    guard machine.presentment != nil, let context, program.outside == nil else {
      return station.note(.providerFailed, "no request is open that \(name) itself answers")
    }
    await extensionCode { _ in await respond(to: context, with: nil) }
  }

  /// The documents with their device keys, in the order of preference.
  package func presentableDocuments() -> [PresentableDocument] { documents.compactMap(presentable) }

  /// A document with its device key and the end of its registration; nil if a program outside the world has the key.
  func presentable(_ stored: StoredDocument) -> PresentableDocument? {
    guard let deviceKey = stored.deviceKey else { return nil }
    var document = PresentableDocument(
      stored.credential, deviceKey: deviceKey, documentIdentifier: stored.identifier,
      invalidationDate: stored.invalidationDate?.date)
    if program.documents.first(where: { $0.identifier == stored.identifier })?.deviceKey == .agreement {
      document.agreementKey = try? P256.KeyAgreement.PrivateKey(rawRepresentation: deviceKey.rawRepresentation)
    }
    return document
  }

  /// The documents for code of the app that does not use the shipped views.
  package func providedDocuments() -> [ProviderSurroundings.Document] {
    documents.compactMap { stored in
      guard let deviceKey = stored.deviceKey, let presentable = presentable(stored) else { return nil }
      return ProviderSurroundings.Document(
        identifier: stored.identifier, issuedDocument: Data(stored.issued),
        deviceKey: Data(deviceKey.rawRepresentation), presentable: presentable,
        invalidationDate: stored.invalidationDate?.date)
    }
  }

  /// A fresh key for one response.
  package func ephemeralKey() -> P256.KeyAgreement.PrivateKey { ephemeralKeys.keyAgreementKey() }

  /// Fresh values for one response in OpenID4VP.
  package func presentationSeal() -> PresentationSeal {
    PresentationSeal(ephemeralKey: ephemeralKeys.keyAgreementKey(), initializationVector: ephemeralKeys.bytes(12))
  }

  /// A fresh device key.
  package func newDeviceKey() throws -> DeterministicSigningKey { try deviceKeys.signingKey() }

  /// Ends waiting for the person and for the raw request.
  package func close() { end(.ended) }
}

/// The contents of an app's view, with the documents that the person has chosen in it.
struct ViewContents: Sendable {
  /// The request that the view is about, and what makes the view for another document.
  private enum Request: Sendable {
    case website(DocumentChoice, @Sendable (DocumentChoice) -> AuthorizationScreen)
    case requestingApp(@Sendable (_ document: String) -> AuthorizationScreen)
    /// A view of a program, in which there is nothing to choose.
    case program
  }

  /// The view as the person sees it.
  var screen: AuthorizationScreen
  private let request: Request

  /// Creates the contents of a view about a website's request.
  init(_ choice: DocumentChoice, _ screen: @escaping @Sendable (DocumentChoice) -> AuthorizationScreen) {
    self.screen = screen(choice)
    request = .website(choice, screen)
  }

  /// Creates the contents of a view about a requesting app's request, which one document answers.
  init(showing document: String, _ screen: @escaping @Sendable (_ document: String) -> AuthorizationScreen) {
    self.screen = screen(document)
    request = .requestingApp(screen)
  }

  /// Creates the contents of a program's view.
  init(_ screen: AuthorizationScreen) {
    self.screen = screen
    request = .program
  }

  /// The documents that answer a website; nil for a requesting app and for a program.
  var choice: DocumentChoice? { if case .website(let choice, _) = request { choice } else { nil } }

  /// Returns the contents after the person has chosen a document.
  func choosing(_ document: String) -> ViewContents {
    var contents =
      switch request {
      case .website(let choice, let screen): ViewContents(choice.choosing(document), screen)
      case .requestingApp(let screen): ViewContents(showing: document, screen)
      case .program: self
      }
    // A failed attempt to authenticate has changed the controls, for every document.
    contents.screen.keepAttempt(of: screen)
    return contents
  }
}

/// The end of a view, with its contents at that time.
struct ViewDecision: Sendable {
  let decision: ProviderMachine.Decision
  let screen: AuthorizationScreen
  let choice: DocumentChoice?

  init(_ decision: ProviderMachine.Decision, _ contents: ViewContents) {
    (self.decision, screen, choice) = (decision, contents.screen, contents.choice)
  }
}

/// Builds and seals the responses of provider apps.
package protocol ResponseBuilder: Sendable {
  /// Returns the response to a request that the person has agreed to.
  /// - Returns: CBOR of `EncryptedResponse`, or, in person, the data of a session message.
  /// - Throws: An error that makes the app abandon the presentment.
  func response(
    to request: ApprovedRequest, with responder: MobileDocumentResponder, from app: isolated ProviderApp
  ) async throws -> Data

  /// Orders a document of a program outside the world again while its authority issues it with a fault.
  /// - Returns: The encoded `IssuerSigned`; nil without a fault.
  func reissued(_ stored: StoredDocument, from app: isolated ProviderApp) async throws -> [UInt8]?

  /// Returns the response to a request in OpenID4VP that the person has agreed to.
  /// - Returns: The data of the response as UTF-8 JSON.
  /// - Throws: An error that makes the app abandon the presentment.
  func response(
    to request: ApprovedOpenID4VPRequest, with responder: MobileDocumentResponder, from app: isolated ProviderApp
  ) async throws -> Data
}

extension ResponseBuilder {
  /// Authorities issue without faults.
  package func reissued(_ stored: StoredDocument, from app: isolated ProviderApp) async throws -> [UInt8]? { nil }

  /// Answers with the app's documents.
  package func response(
    to request: ApprovedOpenID4VPRequest, with responder: MobileDocumentResponder, from app: isolated ProviderApp
  ) async throws -> Data {
    try responder.buildResponse(
      to: request.validated, with: app.presentableDocuments(), choosing: request.choice,
      seal: app.presentationSeal())
  }
}

/// A request in OpenID4VP that the app has validated and the person has approved.
package struct ApprovedOpenID4VPRequest: Sendable {
  /// The validated request.
  package let validated: ValidatedOpenID4VPRequest
  /// The documents that the person saw; nil without a view.
  package let choice: DocumentChoice?
}

/// A request that the app has validated and the person has approved.
package struct ApprovedRequest: Sendable {
  /// The validated request.
  package let validated: ValidatedMobileDocumentRequest
  /// The documents that the person saw; nil without a view.
  package let choice: DocumentChoice?
  /// The encryption information as the page sent it; nil in person.
  package var encryptionInfo: EncryptionInfo? {
    if case .website(let information) = validated.recipient { information } else { nil }
  }
  /// The serialized origin of the website; empty in person.
  package let origin: String
}

/// The response builder of a world without faults.
package struct StandardResponseBuilder: ResponseBuilder {
  /// Creates the standard builder.
  package init() {}

  /// Answers with the app's documents.
  package func response(
    to request: ApprovedRequest, with responder: MobileDocumentResponder, from app: isolated ProviderApp
  ) async throws -> Data {
    try responder.buildAndEncryptResponse(
      to: request.validated, with: app.presentableDocuments(), choosing: request.choice,
      ephemeralKey: app.ephemeralKey())
  }
}
