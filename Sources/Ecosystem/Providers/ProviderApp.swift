import COSE
import Crypto
import Foundation
import IdentityDocumentServices
import MobileDocument
import Simulation
import WebPresentment
import X509

/// A document that an app keeps, with the key that was made for it on the device.
struct StoredDocument: Sendable {
  let identifier: String
  let document: HeldDocument
  let deviceKey: DeterministicSigningKey
  let invalidationDate: DateTime?
}

/// A document provider app: its documents and device keys, and the extension that the system starts.
///
/// ```
/// app --root certificate--> each reader authority that it trusts
/// app --provision--> issuing authority --document--> app --addRegistration--> operating system
/// operating system --partial request, origin--> app --view--> person (through the system) --tap--> app
/// app --sendResponse--> operating system --raw request--> app --encrypted response--> operating system
/// ```
actor ProviderApp {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  nonisolated let name: String
  private let station: Station
  private let description: WorldDescription.App
  private let operatingSystem: Party
  private let connection: SystemConnection
  private var documents: [StoredDocument] = []
  private var trustedReaders = TrustedCertificates([], for: .reader)
  /// Key identifiers by which its registrations name the authorities that it trusts.
  private var authorityKeyIdentifiers: [[UInt8]] = []
  private var deviceKeys: EntropyStream
  private var ephemeralKeys: EntropyStream
  /// Number of the presentment whose view may be on the screen; the extension's code of an earlier one is too late.
  private var presentment = 0
  /// Number of the presentment for which the extension's code runs.
  @TaskLocal private static var running = 0
  /// Who waits for the person's decision in the view on the screen.
  private var waiting: CheckedContinuation<String?, Never>?

  init(_ description: WorldDescription.App, operatingSystem: Party, station: Station) {
    executor = station.scheduler.makeExecutor()
    name = description.name
    self.station = station
    self.description = description
    self.operatingSystem = operatingSystem
    connection = SystemConnection(
      station: station, operatingSystem: operatingSystem,
      identifiers: SharedEntropy(station.stream("document identifiers")))
    deviceKeys = station.stream("device keys")
    ephemeralKeys = station.stream("ephemeral keys")
  }

  private var provider: any IdentityDocumentProvider {
    switch description.style {
    case .wallet: WalletProvider(app: self)
    case .ownView: LocalDrivingAuthorityProvider(app: self)
    }
  }

  /// Gets the roots that the app trusts and its documents, and registers them.
  func prepare() async {
    var roots: [Certificate] = []
    for authority in description.trustsReaders {
      guard
        let answer = try? await station.request(Subject.root, [String](), to: Party(.readerAuthority, authority)),
        let root = try? Certificate(derEncoded: answer.bytes)
      else { continue }
      roots.append(root)
      if let name = await keyIdentifier(of: authority, root: root) { authorityKeyIdentifiers.append(name) }
    }
    trustedReaders = TrustedCertificates(roots, for: .reader)
    for document in description.documents {
      do {
        documents.append(try await provision(document))
      } catch {
        station.record(
          .note, code: .providerNotProvisioned, outcome: "failed", sentence: "\(document.identifier): \(error)")
      }
    }
    await extensionCode { await $0.performRegistrationUpdates() }
  }

  /// The key identifier by which registrations name an authority; nil when there is none to be had.
  private func keyIdentifier(of authority: String, root: Certificate) async -> [UInt8]? {
    if description.namesAuthoritiesBy == .root { return root.subjectKeyIdentifier }
    do {
      let answer = try await station.request(Subject.issuing, [String](), to: Party(.readerAuthority, authority))
      let issuing = try Certificate(derEncoded: answer.bytes)
      if issuing == root { return root.subjectKeyIdentifier }
      // What the authority says of its own intermediate counts only as far as the root has signed it.
      let path = try await TrustedCertificates([root], for: .readerIntermediate).validate([issuing], at: station.now)
        .get()
      return path.leaf.subjectKeyIdentifier
    } catch {
      station.record(
        .note, code: .providerAuthorityNotNamed, outcome: "failed", sentence: "\(authority) cannot be named: \(error)")
      return nil
    }
  }

  private func provision(_ document: WorldDescription.Document) async throws -> StoredDocument {
    let key = try deviceKeys.signingKey()
    let publicKey = COSEKey(key.publicKey)
    let order = ProvisioningOrder(
      documentType: document.documentType, record: "\(station.party.name)/\(document.identifier)",
      deviceKey: Base64URL.encode(publicKey.encoded))
    let answer = try await station.request(
      Subject.provision, order, to: Party(.issuer, document.issuer))
    guard answer.subject == Subject.document else {
      throw HeldDocument.Refusal(description: "the issuing authority refused")
    }
    let held = try HeldDocument(issued: answer.bytes, deviceKey: publicKey)
    // A copy has the document and not the key, which never leaves the secure hardware it was made in.
    let presentingKey = document.isCopy ? try deviceKeys.signingKey() : key
    return StoredDocument(
      identifier: document.identifier, document: held, deviceKey: presentingKey,
      invalidationDate: document.registersInvalidationDate ? held.validity.validUntil : nil)
  }

  func receive(_ message: Message) {
    switch message.subject {
    case Subject.authorize:
      guard let body = JSONBody.decode(AuthorizeBody.self, from: message.bytes),
        let request = body.partialRequest.request
      else { return }
      let context = ISO18013MobileDocumentRequestContext(
        request: request, requestingWebsiteOrigin: URL(string: body.origin),
        session: AppPresentmentSession(station: station, operatingSystem: operatingSystem))
      presentment += 1
      let number = presentment
      station.scheduler.spawn { [self] in
        await Self.$running.withValue(number) { await extensionCode { await $0.authorize(context) } }
      }
    case Subject.tap:
      tapped(message)
    case Subject.endApp:
      presentment += 1
      decide(nil)
    case Subject.updateRegistrations:
      station.scheduler.spawn { [self] in await extensionCode { await $0.performRegistrationUpdates() } }
    default: break
    }
  }

  private func tapped(_ message: Message) {
    if let tap = JSONBody.decode(DeviceTap.self, from: message.bytes), tap.target == .deleteDocument {
      station.scheduler.spawn { [self] in await deleteDocument(tap.label) }
    } else if let tap = JSONBody.decode(TapBody.self, from: message.bytes) {
      decide(tap.label)
    }
  }

  /// Runs the extension's code where it finds the system that it belongs to.
  private func extensionCode(_ body: @Sendable (any IdentityDocumentProvider) async -> Void) async {
    let provider = provider
    await IdentityDocumentServicesHost.$system.withValue(connection) { await body(provider) }
  }

  /// Registers every document that the system does not know yet.
  func registerMissingDocuments() async {
    let store = IdentityDocumentProviderRegistrationStore()
    let registered = ((try? await store.registrations) ?? []).map(\.documentIdentifier)
    for stored in documents where !registered.contains(stored.identifier) {
      do {
        try await store.addRegistration(
          MobileDocumentRegistration(
            mobileDocumentType: stored.document.documentType,
            supportedIssuerKeyIdentifiers: stored.document.issuerKeyIdentifiers.map { Data($0) },
            supportedAuthorityKeyIdentifiers: authorityKeyIdentifiers.map { Data($0) },
            documentIdentifier: stored.identifier, invalidationDate: stored.invalidationDate?.date))
      } catch {
        station.record(
          .note, code: .providerNotRegistered, outcome: "failed",
          sentence: "\(stored.identifier) is not registered: \(error)")
      }
    }
  }

  /// Who asks, as far as the authorities that the app trusts vouch for it.
  func requester(of context: ISO18013MobileDocumentRequestContext) async -> RequesterIdentity {
    await RequesterIdentity(of: context, trustedReaders: trustedReaders, at: station.now)
  }

  /// Shows a view and waits until the person taps something in it.
  /// - Returns: what was tapped; nil when the system ended the view.
  func ask(_ screen: AuthorizationScreen) async -> String? {
    guard Self.running == presentment else { return nil }
    station.record(
      .consent, code: .providerAsked, outcome: "shown",
      sentence: "\(screen.requester) asks for \(screen.elements.count) elements",
      details: screen.elements.map {
        Decision.Detail($0.isRetained ? "retains" : "shows", "\($0.nameSpace) \($0.identifier)")
      })
    station.send(Subject.show, screen, as: MediaType.screen, to: operatingSystem)
    return await withCheckedContinuation { continuation in
      decide(nil)
      waiting = continuation
    }
  }

  private func decide(_ label: String?) {
    waiting?.resume(returning: label)
    waiting = nil
  }

  /// Answers a request that the person has agreed to.
  func respond(to context: ISO18013MobileDocumentRequestContext) async {
    let preparation = ResponsePreparation(
      context: context, trustedReaders: trustedReaders,
      answersUnsignedRequests: description.trustsReaders.isEmpty, now: station.now)
    do {
      try await context.sendResponse { [self] rawRequest in
        try preparation.validateConsistency(rawRequest: rawRequest)
        let request = try await preparation.validate(rawRequest: rawRequest)
        let response = try preparation.response(
          to: request, rawRequest: rawRequest, documents: await heldDocuments(), ephemeralKey: await ephemeralKey())
        return ISO18013MobileDocumentResponse(responseData: Data(response))
      }
      station.record(.consent, code: .providerAnswered, outcome: "answered", sentence: "\(name) answered")
    } catch {
      let refusal = error as? ProviderRefusal
      station.record(
        .check, code: refusal?.check.rawValue ?? JournalCode.providerFailed.rawValue, outcome: "failed",
        sentence: refusal?.description ?? "\(error)")
    }
  }

  private func heldDocuments() -> [StoredDocument] { documents }

  private func ephemeralKey() -> P256.KeyAgreement.PrivateKey { ephemeralKeys.keyAgreementKey() }

  /// Deletes a document and its registration.
  private func deleteDocument(_ identifier: String) async {
    documents.removeAll { $0.identifier == identifier }
    await extensionCode { _ in
      try? await IdentityDocumentProviderRegistrationStore().removeRegistration(forDocumentIdentifier: identifier)
    }
  }

  /// Ends whatever waits for the person.
  func close() { decide(nil) }
}
