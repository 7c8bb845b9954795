import DigitalCredentials
import JSON
import RelyingParty
import SimulationKernel
import WebPresentment

/// The server's reply to a page that begins a presentment.
package struct BegunPresentment: Sendable {
  /// A request for one call of the API.
  package struct Request: Sendable, JSONObject {
    package var `protocol`: String
    package var data: JSONValue

    package init(protocol: String, data: JSONValue) { (self.protocol, self.data) = (`protocol`, data) }

    package init(protocol: String, data: RequestData) { self.init(protocol: `protocol`, data: data.value) }

    package static let json = JSONForm<Self>(Self.init, Member("protocol", \.protocol), Member("data", \.data))
  }

  package var session: String
  /// The requests in the page's order, at least one.
  package var requests: [Request]

  package init(session: String, requests: [Request]) { (self.session, self.requests) = (session, requests) }

  package init(session: String, protocol: String, data: RequestData) {
    self.init(session: session, requests: [Request(protocol: `protocol`, data: data)])
  }

  /// The place of the request for mobile documents.
  private var place: Int? { requests.firstIndex { RequestData(value: $0.data) != nil } }

  /// The request for mobile documents; nil without one.
  package var mobileDocuments: RequestData? { place.flatMap { RequestData(value: requests[$0].data) } }

  /// Changes the request for mobile documents.
  /// - Throws: `SimulationError` without one; the change's error.
  package mutating func changeMobileDocuments(_ change: (inout RequestData) throws -> Void) throws {
    guard let place, var data = mobileDocuments else {
      throw SimulationError.notApplicable("the page does not ask for mobile documents")
    }
    try change(&data)
    requests[place].data = data.value
  }
}

extension BegunPresentment: JSONObjectWritable, JSONReadable {
  /// One request has its members beside the session, and several are a list.
  package func writeMembers(to json: inout JSONWriter) {
    if requests.count == 1, let request = requests.first {
      json.member("data", request.data)
      json.member("protocol", request.protocol)
    } else {
      json.member("requests", requests)
    }
    json.member("session", session)
  }

  package init(json: JSONItem) throws(JSONError) {
    session = try json.member("session")
    if let list = try json.optionalMember("requests") as [Request]? {
      guard !list.isEmpty else { throw json.error("there is no request") }
      requests = list
    } else {
      requests = [try Request(json: json)]
    }
  }
}

extension RequestData {
  /// The data as a value.
  fileprivate var value: JSONValue {
    JSONValue(members: [("deviceRequest", .string(deviceRequest)), ("encryptionInfo", .string(encryptionInfo))])
  }

  fileprivate init?(value: JSONValue) {
    guard let request = value.member("deviceRequest")?.text, let info = value.member("encryptionInfo")?.text else {
      return nil
    }
    self.init(deviceRequest: request, encryptionInfo: info)
  }
}

/// The page's message with the credential and its session.
package struct SubmittedResponse: Sendable, JSONObject {
  package struct ResponseMembers: Sendable, JSONObject {
    package var response: String?
    /// The name of ``response`` in an older draft of the standard.
    package var older: String?
    /// `vp_token` of a plain response in OpenID4VP.
    package var token: JSONValue?
    /// `error` of a response in OpenID4VP.
    package var error: String?

    package init(response: String? = nil, older: String? = nil, token: JSONValue? = nil, error: String? = nil) {
      (self.response, self.older, self.token, self.error) = (response, older, token, error)
    }

    package static let json = JSONForm<Self>(
      Self.init, Member(optional: "response", \.response), Member(optional: "Response", \.older),
      Member(optional: "vp_token", \.token), Member(optional: "error", \.error))
  }

  package var session: String
  package var `protocol`: String
  package var data: ResponseMembers

  package init(session: String, protocol: String, data: ResponseMembers) {
    (self.session, self.protocol, self.data) = (session, `protocol`, data)
  }

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
package struct BegunIdentityRequest: Sendable, JSONObject {
  package var session: String
  /// Base64url.
  package var nonce: String
  package var merchantIdentifier: String

  package init(session: String, nonce: String, merchantIdentifier: String) {
    (self.session, self.nonce, self.merchantIdentifier) = (session, nonce, merchantIdentifier)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("session", \.session), Member("nonce", \.nonce),
    Member("merchantIdentifier", \.merchantIdentifier))
}

/// An app's message with the envelope and its session.
package struct SubmittedEnvelope: Sendable, JSONObject {
  package var session: String
  /// `HPKEEnvelope` in base64url.
  package var encryptedData: String

  package init(session: String, encryptedData: String) { (self.session, self.encryptedData) = (session, encryptedData) }

  package static let json = JSONForm<Self>(
    Self.init, Member("session", \.session), Member("encryptedData", \.encryptedData))
}
