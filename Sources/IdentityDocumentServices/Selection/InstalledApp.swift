/// An app on a device with everything that it registered.
public struct InstalledApp: Sendable, Equatable {
  /// Its name.
  public let name: String
  /// Whether the person allows it to provide documents.
  public let isAuthorized: Bool
  /// Document types of its entitlement.
  public let entitledDocumentTypes: [String]
  /// Its registrations, in any order.
  public let registrations: [MobileDocumentRegistration]

  /// An app from its parts.
  public init(
    name: String, isAuthorized: Bool, entitledDocumentTypes: [String], registrations: [MobileDocumentRegistration]
  ) {
    self.name = name
    self.isAuthorized = isAuthorized
    self.entitledDocumentTypes = entitledDocumentTypes
    self.registrations = registrations
  }

  /// What the selection has to know of the app, found by looking at each registration.
  public func facts(for criteria: SelectionCriteria) -> AppFacts {
    var candidates: [MobileDocumentRegistration] = []
    var nearest: (AppFacts.Nearest, rank: NearMiss.Rank)?
    for registration in registrations {
      let isEntitled = entitledDocumentTypes.contains { $0.isSameText(as: registration.mobileDocumentType) }
      guard let reason = criteria.firstFailure(of: registration, isEntitled: isEntitled) else {
        candidates.append(registration)
        continue
      }
      let rank = NearMiss.Rank(reason, registration)
      if let nearest, nearest.rank > rank { continue }
      nearest = (AppFacts.Nearest(registration: registration, isEntitled: isEntitled), rank)
    }
    candidates.sort { $0.documentIdentifier.precedes($1.documentIdentifier) }
    return AppFacts(name: name, isAuthorized: isAuthorized, candidates: candidates, nearest: nearest?.0)
  }
}
