import IdentityDocumentServices
import Primitives

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

  /// Makes an app.
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
      let authorities = registration.supportedAuthorityKeyIdentifiers
      let isEntitled = entitledDocumentTypes.contains { $0.isExactly(registration.mobileDocumentType) }
      guard let failed = criteria.firstFailure(of: selected, authorities: authorities, isEntitled: isEntitled) else {
        let issuers = criteria.issuerKeyIdentifiers.intersection(registration.supportedIssuerKeyIdentifiers)
        candidates.append(AppFacts.Candidate(registration: selected, issuerKeyIdentifiers: issuers))
        continue
      }
      let rank = RegistrationRank(failed.check, selected)
      if let nearest, nearest.rank > rank { continue }
      let facts = AppFacts.Nearest(
        registration: selected, authorityKeyIdentifiers: authorities, isEntitled: isEntitled)
      nearest = (facts, rank)
    }
    candidates.sort { $0.registration.documentIdentifier.precedes($1.registration.documentIdentifier) }
    return AppFacts(
      name: name, isAuthorized: isAuthorized, candidates: candidates,
      nearest: criteria.canAnswer(with: candidates) ? nil : nearest?.facts)
  }
}
