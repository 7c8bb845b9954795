import Certificates
import Checks

/// A requester's case at a reader authority: from the application to the certificates. A machine without clock, network
/// and randomness: the token, the content of the well-known file and the decisions of the staff come in as events.
///
/// ```
/// applied --terms, register--> challenged --token found at the domain--> in review --approved--> ready
///                                                                          |  ^
///                                                                 changes asked, and a new brand
/// ready --certificate request--> certificate, as often as the requester asks
/// ```
public struct OnboardingCase: Sendable {
  /// An event of a case.
  public enum Event: Sendable {
    /// The requester applies, for the first time or again. The token is a new one.
    case applied(OnboardingApplication, token: String)
    /// The requester says that its domain serves the token.
    case proofAnnounced
    /// The content of the well-known file; nil if the domain does not serve it.
    case proofFetched(String?)
    /// The requester submits another brand.
    case brandSubmitted(BrandIdentity)
    /// The authority's staff has decided about the brand.
    case brandReviewed(BrandDecision)
    /// The requester sends a certificate request in DER.
    case certificateRequested([UInt8])
  }

  /// An action that an event leads to.
  public enum Effect: Sendable {
    /// Reports the state to the requester.
    case report(OnboardingStatus)
    /// Fetches the well-known file of a domain.
    case fetchProof(domain: String)
    /// Lets the staff review a brand.
    case review(BrandIdentity)
    /// Issues a certificate for the request; without a brand if the authority certifies none.
    case issue(ReaderCertificateRequest, organization: String, brand: BrandIdentity?)
    /// Refuses the newest message of the requester.
    case refuse(ReaderCertificateRequest.Refusal)
  }

  private enum Brand: Sendable {
    case submitted(BrandIdentity)
    case approved(BrandIdentity)
    case changesAsked
    case refused
    case notCertified
  }

  private let requirements: OnboardingRequirements
  /// The domain of each number in the regulator's register.
  private let register: [String: String]
  /// True if an automatic review refuses the brand.
  private let refusesBrand: Bool
  private var application: OnboardingApplication?
  /// The token that the domain must serve, until it does.
  public private(set) var token: String?
  private var isDomainProven = false
  private var brand = Brand.refused

  /// Creates the case of a requester that has not applied.
  ///
  /// - Parameters:
  ///   - register: The domain of each number in the regulator's register.
  ///   - refusesBrand: True if an automatic review refuses the requester's brand.
  public init(_ requirements: OnboardingRequirements, register: [String: String] = [:], refusesBrand: Bool = false) {
    self.requirements = requirements
    self.register = register
    self.refusesBrand = refusesBrand
  }

  /// Creates the case of a requester whose domain is proven and whose brand is reviewed.
  /// - Parameter brand: The approved brand; nil if the review has refused it.
  public init(settled domain: String, organization: String, brand: BrandIdentity?) {
    self.init(OnboardingRequirements())
    application = OnboardingApplication(
      organization: organization, domain: domain, acceptsTerms: true, brand: brand ?? BrandIdentity(name: "", icon: ""))
    isDomainProven = true
    self.brand = brand.map(Brand.approved) ?? .refused
  }

  /// The state of the case; nil before an application.
  public var status: OnboardingStatus? {
    guard application != nil else { return nil }
    guard isDomainProven else { return .challenged }
    return switch brand {
    case .submitted: .inReview
    case .changesAsked: .changesAsked
    case .refused: .refused
    case .approved, .notCertified: .ready
    }
  }

  /// Receives an event.
  public mutating func receive(_ event: Event) -> [Effect] {
    do throws(ReaderCertificateRequest.Refusal) {
      switch event {
      case .applied(let application, let token): return try apply(application, token)
      case .proofAnnounced:
        let application = try account()
        guard !isDomainProven else { break }
        return [.fetchProof(domain: application.domain)]
      case .proofFetched(let content):
        guard let token, content == token else { throw ReaderCertificateRequest.Refusal(.domain, .unproven) }
        self.token = nil
        isDomainProven = true
        if case .submitted(let brand) = brand { return submit(brand) }
      case .brandSubmitted(let brand):
        _ = try account()
        return submit(brand)
      case .brandReviewed(let decision):
        guard case .submitted(let brand) = brand else { break }
        decide(decision, brand)
      case .certificateRequested(let bytes): return try issue(bytes)
      }
      return status.map { [.report($0)] } ?? []
    } catch {
      return [.refuse(error)]
    }
  }

  private func account() throws(ReaderCertificateRequest.Refusal) -> OnboardingApplication {
    guard let application else { throw ReaderCertificateRequest.Refusal(.account, .missing) }
    return application
  }

  private mutating func apply(
    _ application: OnboardingApplication, _ token: String
  ) throws(ReaderCertificateRequest.Refusal) -> [Effect] {
    // A requester that applies again continues its case, unless it is another organization or domain.
    if let known = self.application, known.organization == application.organization,
      known.domain == application.domain
    {
      return status.map { [.report($0)] } ?? []
    }
    guard application.acceptsTerms else { throw ReaderCertificateRequest.Refusal(.account, .terms) }
    if requirements.domainProof == .register {
      guard let domain = application.registrationNumber.flatMap({ register[$0] }) else {
        throw ReaderCertificateRequest.Refusal(.register, .number)
      }
      guard domain == application.domain else {
        throw ReaderCertificateRequest.Refusal(
          .register, .differs, evidence: .field("domain", expected: domain, found: application.domain))
      }
    }
    self.application = application
    isDomainProven = requirements.domainProof == .register
    self.token = isDomainProven ? nil : token
    return submit(application.brand)
  }

  /// Reviews a brand. The review begins after the domain is proven.
  private mutating func submit(_ brand: BrandIdentity) -> [Effect] {
    self.brand = .submitted(brand)
    guard isDomainProven else { return [.report(.challenged)] }
    switch requirements.brandReview {
    case .none: self.brand = .notCertified
    case .automatic: decide(refusesBrand ? .refuses : .approves, brand)
    case .staff: return [.review(brand), .report(.inReview)]
    }
    return status.map { [.report($0)] } ?? []
  }

  private mutating func decide(_ decision: BrandDecision, _ brand: BrandIdentity) {
    switch decision {
    case .approves: self.brand = .approved(brand)
    case .asksForChanges: self.brand = .changesAsked
    case .refuses: self.brand = .refused
    }
  }

  private func issue(_ bytes: [UInt8]) throws(ReaderCertificateRequest.Refusal) -> [Effect] {
    let application = try account()
    let request = try ReaderCertificateRequest(bytes)
    guard isDomainProven else { throw ReaderCertificateRequest.Refusal(.domain, .unproven) }
    guard request.domain == application.domain else {
      throw ReaderCertificateRequest.Refusal(
        .domain, .differs, evidence: .field("domain", expected: application.domain, found: request.domain))
    }
    guard request.organization == application.organization else {
      throw ReaderCertificateRequest.Refusal(.brand, .organization)
    }
    switch brand {
    case .submitted: throw ReaderCertificateRequest.Refusal(.brand, .review)
    case .changesAsked: throw ReaderCertificateRequest.Refusal(.brand, .changes)
    case .refused: throw ReaderCertificateRequest.Refusal(.brand, .refused)
    case .approved(let brand): return [.issue(request, organization: application.organization, brand: brand)]
    case .notCertified: return [.issue(request, organization: application.organization, brand: nil)]
    }
  }
}
