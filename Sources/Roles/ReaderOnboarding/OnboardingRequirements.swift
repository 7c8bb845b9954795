import Certificates
import JSON

/// The published requirements of a reader authority for requesters.
public struct OnboardingRequirements: Sendable, Equatable {
  /// The proof that a requester owns its domain.
  public enum DomainProof: String, CaseIterable, Sendable {
    /// The domain's host serves a token of the authority at a well-known path (compare RFC 8555, 8.3).
    case wellKnown = "well-known"
    /// A regulator's register lists the domain with a number, which the requester states.
    case register
  }

  /// The review of a requester's brand.
  public enum BrandReview: String, CaseIterable, Sendable {
    /// The authority decides at once.
    case automatic
    /// The authority's staff decides later, and may ask for changes.
    case staff
    /// The authority certifies no brand.
    case none
  }

  /// The proof that a requester owns its domain.
  public var domainProof = DomainProof.wellKnown
  /// The review of a requester's brand.
  public var brandReview = BrandReview.automatic

  /// The path below which a domain serves the token of a reader authority.
  public static let wellKnownPath = "/.well-known/reader-authority/"

  /// Creates the requirements of an authority that asks for a token and reviews brands automatically.
  public init() {}
}

/// A requester's application to a reader authority.
public struct OnboardingApplication: Sendable, Equatable {
  /// The organization.
  public var organization: String
  /// The domain.
  public var domain: String
  /// True if the requester accepts the authority's terms.
  public var acceptsTerms: Bool
  /// The number in the regulator's register.
  public var registrationNumber: String?
  /// The brand for the consent sheet.
  public var brand: BrandIdentity

  /// Creates an application.
  public init(
    organization: String, domain: String, acceptsTerms: Bool, registrationNumber: String? = nil, brand: BrandIdentity
  ) {
    self.organization = organization
    self.domain = domain
    self.acceptsTerms = acceptsTerms
    self.registrationNumber = registrationNumber
    self.brand = brand
  }
}

/// The state of a requester's case, as the authority reports it.
public enum OnboardingStatus: String, Sendable, JSONWritable, JSONReadable {
  /// The domain must serve the authority's token.
  case challenged
  /// The brand is in review.
  case inReview = "in-review"
  /// The brand must change.
  case changesAsked = "changes-asked"
  /// The review has refused the brand.
  case refused
  /// The requester can request certificates.
  case ready
}

/// The outcome of a brand review.
public enum BrandDecision: String, CaseIterable, Sendable {
  case approves
  case asksForChanges = "asks-for-changes"
  case refuses
}
