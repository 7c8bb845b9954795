import Certificates
import JSON

/// A website's application to a reader authority.
struct ApplicationBody: Sendable {
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

extension ApplicationBody: JSONWritable, JSONReadable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("acceptsTerms", acceptsTerms)
      json.member("brand", brand)
      json.member("domain", domain)
      json.member("organization", organization)
      json.member("registrationNumber", registrationNumber)
    }
  }

  init(json: JSONItem) throws(JSONError) {
    acceptsTerms = try json.member("acceptsTerms")
    brand = try json.member("brand")
    domain = try json.member("domain")
    organization = try json.member("organization")
    registrationNumber = try json.optionalMember("registrationNumber")
  }
}

/// A brand for review.
struct BrandBody: Sendable {
  var name: String
  var icon: String

  init(_ brand: BrandIdentity) {
    name = brand.name
    icon = brand.icon
  }

  /// The brand.
  var brand: BrandIdentity { BrandIdentity(name: name, icon: icon) }
}

extension BrandBody: JSONWritable, JSONReadable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("icon", icon)
      json.member("name", name)
    }
  }

  init(json: JSONItem) throws(JSONError) {
    icon = try json.member("icon")
    name = try json.member("name")
  }
}

/// The state of a website's application, with the token that its domain must serve.
struct AccountBody: Sendable {
  var status: OnboardingStatus
  var token: String?
}

extension AccountBody: JSONWritable, JSONReadable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("status", status)
      json.member("token", token)
    }
  }

  init(json: JSONItem) throws(JSONError) {
    status = try json.member("status")
    token = try json.optionalMember("token")
  }
}
