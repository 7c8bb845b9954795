import Foundation
import IdentityDocumentServices
import Synchronization

@testable import SampleProvider

/// A system that behaves as Apple describes its own: the first registration asks the person, a decline can only be
/// undone in Settings, an app may register the types of its entitlement.
actor ScriptedSystem: IdentityDocumentServicesSystem {
  typealias StoreError = IdentityDocumentProviderRegistrationStore.RegistrationError

  private let allows: Bool
  private let entitlement: [String]
  private var currentStatus = IdentityDocumentProviderRegistrationStore.Status.notDetermined
  private var kept: [MobileDocumentRegistration] = []
  /// The number of times that the person was asked.
  private(set) var prompts = 0
  /// The app's calls, in order.
  private(set) var log: [String] = []

  init(allows: Bool = true, entitlement: [String] = [Surroundings.licence]) {
    self.allows = allows
    self.entitlement = entitlement
  }

  func addRegistration(_ registration: MobileDocumentRegistration) throws {
    if currentStatus == .notDetermined {
      prompts += 1
      currentStatus = allows ? .authorized : .notAuthorized
    }
    guard currentStatus == .authorized else { throw StoreError.notAuthorized }
    guard entitlement.contains(registration.mobileDocumentType) else { throw StoreError.invalidRequest }
    kept.removeAll { $0.documentIdentifier == registration.documentIdentifier }
    kept.append(registration)
    log.append("add \(registration.documentIdentifier)")
  }

  func removeRegistration(forDocumentIdentifier documentIdentifier: String) throws {
    guard currentStatus == .authorized else { throw StoreError.notAuthorized }
    kept.removeAll { $0.documentIdentifier == documentIdentifier }
    log.append("remove \(documentIdentifier)")
  }

  func registrations() throws -> [MobileDocumentRegistration] {
    guard currentStatus == .authorized else { throw StoreError.notAuthorized }
    return kept.sorted { $0.documentIdentifier < $1.documentIdentifier }
  }

  func status() -> IdentityDocumentProviderRegistrationStore.Status { currentStatus }

  nonisolated func makeDocumentIdentifier() -> String { UUID().uuidString }

  /// The person allows the app in Settings, and the system tells its extension.
  func allowInSettings(_ provider: some IdentityDocumentProvider) async {
    currentStatus = .authorized
    await IdentityDocumentServicesHost.$system.withValue(self) { await provider.performRegistrationUpdates() }
  }

  /// Runs an app's code with this system in place.
  nonisolated func running<Value>(_ code: () async throws -> Value) async rethrows -> Value {
    try await IdentityDocumentServicesHost.$system.withValue(self) { try await code() }
  }
}

/// The system's side of one presentment, which records how it ended.
final class ScriptedSession: PresentmentSession {
  enum Ending: Sendable, Equatable {
    case answered(Data)
    case abandoned(ProviderFinding?)
    case cancelled
  }

  private struct State {
    var hasInteraction = false
    var isReleased = false
    var endings: [Ending] = []
  }

  private let requestData: Data
  private let state = Mutex(State())

  init(requestData: Data) { self.requestData = requestData }

  var isReleased: Bool { state.withLock { $0.isReleased } }
  var endings: [Ending] { state.withLock { $0.endings } }

  /// The person acts in the app's view.
  func interact() { state.withLock { $0.hasInteraction = true } }

  func releaseRawRequest() async throws -> IdentityDocumentWebPresentmentRawRequest {
    try state.withLock { state in
      guard state.hasInteraction else { throw IdentityDocumentPresentmentError(.invalidRequest) }
      guard state.endings.isEmpty else { throw IdentityDocumentPresentmentError(.cancelled) }
      state.isReleased = true
    }
    return IdentityDocumentWebPresentmentRawRequest(requestType: .iso18013MobileDocument, requestData: requestData)
  }

  func deliver(_ response: ISO18013MobileDocumentResponse) async throws { end(.answered(response.responseData)) }

  func abandon(because error: any Error) { end(.abandoned((error as? ProviderRefusal)?.finding)) }

  func cancel() { end(.cancelled) }

  private func end(_ ending: Ending) { state.withLock { $0.endings.append(ending) } }
}

/// The app's screen, which records its contents.
final class ScriptedScreen: Sendable {
  private let shown = Mutex(([Notice](), [AuthorizationView.Content]()))

  var notices: [Notice] { shown.withLock { $0.0 } }
  var contents: [AuthorizationView.Content] { shown.withLock { $0.1 } }

  func show(_ notice: Notice) { shown.withLock { $0.0.append(notice) } }
  func show(_ content: AuthorizationView.Content) { shown.withLock { $0.1.append(content) } }
}
