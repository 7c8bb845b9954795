import Certificates

/// A website's application to a reader authority.
struct ApplicationBody: Codable, Sendable {
  var organization: String
  var domain: String
  var acceptsTerms: Bool
  var registrationNumber: String?
  var brand: BrandBody

  init(_ application: OnboardingApplication) {
    organization = application.organization
    domain = application.domain
    acceptsTerms = application.acceptsTerms
    registrationNumber = application.registrationNumber
    brand = BrandBody(application.brand)
  }

  /// The application.
  var application: OnboardingApplication {
    OnboardingApplication(
      organization: organization, domain: domain, acceptsTerms: acceptsTerms,
      registrationNumber: registrationNumber, brand: brand.brand)
  }
}

/// A brand for review.
struct BrandBody: Codable, Sendable {
  var name: String
  var icon: String

  init(_ brand: BrandIdentity) {
    name = brand.name
    icon = brand.icon
  }

  /// The brand.
  var brand: BrandIdentity { BrandIdentity(name: name, icon: icon) }
}

/// The state of a website's application, with the token that its domain must serve.
struct AccountBody: Codable, Sendable {
  var status: OnboardingStatus
  var token: String?
}
