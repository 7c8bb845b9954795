import Foundation
import IdentityDocumentServices

/// The app's side: keeps the system's registrations in step with the documents, as they come and go.
struct DocumentLibrary: Sendable {
  let environment: ProviderEnvironment

  typealias RegistrationError = IdentityDocumentProviderRegistrationStore.RegistrationError

  /// Keeps a new document and registers it at once.
  ///
  /// The first registration of an app makes the system ask the person. So nobody waits for `authorized` here: while it
  /// is `notDetermined`, registering is what asks.
  func add(_ document: StoredDocument) async throws {
    let registration = try environment.registration(for: document)
    try await environment.storage.add(document)

    let store = IdentityDocumentProviderRegistrationStore()
    guard await store.status != .notSupported else { return await environment.show(.webPresentmentNotSupported) }
    do {
      try await store.addRegistration(registration)
    } catch RegistrationError.notAuthorized {
      // The document stays: the system asks for its registration when the person allows the app in Settings.
      await environment.show(.allowInSettings)
    } catch {
      await environment.show(
        .registrationFailed(documentIdentifier: document.identifier, reason: error.localizedDescription))
    }
  }

  /// Removes a document's registration and then the document. In the other order a failure in between would leave the
  /// app on offer for a document that it no longer has.
  func remove(documentIdentifier: String) async throws {
    let store = IdentityDocumentProviderRegistrationStore()
    do {
      let storedRegistrations = try await store.registrations
      let matchingRegistration = storedRegistrations.first { storedRegistration in
        storedRegistration.documentIdentifier == documentIdentifier
      }
      if let documentIdentifier = matchingRegistration?.documentIdentifier {
        try await store.removeRegistration(forDocumentIdentifier: documentIdentifier)
      }
    } catch RegistrationError.notAuthorized, RegistrationError.notSupported {
      // The registration cannot be reached while the app is off, and nobody is offered it then. It goes with the next
      // update of the registrations.
    }
    try await environment.storage.remove(documentIdentifier: documentIdentifier)
  }

  /// What the app shows in its own settings: whether websites can be offered its documents. The system does not tell
  /// when this changes, so ask whenever the app becomes active.
  func notice() async -> Notice? {
    switch await IdentityDocumentProviderRegistrationStore().status {
    case .authorized, .notDetermined: nil
    case .notAuthorized: .allowInSettings
    case .notSupported: .webPresentmentNotSupported
    }
  }
}

extension ProviderEnvironment {
  /// The registration that a document should have.
  func registration(for stored: StoredDocument) throws -> MobileDocumentRegistration {
    let document = try stored.presentable()
    return MobileDocumentRegistration(
      mobileDocumentType: document.mobileDocumentType,
      supportedIssuerKeyIdentifiers: document.issuerKeyIdentifiers,
      supportedAuthorityKeyIdentifiers: responder.authorityKeyIdentifiers,
      documentIdentifier: stored.identifier,
      invalidationDate: document.expirationDate
    )
  }
}
