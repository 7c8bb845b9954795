import FoundationEssentials
import IdentityDocumentServices

/// What a selection tells of a registration.
public struct SelectedRegistration: Sendable, Equatable {
  /// What links the registration to a document in the app's own storage.
  public let documentIdentifier: String
  /// `DocType`.
  public let mobileDocumentType: String
  /// From when on the document is not offered; nil for never.
  public let invalidationDate: Date?

  /// A registration from its parts.
  public init(documentIdentifier: String, mobileDocumentType: String, invalidationDate: Date?) {
    self.documentIdentifier = documentIdentifier
    self.mobileDocumentType = mobileDocumentType
    self.invalidationDate = invalidationDate
  }

  /// What a selection tells of a registration.
  public init(_ registration: MobileDocumentRegistration) {
    self.init(
      documentIdentifier: registration.documentIdentifier, mobileDocumentType: registration.mobileDocumentType,
      invalidationDate: registration.invalidationDate)
  }
}

/// What the selection has to know of an app. It is little, however many registrations the app has, so that an index can
/// give it.
public struct AppFacts: Sendable, Equatable {
  /// A registration for which ``SelectionCriteria/firstFailure(of:authorities:isEntitled:)`` finds nothing.
  public struct Candidate: Sendable, Equatable {
    /// The registration.
    public let registration: SelectedRegistration
    /// Key identifiers of those of its issuers that the request names.
    public let issuerKeyIdentifiers: Set<Data>

    /// A candidate from its parts.
    public init(registration: SelectedRegistration, issuerKeyIdentifiers: Set<Data>) {
      self.registration = registration
      self.issuerKeyIdentifiers = issuerKeyIdentifiers
    }
  }

  /// A registration that is no candidate.
  public struct Nearest: Sendable, Equatable {
    /// The registration.
    public let registration: SelectedRegistration
    /// Key identifiers of the reader authorities whose signatures it demands.
    public let authorityKeyIdentifiers: [Data]
    /// Whether the app's entitlement lists its type.
    public let isEntitled: Bool

    /// A registration from its parts.
    public init(registration: SelectedRegistration, authorityKeyIdentifiers: [Data], isEntitled: Bool) {
      self.registration = registration
      self.authorityKeyIdentifiers = authorityKeyIdentifiers
      self.isEntitled = isEntitled
    }
  }

  /// Its name.
  public let name: String
  /// Whether the person allows it to provide documents. When not, nothing else of the facts counts.
  public let isAuthorized: Bool
  /// Its candidates, in the order of their document identifiers as UTF-8.
  public let candidates: [Candidate]
  /// Of the other registrations the one that came furthest: whose first failure stands last in the order of
  /// ``NearMiss``; among several the one that lasts longest; among several the one with the smallest document identifier
  /// as UTF-8. Nil when there is no other, or the candidates are enough to answer.
  public let nearest: Nearest?

  /// Facts from their parts.
  public init(name: String, isAuthorized: Bool, candidates: [Candidate], nearest: Nearest?) {
    self.name = name
    self.isAuthorized = isAuthorized
    self.candidates = candidates
    self.nearest = nearest
  }
}
