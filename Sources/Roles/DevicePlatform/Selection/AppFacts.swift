import FoundationEssentials
import IdentityDocumentServices

/// A registration in a selection.
public struct SelectedRegistration: Sendable, Equatable {
  /// The identifier of the document in the app's own storage.
  public let documentIdentifier: String
  /// `DocType`.
  public let mobileDocumentType: String
  /// The date from which the document is not offered, or nil for no end.
  public let invalidationDate: Date?

  /// Makes a registration.
  public init(documentIdentifier: String, mobileDocumentType: String, invalidationDate: Date?) {
    self.documentIdentifier = documentIdentifier
    self.mobileDocumentType = mobileDocumentType
    self.invalidationDate = invalidationDate
  }

  /// Makes the summary of a registration.
  public init(_ registration: MobileDocumentRegistration) {
    self.init(
      documentIdentifier: registration.documentIdentifier, mobileDocumentType: registration.mobileDocumentType,
      invalidationDate: registration.invalidationDate)
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

    /// Makes a candidate.
    public init(registration: SelectedRegistration, issuerKeyIdentifiers: Set<Data>) {
      self.registration = registration
      self.issuerKeyIdentifiers = issuerKeyIdentifiers
    }
  }

  /// A registration that is not a candidate.
  public struct Nearest: Sendable, Equatable {
    /// The registration.
    public let registration: SelectedRegistration
    /// Key identifiers of the required reader authorities.
    public let authorityKeyIdentifiers: [Data]
    /// Indicates whether the app's entitlement lists the type.
    public let isEntitled: Bool

    /// Makes a registration.
    public init(registration: SelectedRegistration, authorityKeyIdentifiers: [Data], isEntitled: Bool) {
      self.registration = registration
      self.authorityKeyIdentifiers = authorityKeyIdentifiers
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

  /// Makes the facts.
  public init(name: String, isAuthorized: Bool, candidates: [Candidate], nearest: Nearest?) {
    self.name = name
    self.isAuthorized = isAuthorized
    self.candidates = candidates
    self.nearest = nearest
  }
}
