import Certificates
import JSON

/// A website's application to a reader authority.
struct ApplicationBody: Sendable {
  var organization: String
  var domain: String
  var acceptsTerms: Bool
  var registrationNumber: String?
  var brand: BrandBody

  /// The application.
  var application: OnboardingApplication {
    OnboardingApplication(
      organization: organization, domain: domain, acceptsTerms: acceptsTerms,
      registrationNumber: registrationNumber, brand: brand.brand)
  }
}

extension ApplicationBody {
  init(_ application: OnboardingApplication) {
    organization = application.organization
    domain = application.domain
    acceptsTerms = application.acceptsTerms
    registrationNumber = application.registrationNumber
    brand = BrandBody(application.brand)
  }
}

extension ApplicationBody: JSONObject {
  static let json = JSONForm<Self>(
    Self.init, Member("organization", \.organization), Member("domain", \.domain),
    Member("acceptsTerms", \.acceptsTerms), Member(optional: "registrationNumber", \.registrationNumber),
    Member("brand", \.brand))
}

/// A brand for review.
struct BrandBody: Sendable {
  var name: String
  var icon: String

  /// The brand.
  var brand: BrandIdentity { BrandIdentity(name: name, icon: icon) }
}

extension BrandBody {
  init(_ brand: BrandIdentity) {
    name = brand.name
    icon = brand.icon
  }
}

extension BrandBody: JSONObject {
  static let json = JSONForm<Self>(Self.init, Member("name", \.name), Member("icon", \.icon))
}

/// The state of a website's application, with the token that its domain must serve.
struct AccountBody: Sendable {
  var status: OnboardingStatus
  var token: String?
}

extension AccountBody: JSONObject {
  static let json = JSONForm<Self>(Self.init, Member("status", \.status), Member(optional: "token", \.token))
}
