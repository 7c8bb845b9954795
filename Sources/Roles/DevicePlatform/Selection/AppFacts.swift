import FoundationEssentials
import IdentityDocumentServices
import Primitives

/// A registration in a selection.
public struct SelectedRegistration: Sendable, Equatable {
  /// The identifier of the document in the app's own storage.
  public let documentIdentifier: String
  /// `DocType`.
  public let mobileDocumentType: String
  /// The date from which the document is not offered, or nil for no end.
  public let invalidationDate: Date?

  /// Creates a registration.
  public init(documentIdentifier: String, mobileDocumentType: String, invalidationDate: Date?) {
    self.documentIdentifier = documentIdentifier
    self.mobileDocumentType = mobileDocumentType
    self.invalidationDate = invalidationDate
  }

  /// Creates the summary of a registration.
  public init(_ registration: MobileDocumentRegistration) {
    self.init(
      documentIdentifier: registration.documentIdentifier, mobileDocumentType: registration.mobileDocumentType,
      invalidationDate: registration.invalidationDate)
  }
}

/// The reader authorities that a registration requires.
public struct RegisteredAuthorities: Sendable, Equatable {
  /// Their key identifiers; empty if the app requires no signature.
  public let keyIdentifiers: [Data]
  /// DER of their certificates, as far as the app has registered them.
  public let certificates: [Data]

  /// Creates a list of authorities.
  public init(keyIdentifiers: [Data], certificates: [Data]) {
    self.keyIdentifiers = keyIdentifiers
    self.certificates = certificates
  }

  /// Creates the list of a registration.
  public init(_ registration: MobileDocumentRegistration) {
    self.init(
      keyIdentifiers: registration.supportedAuthorityKeyIdentifiers,
      certificates: registration.supportedAuthorityCertificates)
  }
}

/// The facts about an app that decide the selection. They are few for any number of registrations, so that a database index
/// can provide them.
public struct AppFacts: Sendable, Equatable {
  /// A registration for which ``SelectionCriteria/firstFailure(of:authorities:isEntitled:)`` finds nothing.
  public struct Candidate: Sendable, Equatable {
    /// The registration.
    public let registration: SelectedRegistration
    /// Key identifiers of the registration's issuers that the request names.
    public let issuerKeyIdentifiers: Set<Data>

    /// Creates a candidate.
    public init(registration: SelectedRegistration, issuerKeyIdentifiers: Set<Data>) {
      self.registration = registration
      self.issuerKeyIdentifiers = issuerKeyIdentifiers
    }
  }

  /// A registration that is not a candidate.
  public struct Nearest: Sendable, Equatable {
    /// The registration.
    public let registration: SelectedRegistration
    /// The required reader authorities.
    public let authorities: RegisteredAuthorities
    /// Indicates whether the app's entitlement lists the type.
    public let isEntitled: Bool

    /// Creates a registration.
    public init(registration: SelectedRegistration, authorities: RegisteredAuthorities, isEntitled: Bool) {
      self.registration = registration
      self.authorities = authorities
      self.isEntitled = isEntitled
    }
  }

  /// The name of the app.
  public let name: String
  /// Indicates whether the person authorized the app. If not, the other facts are ignored.
  public let isAuthorized: Bool
  /// The candidates, in the order of their document identifiers as UTF-8.
  public let candidates: [Candidate]
  /// The registration that is nearest to a candidate: its first failure is the last in the order of ``SelectorCheck``. Ties go to
  /// the latest invalidation date, then to the smallest document identifier as UTF-8. Nil if all registrations are
  /// candidates, or the candidates are enough to answer.
  public let nearest: Nearest?

  /// Creates the facts.
  public init(name: String, isAuthorized: Bool, candidates: [Candidate], nearest: Nearest?) {
    self.name = name
    self.isAuthorized = isAuthorized
    self.candidates = candidates
    self.nearest = nearest
  }
}

/// An app on a device with its registrations.
public struct InstalledApp: Sendable, Equatable {
  /// The name of the app.
  public let name: String
  /// Indicates whether the person authorized the app.
  public let isAuthorized: Bool
  /// The document types of the app's entitlement.
  public let entitledDocumentTypes: [String]
  /// The registrations, in any order.
  public let registrations: [MobileDocumentRegistration]

  /// Creates an app.
  public init(
    name: String, isAuthorized: Bool, entitledDocumentTypes: [String], registrations: [MobileDocumentRegistration]
  ) {
    self.name = name
    self.isAuthorized = isAuthorized
    self.entitledDocumentTypes = entitledDocumentTypes
    self.registrations = registrations
  }

  /// Returns the facts that decide the selection, from every registration.
  public func facts(for criteria: SelectionCriteria) -> AppFacts {
    var candidates: [AppFacts.Candidate] = []
    var nearest: (facts: AppFacts.Nearest, rank: RegistrationRank)?
    for registration in registrations {
      let selected = SelectedRegistration(registration)
      let authorities = RegisteredAuthorities(registration)
      let isEntitled = entitledDocumentTypes.contains { $0.isExactly(registration.mobileDocumentType) }
      guard let failed = criteria.firstFailure(of: selected, authorities: authorities, isEntitled: isEntitled) else {
        let issuers = criteria.issuerKeyIdentifiers.intersection(registration.supportedIssuerKeyIdentifiers)
        candidates.append(AppFacts.Candidate(registration: selected, issuerKeyIdentifiers: issuers))
        continue
      }
      let rank = RegistrationRank(failed.check, selected)
      if let nearest, nearest.rank > rank { continue }
      let facts = AppFacts.Nearest(registration: selected, authorities: authorities, isEntitled: isEntitled)
      nearest = (facts, rank)
    }
    candidates.sort { $0.registration.documentIdentifier.precedes($1.registration.documentIdentifier) }
    return AppFacts(
      name: name, isAuthorized: isAuthorized, candidates: candidates,
      nearest: criteria.canAnswer(with: candidates) ? nil : nearest?.facts)
  }
}

/// The distance of a registration from a match. The highest rank of an app gives the reason why it is hidden.
struct RegistrationRank: Comparable {
  private let position: Int
  private let registration: SelectedRegistration

  /// - Parameter failed: The first check of the registration that fails.
  init(_ failed: SelectorCheck, _ registration: SelectedRegistration) {
    position = SelectorCheck.allCases.firstIndex(of: failed) ?? 0
    self.registration = registration
  }

  static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }

  static func < (left: Self, right: Self) -> Bool {
    left.position == right.position
      ? right.registration.outlasts(left.registration) : left.position < right.position
  }
}

extension SelectedRegistration {
  /// Returns whether the registration is valid longer than another one, or as long with a smaller document identifier.
  package func outlasts(_ other: SelectedRegistration) -> Bool {
    let own = invalidationDate?.timeIntervalSinceReferenceDate ?? .infinity
    let others = other.invalidationDate?.timeIntervalSinceReferenceDate ?? .infinity
    return own == others ? documentIdentifier.precedes(other.documentIdentifier) : own > others
  }
}

extension [AppFacts.Candidate] {
  /// The candidate with the latest invalidation date; ties go to the smallest document identifier.
  var lastingLongest: SelectedRegistration? { map(\.registration).max { $1.outlasts($0) } }
}
