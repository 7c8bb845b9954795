import COSE
import Certificates
import Checks
import Crypto
import Foundation
import IdentityDocumentServices
import Messaging
import MobileDocument
import SimulationKernel
import WebPresentment
import X509

/// A document provider app: its documents and device keys, and the extension that the system starts.
///
/// ```
/// app --root certificate--> each reader authority that it trusts
/// app --provision--> issuing authority --document--> app --addRegistration--> operating system
/// operating system --partial request, origin--> app --view--> person (through the system) --tap--> app
/// app --sendResponse--> operating system --raw request--> app --encrypted response--> operating system
/// ```
package actor ProviderApp {
  nonisolated let executor: ActorExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The app's name.
  package nonisolated let name: String
  /// The app's place in the world.
  package nonisolated let station: Station
  /// The app's description in the world.
  package nonisolated let description: WorldDescription.App
  let operatingSystem: Party
  let database: DocumentDatabase
  private let connection: SystemConnection
  private let responseBuilder: any ResponseBuilder
  private(set) var isInstalled: Bool
  /// The documents that the app holds.
  package internal(set) var documents: [StoredDocument]
  var anchors: [DocumentDatabase.Anchor]
  var deviceKeys: EntropyStream
  private var ephemeralKeys: EntropyStream
  /// Number of the presentment whose view may be on the screen. Code of an earlier presentment is ignored.
  private var presentment = 0
  /// Number of the presentment for which the extension's code runs.
  @TaskLocal private static var running = 0
  /// The task that waits for the person's decision in the view on the screen.
  private var waiting: CheckedContinuation<String?, Never>?
  /// The context of the newest presentment.
  private var context: ISO18013MobileDocumentRequestContext?

  /// Creates an app with the contents of its database.
  init(
    _ description: WorldDescription.App, isInstalled: Bool, database: DocumentDatabase, operatingSystem: Party,
    responseBuilder: any ResponseBuilder, station: Station
  ) {
    executor = station.scheduler.makeExecutor()
    name = description.name
    self.station = station
    self.description = description
    self.isInstalled = isInstalled
    self.database = database
    self.responseBuilder = responseBuilder
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
      station.note(.providerStorage, .failed, "the app's documents cannot be read: \(journalMessage(of: error))")
    }
  }

  private var provider: any IdentityDocumentProvider {
    switch description.style {
    case .wallet: WalletProvider(app: self)
    case .custom: LocalDrivingAuthorityProvider(app: self)
    }
  }

  /// Roots of the reader authorities that the app trusts.
  var trustedReaders: TrustedCertificates { TrustedCertificates(anchors.map(\.root), for: .reader) }

  /// Starts with the device. A newly installed app is opened for the first time.
  func start() async {
    guard isInstalled else { return }
    do {
      if try !database.isPrepared() { await prepare() }
    } catch {
      storageFailed(error)
    }
  }

  func receive(_ message: Message) {
    guard isInstalled else {
      if message.kind == .launch {
        isInstalled = true
        station.scheduler.spawn { [self] in await start() }
      }
      return
    }
    switch message.kind {
    case .authorize:
      guard let body = JSONBody.decode(AuthorizeBody.self, from: message.bytes),
        let request = body.partialRequest.request
      else { return station.ignore(message) }
      let context = ISO18013MobileDocumentRequestContext(
        request: request, requestingWebsiteOrigin: URL(string: body.origin),
        session: AppPresentmentSession(station: station, operatingSystem: operatingSystem))
      self.context = context
      presentment += 1
      let number = presentment
      station.scheduler.spawn { [self] in
        await Self.$running.withValue(number) { await extensionCode { await $0.present(context) } }
      }
    case .tap:
      tapped(message)
    case .endApp:
      endView()
    case .updateRegistrations:
      station.scheduler.spawn { [self] in await extensionCode { await $0.performRegistrationUpdates() } }
    case .removed:
      remove()
    default: station.ignore(message)
    }
  }

  private func tapped(_ message: Message) {
    if case .delete(let document, _)? = JSONBody.decode(Action.ByPerson.self, from: message.bytes) {
      station.scheduler.spawn { [self] in await deleteDocument(document) }
    } else if let tap = JSONBody.decode(TapBody.self, from: message.bytes) {
      decide(tap.label)
    }
  }

  private func endView() {
    presentment += 1
    context = nil
    decide(nil)
  }

  /// Removes the app with its documents.
  private func remove() {
    endView()
    isInstalled = false
    documents = []
    anchors = []
    do {
      try database.clear()
    } catch {
      storageFailed(error)
    }
  }

  func storageFailed(_ error: any Error) {
    station.note(.providerStorage, .failed, "the app's documents cannot be kept: \(journalMessage(of: error))")
  }

  /// Runs code of the extension with a connection to the app's system.
  func extensionCode(_ body: @Sendable (any IdentityDocumentProvider) async -> Void) async {
    let provider = provider
    await IdentityDocumentServicesHost.$system.withValue(connection) { await body(provider) }
  }

  /// The requester's identity according to the authorities that the app trusts.
  func requester(of context: ISO18013MobileDocumentRequestContext) async -> RequesterIdentity {
    await RequesterIdentity(of: context, trustedReaders: trustedReaders, at: station.now)
  }

  /// Shows a view and waits for the person's tap.
  /// - Returns: the label of the tapped button, or nil if the system ended the view.
  func ask(_ screen: AuthorizationScreen) async -> String? {
    guard Self.running == presentment else { return nil }
    let elements = screen.elements.map {
      ConsentEvent.Element(nameSpace: $0.nameSpace, identifier: $0.identifier, isRetained: $0.isRetained)
    }
    station.record(.consent(.asked(requester: screen.requester, elements: elements)))
    station.send(.show, screen, as: MediaType.screen, to: operatingSystem)
    return await withCheckedContinuation { continuation in
      decide(nil)
      waiting = continuation
    }
  }

  private func decide(_ label: String?) {
    waiting?.resume(returning: label)
    waiting = nil
  }

  /// Answers a request that the person has approved.
  func respond(to context: ISO18013MobileDocumentRequestContext) async {
    let responder = MobileDocumentResponder(
      trustedReaders: trustedReaders, answersAnybody: description.trustsReaders.isEmpty)
    let now = station.now.date
    do {
      try await context.sendResponse { [self] rawRequest in
        try responder.validateConsistency(request: context.request, rawRequest: rawRequest)
        let request = try await responder.validateRawRequest(
          rawRequest, origin: context.requestingWebsiteOrigin, at: now)
        let approved = ApprovedRequest(
          validated: request,
          encryptionInfoText: try RequestData(json: [UInt8](rawRequest.requestData)).encryptionInfo,
          origin: context.requestingWebsiteOrigin?.serializedOrigin ?? "")
        return ISO18013MobileDocumentResponse(
          responseData: try await responseBuilder.response(to: approved, with: responder, from: self))
      }
      station.record(.consent(.answered(app: name)))
    } catch let refusal as ProviderRefusal {
      station.record(refusal.result)
    } catch {
      station.note(.providerFailed, .failed, "\(error)")
    }
  }

  /// Answers the presentment on the screen before the person has acted, which an app must not do.
  func respondWithoutConsent() async {
    guard let context else {
      return station.note(.providerFailed, .failed, "no request is open")
    }
    await extensionCode { _ in await respond(to: context) }
  }

  /// The documents with their device keys, in the order of preference.
  package func presentableDocuments() -> [PresentableDocument] {
    documents.map { PresentableDocument($0.document, deviceKey: $0.deviceKey) }
  }

  /// A fresh key for one response.
  package func ephemeralKey() -> P256.KeyAgreement.PrivateKey { ephemeralKeys.keyAgreementKey() }

  /// A fresh device key.
  package func newDeviceKey() throws -> DeterministicSigningKey { try deviceKeys.signingKey() }

  /// Ends waiting for the person.
  func close() { decide(nil) }
}
