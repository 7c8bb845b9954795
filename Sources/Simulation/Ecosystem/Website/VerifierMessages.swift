import JSON
import RelyingParty

/// The server's reply to a page that begins a presentment.
package struct BegunPresentment: Sendable {
  package struct RequestMembers: Sendable {
    package var deviceRequest: String
    package var encryptionInfo: String
  }

  package var session: String
  package var `protocol`: String
  package var data: RequestMembers
}

extension BegunPresentment.RequestMembers: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("deviceRequest", deviceRequest)
      json.member("encryptionInfo", encryptionInfo)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    deviceRequest = try json.member("deviceRequest")
    encryptionInfo = try json.member("encryptionInfo")
  }
}

extension BegunPresentment: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("data", data)
      json.member("protocol", `protocol`)
      json.member("session", session)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    data = try json.member("data")
    `protocol` = try json.member("protocol")
    session = try json.member("session")
  }
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

extension SubmittedResponse.ResponseMembers: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("Response", older)
      json.member("response", response)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    older = try json.optionalMember("Response")
    response = try json.optionalMember("response")
  }
}

extension SubmittedResponse: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("data", data)
      json.member("protocol", `protocol`)
      json.member("session", session)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    data = try json.member("data")
    `protocol` = try json.member("protocol")
    session = try json.member("session")
  }
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
