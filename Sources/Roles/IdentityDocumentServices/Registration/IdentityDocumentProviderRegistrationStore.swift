import FoundationEssentials

/// An app's access to the registrations that the system keeps for it.
public actor IdentityDocumentProviderRegistrationStore {
  /// Whether the person allows the app to provide documents.
  public enum Status: String, Equatable, Hashable, Sendable, Codable {
    /// The person has allowed it.
    case authorized
    /// The person has not allowed it.
    case notAuthorized
    /// The person has not been asked yet.
    case notDetermined
    /// The platform has no support for it.
    case notSupported
  }

  /// Why the system did not do what was asked.
  public enum RegistrationError: String, Error, LocalizedError, Hashable, Sendable, Codable {
    /// The registration is malformed, or of a type that the app's entitlement does not list.
    case invalidRequest
    /// The person has not allowed the app to provide documents.
    case notAuthorized
    /// The platform has no support for it.
    case notSupported
    /// Anything else.
    case unknown

    /// The error for a person to read.
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

  /// The store of the app that is running.
  public init() { system = IdentityDocumentServicesHost.system }

  /// Registers a document. A registration with the same document identifier is replaced. The first call of an app lets
  /// the system ask the person.
  /// - Throws: ``RegistrationError``.
  public func addRegistration(_ registration: some IdentityDocumentRegistration) async throws {
    guard let system else { throw RegistrationError.notSupported }
    guard let registration = registration as? MobileDocumentRegistration, registration.isWithinLimits else {
      throw RegistrationError.invalidRequest
    }
    try await system.addRegistration(registration)
  }

  /// Removes a registration; does nothing when there is none of that identifier.
  /// - Throws: ``RegistrationError``.
  public func removeRegistration(forDocumentIdentifier documentIdentifier: String) async throws {
    guard let system else { throw RegistrationError.notSupported }
    try await system.removeRegistration(forDocumentIdentifier: documentIdentifier)
  }

  /// The app's registrations, in the order of their document identifiers.
  /// - Throws: ``RegistrationError/notAuthorized`` while the person has not allowed the app.
  public var registrations: [any IdentityDocumentRegistration] {
    get async throws {
      guard let system else { throw RegistrationError.notSupported }
      return try await system.registrations()
    }
  }

  /// Whether the person allows the app to provide documents.
  public var status: Status {
    get async {
      guard let system else { return .notSupported }
      return await system.status()
    }
  }
}

/// The system behind an app: what the store's calls reach.
public protocol IdentityDocumentServicesSystem: Sendable {
  /// Registers a document for the app.
  func addRegistration(_ registration: MobileDocumentRegistration) async throws
  /// Removes a registration of the app.
  func removeRegistration(forDocumentIdentifier documentIdentifier: String) async throws
  /// The registrations of the app.
  func registrations() async throws -> [MobileDocumentRegistration]
  /// Whether the person allows the app to provide documents.
  func status() async -> IdentityDocumentProviderRegistrationStore.Status
  /// A new document identifier.
  func makeDocumentIdentifier() -> String
}

/// Where provider code finds its system. Whoever runs an app's code binds it for the duration, so that the code itself
/// is written as for a phone: `IdentityDocumentProviderRegistrationStore()`.
public enum IdentityDocumentServicesHost {
  /// The system behind the app whose code is running; nil outside any.
  @TaskLocal public static var system: (any IdentityDocumentServicesSystem)?

  /// A new document identifier: the system's, or a random UUID outside any.
  public static func makeDocumentIdentifier() -> String { system?.makeDocumentIdentifier() ?? UUID().uuidString }
}
