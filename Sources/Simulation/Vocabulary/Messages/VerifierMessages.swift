import JSON
import RelyingParty
import WebPresentment

/// The server's reply to a page that begins a presentment.
package struct BegunPresentment: Sendable {
  package var session: String
  package var `protocol`: String
  package var data: RequestData

  package init(session: String, protocol: String, data: RequestData) {
    (self.session, self.protocol, self.data) = (session, `protocol`, data)
  }
}

extension BegunPresentment: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("session", \.session), Member("protocol", \.protocol), Member("data", \.data))
}

/// The page's message with the credential and its session.
package struct SubmittedResponse: Sendable {
  package struct ResponseMembers: Sendable {
    package var response: String?
    /// The name of ``response`` in an older draft of the standard.
    package var older: String?

    package init(response: String? = nil, older: String? = nil) { (self.response, self.older) = (response, older) }
  }

  package var session: String
  package var `protocol`: String
  package var data: ResponseMembers

  package init(session: String, protocol: String, data: ResponseMembers) {
    (self.session, self.protocol, self.data) = (session, `protocol`, data)
  }
}

extension SubmittedResponse.ResponseMembers: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member(optional: "response", \.response), Member(optional: "Response", \.older))
}

extension SubmittedResponse: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("session", \.session), Member("protocol", \.protocol), Member("data", \.data))
}

/// The page's message as the server reads it, with the credential's data as received.
package struct ReceivedResponse: JSONReadable {
  package let session: String
  package let answer: SubmittedAnswer

  package init(json: JSONItem) throws(JSONError) {
    session = try json.member("session")
    let data = try json.item("data")
    _ = try SubmittedResponse.ResponseMembers(json: data)
    answer = SubmittedAnswer(protocol: try json.member("protocol"), data: data.bytes)
  }
}

/// The server's reply to an app that begins a request.
package struct BegunIdentityRequest: Sendable {
  package var session: String
  /// Base64url.
  package var nonce: String
  package var merchantIdentifier: String

  package init(session: String, nonce: String, merchantIdentifier: String) {
    (self.session, self.nonce, self.merchantIdentifier) = (session, nonce, merchantIdentifier)
  }
}

extension BegunIdentityRequest: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("session", \.session), Member("nonce", \.nonce),
    Member("merchantIdentifier", \.merchantIdentifier))
}

/// An app's message with the envelope and its session.
package struct SubmittedEnvelope: Sendable {
  package var session: String
  /// `HPKEEnvelope` in base64url.
  package var encryptedData: String

  package init(session: String, encryptedData: String) { (self.session, self.encryptedData) = (session, encryptedData) }
}

extension SubmittedEnvelope: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("session", \.session), Member("encryptedData", \.encryptedData))
}
