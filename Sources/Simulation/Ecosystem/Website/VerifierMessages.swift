import JSON
import RelyingParty
import WebPresentment

/// The server's reply to a page that begins a presentment.
package struct BegunPresentment: Sendable {
  package var session: String
  package var `protocol`: String
  package var data: RequestData
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
  }

  package var session: String
  package var `protocol`: String
  package var data: ResponseMembers
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
struct ReceivedResponse: JSONReadable {
  let session: String
  let answer: SubmittedAnswer

  init(json: JSONItem) throws(JSONError) {
    session = try json.member("session")
    let data = try json.item("data")
    _ = try SubmittedResponse.ResponseMembers(json: data)
    answer = SubmittedAnswer(protocol: try json.member("protocol"), data: data.bytes)
  }
}
