import Checks

/// The checks of a response around its presentations, in the order in which they are made (OpenID4VP, 8 and A.4).
public enum PresentationResponseCheck: CheckFamily {
  case structure, encryptionUse, encryptedForm, keyIdentifier, contentEncryption, decryption, content
  case token, identifiers, count, form

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case malformed, missing, plain, encrypted, unknown, empty, bare
    case tooMany = "too-many"
  }

  /// Checks of the encryption, which a plain response does not have.
  static let ofEncryption: Set<Self> = [.encryptedForm, .keyIdentifier, .contentEncryption, .decryption]

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .structure:
      CheckDefinition(
        "openid4vp.response.structure", "the response is an object with vp_token, response or error",
        "the response is not an object with vp_token, response or error", clause: "OpenID4VP, A.4")
    case .encryptionUse:
      CheckDefinition(
        "openid4vp.response.mode", "the response is encrypted if the request asked for it", clause: "OpenID4VP, 8.3",
        [
          .failure(Reason.plain, "the response is not encrypted, although the request asked for it"),
          .failure(Reason.encrypted, "the response is encrypted, although the request asked for a plain one"),
        ])
    case .encryptedForm:
      CheckDefinition(
        "openid4vp.response.encrypted-form", "the encrypted response is a compact JWE with ECDH-ES",
        "the encrypted response is not a compact JWE with ECDH-ES", clause: "OpenID4VP, 8.3; RFC 7516, 5.2")
    case .keyIdentifier:
      CheckDefinition(
        "openid4vp.response.key", "the response is encrypted to this session's key", clause: "OpenID4VP, 8.3",
        [
          .failure(Reason.missing, "the response does not name the key"),
          .failure(Reason.unknown, "the response is encrypted to another key than this session's"),
        ])
    case .contentEncryption:
      CheckDefinition(
        "openid4vp.response.encryption", "the content encryption is one that the request listed",
        "the content encryption is none that the request listed", clause: "OpenID4VP, 8.3; RFC 8725, 3.2")
    case .decryption:
      CheckDefinition(
        "openid4vp.response.decryption", "the response decrypts with this session's key",
        "the response cannot be decrypted", clause: "RFC 7516, 5.2")
    case .content:
      CheckDefinition(
        "openid4vp.response.content", "the content is a JSON object without repeated members",
        "the content is not a JSON object without repeated members", clause: "OpenID4VP, 8.3")
    case .token:
      CheckDefinition(
        "openid4vp.response.token", "the token is an object with presentations", clause: "OpenID4VP, 8.1",
        [
          .failure(Reason.malformed, "the token is not an object"),
          .failure(Reason.empty, "the token has no presentation"),
        ])
    case .identifiers:
      CheckDefinition(
        "openid4vp.response.identifiers", "the token answers the credential queries of the request",
        clause: "OpenID4VP, 8.1 and 6.4.2",
        [
          .failure(Reason.unknown, "the token answers a query that the request does not have"),
          .failure(Reason.missing, "the token does not answer what the request requires"),
        ])
    case .count:
      CheckDefinition(
        "openid4vp.response.count", "each answer is an array with as many presentations as the query allows",
        clause: "OpenID4VP, 8.1",
        [
          .failure(Reason.malformed, "an answer is not an array"),
          .tolerance(
            Reason.bare, "an answer is a bare string, as in drafts until 28", seenIn: "Android wallets of 2025"),
          .failure(Reason.empty, "an answer has no presentation"),
          .failure("an answer has several presentations, and the query allows one"),
          .failure(Reason.tooMany, "an answer has more than \(OpenID4VPLimits.presentations) presentations"),
        ])
    case .form:
      CheckDefinition(
        "openid4vp.response.form", "each presentation is a string", "a presentation is not a string",
        clause: "OpenID4VP, B.2 and B.3")
    }
  }
}

/// A response that a check refuses.
public typealias PresentationResponseFailure = CheckFailure<PresentationResponseCheck>
