import Foundation
import IdentityDocumentServices
import Messaging
import MobileDocument
import Storage
import Vocabulary

/// The app's use of the registration store, with the same code as in any provider app:
/// `IdentityDocumentProviderRegistrationStore()`.
extension ProviderApp {
  typealias StoreError = IdentityDocumentProviderRegistrationStore.RegistrationError

  /// Registers documents that are missing in the system's registrations or differ, and removes registrations without a
  /// document.
  package func updateRegistrations() async {
    let wanted: [MobileDocumentRegistration]
    switch await registrationsOfProgram() {
    case .given(let registrations): wanted = registrations
    case .unanswered: return
    case .none: wanted = documents.map(registration)
    }
    let store = IdentityDocumentProviderRegistrationStore()
    guard
      RegistrationChanges.mayBegin(
        requiresReaders: !program.trustsReaders.isEmpty, authorities: anchors.map(\.keyIdentifier))
    else {
      return station.note(
        .providerNotRegistered, "nothing is registered: no reader authority that \(name) trusts can be named")
    }
    // The registrations cannot be read before the person was asked; the first new registration asks.
    let registered = ((try? await store.registrations) ?? []).compactMap { $0 as? MobileDocumentRegistration }
    let changes = RegistrationChanges(from: registered, to: wanted)
    for registration in changes.added {
      if let error = await add(registration) {
        station.note(
          .providerNotRegistered,
          "\(registration.documentIdentifier) is not registered: \(error.errorDescription ?? "")")
      }
    }
    for identifier in changes.removed { await remove(registration: identifier) }
  }

  func registration(of stored: StoredDocument) -> MobileDocumentRegistration {
    var registration = MobileDocumentRegistration(
      mobileDocumentType: stored.credential.registeredType,
      supportedIssuerKeyIdentifiers: stored.credential.issuerKeyIdentifiers.map { Data($0) },
      supportedAuthorityKeyIdentifiers: anchors.map { Data($0.keyIdentifier) },
      documentIdentifier: stored.identifier, invalidationDate: stored.invalidationDate?.date)
    registration.supportedAuthorityCertificates = anchors.map { Data($0.der) }
    return registration
  }

  /// Performs an action of the app's own code.
  package func perform(_ action: Action.ByApp) async {
    guard isInstalled else { return station.note(.providerFailed, "\(name) is not on the device") }
    switch action {
    case .add(let draft): await extensionCode { _ in await register(draft) }
    case .remove(let identifier): await extensionCode { _ in await remove(registration: identifier) }
    case .readStatus: await extensionCode { _ in await readStatus() }
    case .readRegistrations: await extensionCode { _ in await readRegistrations() }
    case .provision(let document): await acquire(document)
    case .renew(let document): await acquire(document)
    case .respondWithoutConsent: await respondWithoutConsent()
    }
  }

  private func register(_ draft: Action.Registration) async {
    let registration = registration(draft)
    if await add(registration) == nil { keepEnd(of: registration) }
  }

  private func registration(_ draft: Action.Registration) -> MobileDocumentRegistration {
    let trusted = draft.trustsReaders.map { names in anchors.filter { names.contains($0.authority) } } ?? anchors
    let issuerKeys = (0..<(draft.issuerKeys?.count ?? 0)).map { number in
      // Different identifiers, if the length allows it.
      Data((0..<(draft.issuerKeys?.length ?? 0)).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) })
    }
    return MobileDocumentRegistration(
      mobileDocumentType: draft.documentType, supportedIssuerKeyIdentifiers: issuerKeys,
      supportedAuthorityKeyIdentifiers: trusted.map { Data($0.keyIdentifier) },
      documentIdentifier: draft.identifier ?? IdentityDocumentServicesHost.makeDocumentIdentifier(),
      invalidationDate: draft.invalidation?.date)
  }

  /// Registers a document.
  /// - Returns: The error that the store threw, or nil.
  @discardableResult
  private func add(_ registration: MobileDocumentRegistration) async -> StoreError? {
    do {
      try await IdentityDocumentProviderRegistrationStore().addRegistration(registration)
      station.note(
        .storeAdded, "addRegistration of \(registration.documentIdentifier) returns",
        facts: [Note.Fact("registration", registration.documentIdentifier)])
      return nil
    } catch {
      return threw(error, from: "addRegistration of \(registration.documentIdentifier)")
    }
  }

  /// Removes a registration.
  /// - Returns: The error that the store threw, or nil.
  @discardableResult
  func remove(registration identifier: String) async -> StoreError? {
    do {
      try await IdentityDocumentProviderRegistrationStore().removeRegistration(forDocumentIdentifier: identifier)
      station.note(
        .storeRemoved, "removeRegistration of \(identifier) returns", facts: [Note.Fact("registration", identifier)])
      return nil
    } catch {
      return threw(error, from: "removeRegistration of \(identifier)")
    }
  }

  private func readStatus() async {
    let status = await IdentityDocumentProviderRegistrationStore().status
    station.note(.storeStatus, value: status.rawValue, "status is \(status.rawValue)")
  }

  private func readRegistrations() async {
    do {
      let found = try await IdentityDocumentProviderRegistrationStore().registrations.map(\.documentIdentifier)
      let names = found.isEmpty ? "none" : found.joined(separator: ", ")
      station.note(
        .storeRegistrations, value: names, "registrations are \(names)",
        facts: found.map { Note.Fact("registration", $0) })
    } catch {
      threw(error, from: "registrations")
    }
  }

  @discardableResult
  private func threw(_ error: any Error, from call: String) -> StoreError {
    let error = error as? StoreError ?? .unknown
    let code: NoteCode =
      switch error {
      case .invalidRequest: .storeInvalidRequest
      case .notAuthorized: .storeNotAuthorized
      case .notSupported: .storeNotSupported
      case .unknown: .storeUnknown
      }
    station.note(code, "\(call) throws: \(error.errorDescription ?? "")", facts: [Note.Fact("error", error.rawValue)])
    return error
  }
}
