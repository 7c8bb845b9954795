import Certificates
import JSON
import ReaderOnboarding

/// A website's application to a reader authority.
package struct ApplicationBody: Sendable, JSONObject {
  var organization: String
  var domain: String
  var acceptsTerms: Bool
  var registrationNumber: String?
  var brand: BrandBody

  /// The application.
  package var application: OnboardingApplication {
    OnboardingApplication(
      organization: organization, domain: domain, acceptsTerms: acceptsTerms,
      registrationNumber: registrationNumber, brand: brand.brand)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("organization", \.organization), Member("domain", \.domain),
    Member("acceptsTerms", \.acceptsTerms), Member(optional: "registrationNumber", \.registrationNumber),
    Member("brand", \.brand))
}

extension ApplicationBody {
  package init(_ application: OnboardingApplication) {
    organization = application.organization
    domain = application.domain
    acceptsTerms = application.acceptsTerms
    registrationNumber = application.registrationNumber
    brand = BrandBody(application.brand)
  }
}

/// A brand for review.
package struct BrandBody: Sendable, JSONObject {
  var name: String
  var icon: String
  var logotype: Logotype?

  /// The brand.
  package var brand: BrandIdentity { BrandIdentity(name: name, icon: icon, logotype: logotype) }

  package static let json = JSONForm<Self>(
    Self.init, Member("name", \.name), Member("icon", \.icon), Member(optional: "logotype", \.logotype))
}

extension BrandBody {
  package init(_ brand: BrandIdentity) {
    name = brand.name
    icon = brand.icon
    logotype = brand.logotype
  }
}

/// A picture is written as its `data` URL.
extension Logotype: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) { json.string(url) }

  package init(json: JSONItem) throws(JSONError) {
    let url = try json.text()
    do {
      try self.init(url: url)
    } catch {
      throw json.error(error.message)
    }
  }
}

/// The state of a website's application, with the token that its domain must serve.
package struct AccountBody: Sendable, JSONObject {
  package var status: OnboardingStatus
  package var token: String?

  package init(status: OnboardingStatus, token: String? = nil) { (self.status, self.token) = (status, token) }

  package static let json = JSONForm<Self>(Self.init, Member("status", \.status), Member(optional: "token", \.token))
}
