import Foundation
import IdentityDocumentServices

/// Adds and removes documents, and keeps the system's registrations in step with them.
struct DocumentLibrary: Sendable {
  let environment: ProviderEnvironment

  typealias RegistrationError = IdentityDocumentProviderRegistrationStore.RegistrationError

  /// Stores a new document and registers it at once.
  ///
  /// The first registration of an app makes the system ask the person. So this does not wait for `authorized`: while the
  /// status is `notDetermined`, the registration shows the prompt.
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

  /// Removes a document's registration, then the document. In the reverse order, a failure in between could leave an
  /// offer without a document.
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
      // While the app is off, the registration cannot be removed and is not offered. The next update removes it.
    }
    try await environment.storage.remove(documentIdentifier: documentIdentifier)
  }

  /// The notice in the app's own settings if its documents are not offered to websites. The system does not notify the
  /// app of a change, so read this whenever the app becomes active.
  func notice() async -> Notice? {
    switch await IdentityDocumentProviderRegistrationStore().status {
    case .authorized, .notDetermined: nil
    case .notAuthorized: .allowInSettings
    case .notSupported: .webPresentmentNotSupported
    }
  }
}

extension ProviderEnvironment {
  /// Returns the registration of a document.
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
