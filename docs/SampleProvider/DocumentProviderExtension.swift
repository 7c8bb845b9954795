import Foundation
import IdentityDocumentServices

/// The app extension. On a phone it is `@main`, in a process of its own, and makes its environment itself.
struct DocumentProviderExtension: IdentityDocumentProvider {
  let environment: ProviderEnvironment
  /// Shows an authorization view and returns what the person decided in it.
  let decide: @Sendable (AuthorizationView.Content) async -> AuthorizationView.Decision

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await AuthorizationView(context: context, environment: environment, decide: decide).run()
    }
  }

  /// Brings the registrations up to date: registers what is missing or has changed, and removes what is gone. The system
  /// calls this periodically, and after the person has allowed the app in Settings.
  func performRegistrationUpdates() async {
    let store = IdentityDocumentProviderRegistrationStore()
    // A registration would show the prompt, although the person is not in the app now.
    guard await store.status == .authorized else { return }

    do {
      let storedRegistrations = try await store.registrations
      let documents = try await environment.storage.documents()

      for document in documents {
        await handlingFailure(of: document.identifier) {
          let registration = try environment.registration(for: document)
          guard !storedRegistrations.contains(where: { Self.isSame($0, registration) }) else { return }
          try await store.addRegistration(registration)
        }
      }
      for identifier in storedRegistrations.map(\.documentIdentifier)
      where !documents.contains(where: { $0.identifier == identifier }) {
        await handlingFailure(of: identifier) {
          try await store.removeRegistration(forDocumentIdentifier: identifier)
        }
      }
    } catch {
      // This function cannot throw; an error that is not shown or logged is lost.
      await environment.show(.updateFailed(reason: error.localizedDescription))
    }
  }

  /// Reports the failure of one document, so that the others are still registered.
  private func handlingFailure(of documentIdentifier: String, _ work: () async throws -> Void) async {
    do {
      try await work()
    } catch {
      await environment.show(
        .registrationFailed(documentIdentifier: documentIdentifier, reason: error.localizedDescription))
    }
  }

  private static func isSame(
    _ stored: any IdentityDocumentRegistration, _ registration: MobileDocumentRegistration
  ) -> Bool {
    guard let stored = stored as? MobileDocumentRegistration else { return false }
    return stored.documentIdentifier == registration.documentIdentifier
      && stored.mobileDocumentType == registration.mobileDocumentType
      && stored.supportedIssuerKeyIdentifiers == registration.supportedIssuerKeyIdentifiers
      && stored.supportedAuthorityKeyIdentifiers == registration.supportedAuthorityKeyIdentifiers
      && stored.invalidationDate == registration.invalidationDate
  }
}
