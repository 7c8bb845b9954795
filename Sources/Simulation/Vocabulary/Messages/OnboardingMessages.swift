import Certificates
import JSON
import ReaderOnboarding

/// The message with a website's application to a reader authority.
extension OnboardingApplication: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("organization", \.organization), Member("domain", \.domain),
    Member("acceptsTerms", \.acceptsTerms), Member(optional: "registrationNumber", \.registrationNumber),
    Member("brand", \.brand))
}

/// The message with a brand for review.
extension BrandIdentity: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("name", \.name), Member("icon", \.icon), Member(optional: "logotype", \.logotype))
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
