import Checks

/// The checks of a response, in the order in which they are made (OpenID4VP, 8 and A.4): those around its presentations,
/// those of each verified presentation against its query, and those of the whole exchange.
public enum PresentationResponseCheck: CheckFamily {
  case structure, error, encryptionUse, encryptedForm, keyIdentifier, contentEncryption, decryption, content
  case token, identifiers, count, form
  case documents, query, surplus
  case transactions, profile

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case malformed, missing, plain, encrypted, unknown, empty, bare
    case tooMany = "too-many"
    case anotherSession = "another-session"
    case format, type, authority, claim, several, surplus, encryptions
    case holderBinding = "holder-binding"
    case clientIdentifier = "client-identifier"
    case invalidRequest = "invalid-request"
    case invalidClient = "invalid-client"
    case accessDenied = "access-denied"
    case formatsNotSupported = "formats-not-supported"
    case invalidTransactionData = "invalid-transaction-data"
    case unauthorizedClient = "unauthorized-client"
    case unsupportedResponseType = "unsupported-response-type"
    case serverError = "server-error"
    case temporarilyUnavailable = "temporarily-unavailable"

    /// The reason of an answer with an error code: `vp_formats_not_supported` is `formats-not-supported`.
    package init?(_ code: PresentationErrorCode) {
      self.init(rawValue: code.rawValue.replacing(/^vp_/, with: "").replacing("_", with: "-"))
    }
  }

  /// Checks of the encryption, which a plain response does not have.
  private static let ofEncryption: Set<Self> = [
    .encryptedForm, .keyIdentifier, .contentEncryption, .decryption, .content,
  ]

  /// Returns the checks around the presentations.
  package static func ofToken(isEncrypted: Bool) -> [Self] {
    allCases.prefix { $0 != .documents }.filter { isEncrypted || !ofEncryption.contains($0) }
  }
  /// The checks of a verified presentation against its query.
  package static let ofPresentation: [Self] = [.documents, .query, .surplus]
  /// Returns the checks of the whole exchange.
  package static func ofExchange(hasTransactions: Bool) -> [Self] {
    (hasTransactions ? [.transactions] : []) + [.profile]
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .structure:
      CheckDefinition(
        "openid4vp.response.structure", "the response is an object with vp_token, response or error",
        "the response is not an object with vp_token, response or error", clause: "OpenID4VP, A.4")
    case .error:
      CheckDefinition(
        "openid4vp.response.error", "the wallet answers with presentations", clause: "OpenID4VP, 8.5 and A.4",
        [.failure("the wallet answers with an error that OpenID4VP does not name")]
          + PresentationErrorCode.allCases.compactMap { code in
            Reason(code).map { .failure($0, "the wallet answers that \(code.meaning)") }
          })
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
          .failure(Reason.anotherSession, "the response answers another session of this website"),
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
          .deviation(Reason.surplus, "the token answers more than one option of each set of credentials"),
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
    case .documents:
      CheckDefinition(
        "openid4vp.response.documents", "an mdoc presentation is a device response with one document",
        clause: "OpenID4VP, B.2; HAIP, 5.3",
        [
          .failure(Reason.malformed, "an mdoc presentation is not base64url"),
          .failure(Reason.empty, "an mdoc presentation has no document"),
          .deviation(Reason.several, "an mdoc presentation has several documents"),
        ])
    case .query:
      CheckDefinition(
        "openid4vp.response.query", "each presentation answers its credential query", clause: "OpenID4VP, 8.6 and 14.9",
        [
          .failure(Reason.format, "a presentation has another format than its query asks for"),
          .failure(Reason.type, "a presentation is of another type than its query asks for"),
          .failure(Reason.holderBinding, "a presentation is not bound to a key of the holder"),
          .failure(Reason.authority, "a presentation's issuer belongs to none of the accepted authorities"),
          .failure(Reason.claim, "a presentation lacks a claim, or has another value than the accepted ones"),
        ])
    case .surplus:
      CheckDefinition(
        "openid4vp.response.surplus", "no presentation discloses more than its query asks for",
        clause: "OpenID4VP, 6.4.1",
        [.deviation(Reason.claim, "a presentation discloses claims that its query does not ask for")])
    case .transactions:
      CheckDefinition(
        "openid4vp.response.transactions", "the holder agreed to each requested transaction",
        "no credential of the answer has the holder's signature of a requested transaction",
        clause: "OpenID4VP, 5.1 and 8.4"
      )
    case .profile:
      CheckDefinition(
        "openid4vp.response.haip", "the exchange follows HAIP, if the policy is strict", clause: "HAIP, 5",
        [
          .failure(Reason.plain, "the request asked for a plain response, and HAIP demands an encrypted one"),
          .failure(Reason.encryptions, "the request did not list A128GCM and A256GCM, which HAIP demands"),
          .failure(Reason.clientIdentifier, "the request's client identifier is not of the prefix x509_hash"),
        ])
    }
  }
}

/// A response that a check refuses.
public typealias PresentationResponseFailure = CheckFailure<PresentationResponseCheck>
