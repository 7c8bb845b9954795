import Checks

/// The checks of a request, in the order in which they are made (OpenID4VP, 5, 5.9 and A; RFC 8725). The first one that fails
/// ends the reading.
public enum PresentationRequestCheck: CheckFamily {
  case protocolIdentifier, structure, header, headerType, algorithm, clientID, key, signature, trust, payload, validity,
    origin
  case responseType, responseMode, nonce, query, transactionData, verifierInfo, metadata, encryption

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case missing, reserved, unknown, mismatch, certificate, attestation, identifier, malformed, invalid
    case inPayload = "in-payload"
    case notExpected = "not-expected"
    case opaque, expired
    case notYetValid = "not-yet-valid"
  }

  /// Checks of the requester's identity, which an unsigned request does not have.
  package static let ofSignature: Set<Self> = [
    .header, .headerType, .algorithm, .clientID, .key, .signature, .trust, .validity, .origin,
  ]

  /// The checks of a request of a protocol.
  package static func plan(for kind: OpenID4VPProtocol?) -> [Self] {
    kind == .unsigned ? allCases.filter { !ofSignature.contains($0) } : Array(allCases)
  }

  /// The error code for a response to a request that fails the check (OpenID4VP, 8.5).
  public var errorCode: PresentationErrorCode { self == .transactionData ? .invalidTransactionData : .invalidRequest }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .protocolIdentifier:
      CheckDefinition(
        "openid4vp.request.protocol", "the protocol is one of OpenID4VP 1.0",
        "the protocol is not one of OpenID4VP 1.0",
        clause: "OpenID4VP, A.1")
    case .structure:
      CheckDefinition(
        "openid4vp.request.structure", "the data have the structure of the protocol",
        "the data do not have the structure of the protocol", clause: "OpenID4VP, A.3")
    case .header:
      CheckDefinition(
        "openid4vp.request.header", "the protected header is well-formed, without critical parameters",
        "the protected header is malformed or has a critical parameter", clause: "RFC 7515, 4")
    case .headerType:
      CheckDefinition(
        "openid4vp.request.type", "the type of the signed object is oauth-authz-req+jwt",
        "the type of the signed object is not oauth-authz-req+jwt", clause: "OpenID4VP, 5")
    case .algorithm:
      CheckDefinition(
        "openid4vp.request.algorithm", "the algorithm is allowed and fits the key",
        "the algorithm is not allowed or does not fit the key", clause: "RFC 8725, 3.1")
    case .clientID:
      CheckDefinition(
        "openid4vp.request.client-id", "the client identifier is one that can be authenticated",
        clause: "OpenID4VP, 5.9 and A.2",
        [
          .failure(Reason.missing, "the client identifier is missing"),
          .failure(Reason.inPayload, "the client identifier is in the payload of several signatures"),
          .failure(Reason.reserved, "the prefix of the client identifier is not allowed in a signed request"),
          .failure(Reason.unknown, "the client identifier is of no known client, or has an unknown prefix"),
          .failure(Reason.mismatch, "the client identifier does not fit the signer's certificate"),
        ])
    case .key:
      CheckDefinition(
        "openid4vp.request.key", "the signer's key is found by the rule of the client identifier",
        clause: "OpenID4VP, 5.9.3",
        [
          .failure(Reason.certificate, "the signer's certificate is missing or cannot be used"),
          .failure(Reason.attestation, "the verifier attestation is missing, malformed or not trusted"),
          .failure(Reason.identifier, "the decentralized identifier has no such key"),
        ])
    case .signature:
      CheckDefinition(
        "openid4vp.request.signature", "the signature verifies with the client's key",
        "the signature does not verify with the client's key", clause: "OpenID4VP, 5.9.3")
    case .trust:
      CheckDefinition(
        "openid4vp.request.trust", "the signer's certificate leads to a trusted reader authority and is valid",
        "the signer's certificate does not lead to a trusted reader authority, or is not valid",
        clause: "OpenID4VP, 5.9.3")
    case .payload:
      CheckDefinition(
        "openid4vp.request.payload", "the parameters are a JSON object without repeated members",
        "the parameters are not a JSON object without repeated members", clause: "RFC 7519, 4")
    case .validity:
      CheckDefinition(
        "openid4vp.request.validity", "the signed request is valid at this time", clause: "RFC 7519, 4.1.4 and 4.1.5",
        [
          .failure(Reason.malformed, "a time of the signed request is malformed"),
          .failure(Reason.expired, "the signed request has expired"),
          .failure(Reason.notYetValid, "the signed request is not valid yet"),
        ])
    case .origin:
      CheckDefinition(
        "openid4vp.request.origin", "the request is for the website's origin", clause: "OpenID4VP, A.2",
        [
          .failure(Reason.missing, "the request names no expected origins"),
          .failure(Reason.notExpected, "the request is for other origins: another website may have forwarded it"),
          .failure(Reason.opaque, "the request expects an opaque origin, which any website can have"),
        ])
    case .responseType:
      CheckDefinition(
        "openid4vp.request.response-type", "the response type is vp_token", "the response type is not vp_token",
        clause: "OpenID4VP, 8")
    case .responseMode:
      CheckDefinition(
        "openid4vp.request.response-mode", "the response mode is dc_api or dc_api.jwt",
        "the response mode is neither dc_api nor dc_api.jwt", clause: "OpenID4VP, A.2")
    case .nonce:
      CheckDefinition(
        "openid4vp.request.nonce", "the nonce has letters, digits and the characters - . _ ~ only",
        clause: "OpenID4VP, 5.2",
        [
          .failure(Reason.missing, "the nonce is missing or is not a string"),
          .failure(Reason.malformed, "the nonce has other characters than letters, digits and - . _ ~"),
        ])
    case .query:
      CheckDefinition(
        "openid4vp.request.query", "the query is well-formed", clause: "OpenID4VP, 6",
        [
          .failure(Reason.missing, "the query is missing or is not an object"),
          .failure(Reason.malformed, "the query is malformed"),
        ])
    case .transactionData:
      CheckDefinition(
        "openid4vp.request.transaction-data", "each transaction is understood", clause: "OpenID4VP, 5.1 and 8.4",
        [
          .failure(Reason.malformed, "a transaction is malformed"),
          .failure(Reason.unknown, "a transaction is of an unknown type, or has unknown members"),
          .failure(
            Reason.mismatch, "a transaction names credentials that the query does not, or that no key is bound to"),
        ])
    case .verifierInfo:
      CheckDefinition(
        "openid4vp.request.verifier-info", "the information about the verifier is well-formed",
        "the information about the verifier is malformed", clause: "OpenID4VP, 5.1")
    case .metadata:
      CheckDefinition(
        "openid4vp.request.client-metadata", "the metadata of the client are well-formed",
        "the metadata of the client are malformed", clause: "OpenID4VP, 5.1")
    case .encryption:
      CheckDefinition(
        "openid4vp.request.encryption", "an encrypted response has a usable key and content encryption",
        "the response must be encrypted, and the request has no usable key or content encryption",
        clause: "OpenID4VP, 8.3")
    }
  }
}

/// A request that a check refuses.
public typealias PresentationRequestFailure = CheckFailure<PresentationRequestCheck>

extension PresentationRequestFailure {
  /// The failure of a reading, with what the error says.
  init(
    _ check: PresentationRequestCheck, _ reason: PresentationRequestCheck.Reason? = nil, because message: String,
    found: String? = nil
  ) {
    self.init(check, reason, adding: message, evidence: found.map { [CheckResult.Evidence("found", found: $0)] } ?? [])
  }
}
