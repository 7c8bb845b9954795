import CrossCheckTrait
import DocumentFixtures
import Primitives
import ReaderOnboarding
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks

@Suite("The application of a website at a reader authority", .crossChecked)
struct OnboardingTests {
  static let brand = BrandIdentity(name: "Rentals", icon: "rentals.svg")

  static func application(_ change: (inout OnboardingApplication) -> Void = { _ in }) -> OnboardingApplication {
    var application = OnboardingApplication(
      organization: "Rentals", domain: "rentals.example", acceptsTerms: true, brand: brand)
    change(&application)
    return application
  }

  static func request(organization: String = "Rentals", domain: String = "rentals.example") throws -> [UInt8] {
    try ReaderCertificateRequest.make(organization: organization, domain: domain, signer: fixedKey(14))
  }

  static func requirements(
    _ proof: OnboardingRequirements.DomainProof = .wellKnown, _ review: OnboardingRequirements.BrandReview = .automatic
  ) -> OnboardingRequirements {
    var requirements = OnboardingRequirements()
    requirements.domainProof = proof
    requirements.brandReview = review
    return requirements
  }

  /// The effects as words: a state, the name of a refusal, or the brand of a certificate.
  static func words(_ effects: [OnboardingCase.Effect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .report(let status): status.rawValue
      case .fetchProof(let domain): "fetch \(domain)"
      case .review(let brand): "review \(brand.name)"
      case .issue(_, let organization, let brand): "issue \(organization) \(brand?.name ?? "no brand")"
      case .refuse(let refusal): refusal.name
      }
    }
  }

  private static func proven(_ review: OnboardingRequirements.BrandReview) -> OnboardingCase {
    var website = OnboardingCase(requirements(.wellKnown, review))
    _ = website.receive(.applied(application(), token: "t"))
    _ = website.receive(.proofFetched("t"))
    return website
  }

  @Test("A website applies, serves the token, and gets certificates")
  func ready() throws {
    var website = OnboardingCase(Self.requirements())
    #expect(website.status == nil && website.token == nil)
    #expect(Self.words(website.receive(.applied(Self.application(), token: "t"))) == ["challenged"])
    #expect(website.token == "t")
    #expect(Self.words(website.receive(.proofAnnounced)) == ["fetch rentals.example"])
    #expect(Self.words(website.receive(.proofFetched("t"))) == ["ready"])
    #expect(website.token == nil)
    for _ in 1...2 {
      #expect(Self.words(website.receive(.certificateRequested(try Self.request()))) == ["issue Rentals Rentals"])
    }
    #expect(Self.words(website.receive(.proofAnnounced)) == ["ready"])
  }

  @Test("A certificate request is refused until every requirement is met")
  func refusals() throws {
    var website = OnboardingCase(Self.requirements(.wellKnown, .staff))
    func requested() throws -> [String] { Self.words(website.receive(.certificateRequested(try Self.request()))) }
    #expect(try requested() == ["reader-authority.account/missing"])
    #expect(Self.words(website.receive(.proofAnnounced)) == ["reader-authority.account/missing"])
    #expect(Self.words(website.receive(.brandSubmitted(Self.brand))) == ["reader-authority.account/missing"])
    let unwilling = Self.application { $0.acceptsTerms = false }
    #expect(Self.words(website.receive(.applied(unwilling, token: "t"))) == ["reader-authority.account/terms"])
    #expect(try requested() == ["reader-authority.account/missing"])
    _ = website.receive(.applied(Self.application(), token: "t"))
    #expect(try requested() == ["reader-authority.domain/unproven"])
    for content in [nil, "", "T"] {
      #expect(Self.words(website.receive(.proofFetched(content))) == ["reader-authority.domain/unproven"])
    }
    #expect(Self.words(website.receive(.proofFetched("t"))) == ["review Rentals", "in-review"])
    #expect(try requested() == ["reader-authority.brand/review"])
    #expect(Self.words(website.receive(.brandReviewed(.asksForChanges))) == ["changes-asked"])
    #expect(try requested() == ["reader-authority.brand/changes"])
    #expect(Self.words(website.receive(.brandSubmitted(Self.brand))) == ["review Rentals", "in-review"])
    #expect(Self.words(website.receive(.brandReviewed(.refuses))) == ["refused"])
    #expect(try requested() == ["reader-authority.brand/refused"])
  }

  @Test("A certificate is issued for the proven domain and the organization of the account alone")
  func otherNames() throws {
    var website = Self.proven(.automatic)
    #expect(
      Self.words(website.receive(.certificateRequested(try Self.request(domain: "other.example"))))
        == ["reader-authority.domain/differs"])
    #expect(
      Self.words(website.receive(.certificateRequested(try Self.request(organization: "Others"))))
        == ["reader-authority.brand/organization"])
    #expect(Self.words(website.receive(.certificateRequested([0x30]))) == ["reader-authority.request/malformed"])
  }

  @Test("A regulator's number proves the domain that the register lists")
  func register() throws {
    let requirements = Self.requirements(.register, .none)
    for (number, words) in [
      (nil, ["reader-authority.register/number"]), ("R-2", ["reader-authority.register/number"]),
      ("R-3", ["reader-authority.register/differs"]), ("R-1", ["ready"]),
    ] {
      var website = OnboardingCase(requirements, register: ["R-1": "rentals.example", "R-3": "other.example"])
      let application = Self.application { $0.registrationNumber = number }
      #expect(Self.words(website.receive(.applied(application, token: "t"))) == words)
      guard number == "R-1" else { continue }
      #expect(website.token == nil)
      #expect(Self.words(website.receive(.certificateRequested(try Self.request()))) == ["issue Rentals no brand"])
    }
  }

  @Test("A second application continues the first; one for another domain begins again")
  func applicationsAgain() {
    var website = Self.proven(.automatic)
    #expect(Self.words(website.receive(.applied(Self.application(), token: "u"))) == ["ready"])
    let other = Self.application { $0.domain = "other.example" }
    #expect(Self.words(website.receive(.applied(other, token: "u"))) == ["challenged"])
  }

  @Test("A settled application is decided before it begins")
  func settled() throws {
    var approved = OnboardingCase(settled: "rentals.example", organization: "Rentals", brand: Self.brand)
    #expect(Self.words(approved.receive(.certificateRequested(try Self.request()))) == ["issue Rentals Rentals"])
    var refused = OnboardingCase(settled: "rentals.example", organization: "Rentals", brand: nil)
    #expect(
      Self.words(refused.receive(.certificateRequested(try Self.request()))) == ["reader-authority.brand/refused"])
  }
}

@Suite("Lists of revoked reader certificates", .crossChecked)
struct IssuedRevocationListTests {
  private static let start = DateTime(secondsSince1970: 1_757_955_600)

  private static func terms(_ serial: UInt8) -> CertificateAuthority.Terms {
    CertificateAuthority.Terms(
      from: start, until: start.adding(days: 400), serialNumber: [UInt8](repeating: serial, count: 16))
  }

  @Test("A list is read as it was issued, and is signed by its issuer", arguments: [0, 1, 3])
  func roundTrip(_ count: Int) throws {
    let authority = try CertificateAuthority(
      name: CertificateName(commonName: "Reader Root"), contact: "https://authority.example",
      terms: Self.terms(9), signer: try fixedKey(21))
    let readers = try (0..<4).map { index in
      try authority.reader(
        name: CertificateName(commonName: "rentals.example"), domain: "rentals.example", brand: nil,
        publicKey: Certificate.PublicKey(try fixedKey(14).publicKey),
        revocationList: "https://authority.example/crl", terms: Self.terms(UInt8(index) | 0x80))
    }
    let until = Self.start.adding(days: 10_000)
    let der = try authority.revocationList(
      readers.prefix(count).map { .init(serialNumber: $0.serialNumber, date: Self.start) }, number: 300,
      from: Self.start, until: until)
    let list = try CertificateRevocationList(derEncoded: der)
    #expect(list.version == 2 && list.thisUpdate == Self.start && list.nextUpdate == until)
    #expect(try list.isSigned(by: authority.root) && list.entries.count == count && list.extensions.count == 2)
    for (index, reader) in readers.enumerated() {
      #expect((list.entry(of: reader) != nil) == (index < count))
      #expect(reader.revocationListLocations == ["https://authority.example/crl"])
    }
    #expect(try authority.root.revocationListLocations.isEmpty)
  }
}
