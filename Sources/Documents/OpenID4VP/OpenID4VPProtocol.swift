/// The protocols of OpenID4VP 1.0 over the Digital Credentials API (OpenID4VP, A.1). The identifier, not the content, decides
/// how a request is read.
public enum OpenID4VPProtocol: String, Sendable, CaseIterable {
  /// The parameters themselves.
  case unsigned = "openid4vp-v1-unsigned"
  /// One signature over the parameters.
  case signed = "openid4vp-v1-signed"
  /// Several signatures over the same parameters.
  case multisigned = "openid4vp-v1-multisigned"

  /// Finds a protocol by its identifier, which is compared exactly; nil for every other one.
  public init?(identifier: String) {
    // The identifiers are ASCII, which no other text is equivalent to.
    self.init(rawValue: identifier)
  }

  /// Identifiers of drafts, which wallets and pages in use still send.
  package static let draftIdentifiers = ["openid4vp", "urn:openid.net:oid4vp"]
}

/// The error codes of a response (OpenID4VP, 8.5; RFC 6749, 4.1.2.1).
public enum PresentationErrorCode: String, Sendable, CaseIterable {
  /// The request is malformed, is for another origin, or breaks the rule of its client identifier.
  case invalidRequest = "invalid_request"
  /// The metadata of the client conflict with those that the wallet knows.
  case invalidClient = "invalid_client"
  /// No credential matches, or the holder declined.
  case accessDenied = "access_denied"
  /// None of the requested formats is supported.
  case formatsNotSupported = "vp_formats_not_supported"
  /// A transaction is malformed or of an unknown type.
  case invalidTransactionData = "invalid_transaction_data"
  /// The client may not ask.
  case unauthorizedClient = "unauthorized_client"
  /// Another response type than `vp_token`.
  case unsupportedResponseType = "unsupported_response_type"
  /// The wallet failed.
  case serverError = "server_error"
  /// The wallet is busy.
  case temporarilyUnavailable = "temporarily_unavailable"

  /// The statement that a wallet makes with the code.
  package var meaning: String {
    switch self {
    case .invalidRequest: "the request is not valid or is for another origin"
    case .invalidClient: "it knows other metadata of this website"
    case .accessDenied: "no credential matches, or that it may not give one"
    case .formatsNotSupported: "it supports none of the requested formats"
    case .invalidTransactionData: "it does not understand the transaction"
    case .unauthorizedClient: "this website may not ask"
    case .unsupportedResponseType: "it does not support the response type"
    case .serverError: "it failed"
    case .temporarilyUnavailable: "it is busy"
    }
  }
}

/// The way in which a response is returned (OpenID4VP, A.2).
public enum ResponseMode: String, Sendable, CaseIterable {
  /// As JSON.
  case plain = "dc_api"
  /// As encrypted JSON.
  case encrypted = "dc_api.jwt"
}

/// Limits of a request and its query, each with its reason. Requests are untrusted input, and no text of OpenID4VP 1.0 sets
/// limits.
public enum OpenID4VPLimits {
  /// The longest request in bytes: as of annex C, with room for several signatures with certificates.
  public static let requestBytes = 512 << 10
  /// The most credential queries: no one consents to more than a handful of documents at once.
  public static let credentials = 16
  /// The most claims of a credential query: the largest type of documents has fewer than sixty.
  public static let claims = 64
  /// The most sets of claims of a credential query, and the most identifiers of one.
  public static let claimSets = 32
  /// The most sets of credentials: each is a choice that the person has to understand.
  public static let credentialSets = 16
  /// The most options of a set, each of which is tried.
  public static let options = 32
  /// The most choices of options by which an answer is explained: those of real requests are a handful.
  static let optionTries = 1000
  /// The most values of a claim, types of a credential or authorities: each is compared.
  public static let values = 64
  /// The longest identifier, name of a format or type of an authority in bytes.
  public static let identifierBytes = 256
  /// The longest nonce in bytes. Real ones have fewer than 100.
  public static let nonceBytes = 1024
  /// The most expected origins.
  public static let origins = 64
  /// The most keys for the response.
  public static let keys = 16
  /// The most presentations of an answer: each costs the verification of several signatures.
  public static let presentations = 32
  /// The most entries of `transaction_data` and of `verifier_info`.
  public static let entries = 16
}
