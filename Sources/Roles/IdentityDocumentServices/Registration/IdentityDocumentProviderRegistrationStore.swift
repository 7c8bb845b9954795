import FoundationEssentials

/// An app's access to the registrations that the system keeps for it.
public actor IdentityDocumentProviderRegistrationStore {
  /// The authorization of an app to provide documents.
  public enum Status: String, Equatable, Hashable, Sendable {
    /// The person authorized the app.
    case authorized
    /// The person declined, or switched the app off.
    case notAuthorized
    /// The person has not been asked yet.
    case notDetermined
    /// The platform does not support document provider apps.
    case notSupported
  }

  /// The error of a refused call.
  public enum RegistrationError: String, Error, LocalizedError, Hashable, Sendable {
    /// The registration is malformed, or of a type that the app's entitlement does not list.
    case invalidRequest
    /// The person has not authorized the app.
    case notAuthorized
    /// The platform does not support document provider apps.
    case notSupported
    /// Any other failure.
    case unknown

    /// A human-readable description of the error.
    public var errorDescription: String? {
      switch self {
      case .invalidRequest: "The registration is not valid."
      case .notAuthorized: "The app is not authorized to register documents."
      case .notSupported: "Registering documents is not supported."
      case .unknown: "An unknown error occurred."
      }
    }
  }

  private let system: (any IdentityDocumentServicesSystem)?

  /// Creates the store of the running app.
  public init() { system = IdentityDocumentServicesHost.system }

  /// Registers a document, and replaces a registration with the same document identifier. On the first call of an app the
  /// system asks the person.
  /// - Throws: ``RegistrationError``.
  public func addRegistration(_ registration: some IdentityDocumentRegistration) async throws {
    guard let system else { throw RegistrationError.notSupported }
    guard let registration = registration as? MobileDocumentRegistration, registration.isWithinLimits else {
      throw RegistrationError.invalidRequest
    }
    try await system.addRegistration(registration)
  }

  /// Removes a registration, if one has the identifier.
  /// - Throws: ``RegistrationError``.
  public func removeRegistration(forDocumentIdentifier documentIdentifier: String) async throws {
    guard let system else { throw RegistrationError.notSupported }
    try await system.removeRegistration(forDocumentIdentifier: documentIdentifier)
  }

  /// The app's registrations, in the order of their document identifiers.
  /// - Throws: ``RegistrationError/notAuthorized`` while the app is not authorized.
  public var registrations: [any IdentityDocumentRegistration] {
    get async throws {
      guard let system else { throw RegistrationError.notSupported }
      return try await system.registrations()
    }
  }

  /// The authorization of the app to provide documents.
  public var status: Status {
    get async {
      guard let system else { return .notSupported }
      return await system.status()
    }
  }
}

/// The system of an app. It receives the calls of the store.
public protocol IdentityDocumentServicesSystem: Sendable {
  /// Registers a document for the app.
  func addRegistration(_ registration: MobileDocumentRegistration) async throws
  /// Removes a registration of the app.
  func removeRegistration(forDocumentIdentifier documentIdentifier: String) async throws
  /// The registrations of the app.
  func registrations() async throws -> [MobileDocumentRegistration]
  /// The authorization of the app to provide documents.
  func status() async -> IdentityDocumentProviderRegistrationStore.Status
  /// A new document identifier.
  func makeDocumentIdentifier() -> String
}

/// The binding of provider code to its system. A host binds it while an app's code runs, so that the code is the same as on
/// a phone: `IdentityDocumentProviderRegistrationStore()`.
public enum IdentityDocumentServicesHost {
  /// The system of the running app, or nil outside any system.
  @TaskLocal public static var system: (any IdentityDocumentServicesSystem)?

  /// Returns a new document identifier: the system's, or a random UUID outside any system.
  public static func makeDocumentIdentifier() -> String { system?.makeDocumentIdentifier() ?? UUID().uuidString }
}
