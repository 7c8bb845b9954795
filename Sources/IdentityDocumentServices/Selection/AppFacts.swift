/// What the selection has to know of an app. It is little, however many registrations the app has, so that an index can
/// give it.
public struct AppFacts: Sendable, Equatable {
  /// A registration that is no candidate.
  public struct Nearest: Sendable, Equatable {
    /// The registration.
    public let registration: MobileDocumentRegistration
    /// Whether the app's entitlement lists its type.
    public let isEntitled: Bool

    /// A registration from its parts.
    public init(registration: MobileDocumentRegistration, isEntitled: Bool) {
      self.registration = registration
      self.isEntitled = isEntitled
    }
  }

  /// Its name.
  public let name: String
  /// Whether the person allows it to provide documents. When not, nothing else of the facts counts.
  public let isAuthorized: Bool
  /// The registrations for which ``SelectionCriteria/firstFailure(of:isEntitled:)`` finds nothing, in the order of their
  /// document identifiers as UTF-8.
  public let candidates: [MobileDocumentRegistration]
  /// Of the other registrations the one that came furthest: whose first failure stands last in the order of
  /// ``NearMiss``; among several the one that lasts longest; among several the one with the smallest document identifier
  /// as UTF-8. Nil when there is no other.
  public let nearest: Nearest?

  /// Facts from their parts.
  public init(
    name: String, isAuthorized: Bool, candidates: [MobileDocumentRegistration], nearest: Nearest?
  ) {
    self.name = name
    self.isAuthorized = isAuthorized
    self.candidates = candidates
    self.nearest = nearest
  }
}
