/// The server's reply to a page that begins a presentment.
package struct BegunPresentment: Codable, Sendable {
  package struct RequestMembers: Codable, Sendable {
    package var deviceRequest: String
    package var encryptionInfo: String
  }

  package var session: String
  package var `protocol`: String
  package var data: RequestMembers
}

/// The page's message with the credential and its session.
package struct SubmittedResponse: Codable, Sendable {
  package struct ResponseMembers: Codable, Sendable {
    package var response: String?
    /// The name of ``response`` in an older draft of the standard.
    package var older: String?

    private enum CodingKeys: String, CodingKey {
      case response
      case older = "Response"
    }
  }

  package var session: String
  package var `protocol`: String
  package var data: ResponseMembers
}
