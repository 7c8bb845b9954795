import CBOR
import Foundation
import MobileDocument

/// What the server gives the page for a new presentment.
package struct BegunPresentment: Codable, Sendable {
  package struct RequestMembers: Codable, Sendable {
    package var deviceRequest: String
    package var encryptionInfo: String
  }

  package var session: String
  package var `protocol`: String
  package var data: RequestMembers
}

/// What the page gives the server: the credential, with the session that it belongs to.
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

/// What the server concluded.
struct VerificationResult: Codable, Sendable {
  struct Document: Codable, Sendable {
    var documentType: String
    var issuer: String?
    var elements: [Element]
  }

  struct Element: Codable, Sendable {
    var nameSpace: String
    var identifier: String
    var value: String
    /// What a page can draw of a picture: its JPEG in base64 (RFC 4648, 4). JPEG 2000, which browsers do not draw, is
    /// left out.
    var picture: String?

    init(_ nameSpace: String, _ identifier: String, _ value: CBORValue) {
      self.nameSpace = nameSpace
      self.identifier = identifier
      self.value = DisplayValue.text(of: value)
      if case .bytes(let bytes) = value, PictureFormat(of: bytes) == .jpeg {
        picture = Data(bytes).base64EncodedString()
      }
    }
  }

  var verdict: String
  var code: String?
  var message: String
  var documents: [Document]
}
