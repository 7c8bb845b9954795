import Checks

/// The checks of a presented SD-JWT verifiable credential, in the order in which they are made (RFC 9901, 7.1 and 7.3;
/// SD-JWT VC, 2.5; OpenID4VP, B.3).
public enum SDJWTCheck: CheckFamily {
  case structure, type, certificate, algorithm, signature, trust, payload, hashAlgorithm, disclosures
  case registeredClaims, credentialType, validity, status, holderKey
  case keyBinding, bindingType, bindingAlgorithm, bindingSignature, bindingClaims, bindingTime, bindingAudience
  case bindingNonce, bindingDigest, transactionData

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case old, missing, malformed, invalid, expired, claim, twice, unreferenced, place, departs
    case notYetValid = "not-yet-valid"
    case notRequested = "not-requested"
    case purpose = "extended-key-usage-missing"
    case documentType = "document-type"
    case tooOld = "too-old"
    case tooNew = "too-new"
  }

  /// The checks of the issuer's part.
  package static let ofIssuer = Array(allCases.prefix { $0 != .keyBinding })
  /// The checks of the key binding.
  package static let ofBinding = Array(allCases.drop { $0 != .keyBinding })

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .structure:
      CheckDefinition(
        "sd-jwt.structure", "the presentation is an SD-JWT", "the presentation is not an SD-JWT", clause: "RFC 9901, 4")
    case .type:
      CheckDefinition(
        "sd-jwt.type", "the type of the issuer-signed JWT is dc+sd-jwt", clause: "SD-JWT VC, 2.2.1",
        [
          .failure("the type of the issuer-signed JWT is not dc+sd-jwt"),
          .tolerance(
            Reason.old, "the type of the issuer-signed JWT is that of old drafts, vc+sd-jwt",
            seenIn: "issuers by older drafts of SD-JWT VC"),
        ])
    case .certificate:
      CheckDefinition(
        "sd-jwt.certificate", "the issuer-signed JWT has a readable signer certificate", clause: "HAIP, 6.1.1",
        [
          .failure(Reason.missing, "the issuer-signed JWT has no certificate"),
          .failure(Reason.malformed, "the signer certificate cannot be used"),
        ])
    case .algorithm:
      CheckDefinition(
        "sd-jwt.algorithm", "the algorithm of the issuer's signature fits the signer's key",
        "the algorithm of the issuer's signature is not allowed", clause: "RFC 9901, 7.1")
    case .signature:
      CheckDefinition(
        "sd-jwt.signature", "the issuer's signature verifies", clause: "RFC 9901, 7.1",
        [
          .failure(Reason.malformed, "the issuer's signature is not a signature of its curve"),
          .failure(Reason.invalid, "the issuer's signature does not verify"),
        ])
    case .trust:
      CheckDefinition(
        "sd-jwt.trust", "the signer certificate leads to a trusted issuer and is valid", clause: "SD-JWT VC, 2.5",
        [
          .failure("the issuer is not trusted"),
          .failure(
            Reason.documentType, "the list that names the issuer does not trust it for credentials of this type"),
          .failure(Reason.expired, "the signer certificate has expired"),
          .failure(Reason.notYetValid, "the signer certificate's validity period has not started"),
          .failure(Reason.invalid, "the signer certificate has another profile"),
          .deviation(
            Reason.purpose, "the signer certificate has no extended key usage, so that its key may have another role"),
          .deviation(Reason.departs, "the signer certificate departs from its profile"),
        ])
    case .payload:
      CheckDefinition(
        "sd-jwt.payload", "the payload is a JSON object without repeated members",
        "the payload is not a JSON object without repeated members", clause: "RFC 9901, 7.1")
    case .hashAlgorithm:
      CheckDefinition(
        "sd-jwt.hash-algorithm", "the hash algorithm is known", "the hash algorithm is not known",
        clause: "RFC 9901, 4.1.1")
    case .disclosures:
      CheckDefinition(
        "sd-jwt.disclosures", "each disclosure belongs to one digest of the issuer", clause: "RFC 9901, 7.1",
        [
          .failure(Reason.malformed, "digests or disclosures are malformed"),
          .failure(Reason.twice, "a digest or a disclosure occurs twice"),
          .failure(Reason.unreferenced, "a disclosure belongs to no digest"),
          .failure(Reason.place, "a disclosure is of another kind than its place"),
          .failure(Reason.claim, "a disclosed claim has a reserved name or is there already"),
        ])
    case .registeredClaims:
      CheckDefinition(
        "sd-jwt.registered-claims", "the claims about the credential itself are always visible",
        "a claim about the credential itself was selectively disclosable", clause: "SD-JWT VC, 2.2.2.3")
    case .credentialType:
      CheckDefinition(
        "sd-jwt.credential-type", "the credential is of a requested type", clause: "OpenID4VP, B.3.5",
        [
          .failure(Reason.missing, "the credential has no type, or one that is not a string"),
          .failure(Reason.notRequested, "the credential is of a type that was not requested"),
        ])
    case .validity:
      CheckDefinition(
        "sd-jwt.validity", "the credential is valid at this time", clause: "RFC 9901, 7.1",
        [
          .failure(Reason.malformed, "a date of the credential is malformed"),
          .failure(Reason.expired, "the credential has expired"),
          .failure(Reason.notYetValid, "the credential's validity period has not started"),
        ])
    case .status:
      CheckDefinition(
        "sd-jwt.status", "the reference to the credential's status is well-formed",
        clause: "SD-JWT VC, 2.2.2.2; HAIP, 6.1",
        [
          .failure("the reference to the credential's status is malformed"),
          .deviation(Reason.departs, "the credential's status is not in a status list"),
        ])
    case .holderKey:
      CheckDefinition(
        "sd-jwt.holder-key", "the issuer bound the credential to a holder's key", clause: "SD-JWT VC, 2.2.2.2",
        [
          .failure(Reason.missing, "the credential is not bound to a holder's key"),
          .failure(Reason.malformed, "the holder's key cannot be used"),
        ])
    case .keyBinding:
      CheckDefinition(
        "sd-jwt.key-binding", "the holder signed the presentation", "the presentation has no key binding JWT",
        clause: "RFC 9901, 7.3")
    case .bindingType:
      CheckDefinition(
        "sd-jwt.key-binding.type", "the type of the key binding JWT is kb+jwt",
        "the type of the key binding JWT is not kb+jwt", clause: "RFC 9901, 4.3")
    case .bindingAlgorithm:
      CheckDefinition(
        "sd-jwt.key-binding.algorithm", "the algorithm of the holder's signature fits the holder's key",
        "the algorithm of the holder's signature does not fit the holder's key", clause: "RFC 9901, 7.3")
    case .bindingSignature:
      CheckDefinition(
        "sd-jwt.key-binding.signature", "the holder's signature verifies", clause: "RFC 9901, 7.3",
        [
          .failure(Reason.malformed, "the holder's signature is not a signature of its curve"),
          .failure(Reason.invalid, "the holder's signature does not verify with the key that the issuer bound"),
        ])
    case .bindingClaims:
      CheckDefinition(
        "sd-jwt.key-binding.claims", "the key binding JWT has its claims",
        "a claim of the key binding JWT is missing or malformed", clause: "RFC 9901, 4.3")
    case .bindingTime:
      CheckDefinition(
        "sd-jwt.key-binding.time", "the key binding JWT is of this session's time", clause: "RFC 9901, 7.3",
        [
          .failure(Reason.tooOld, "the key binding JWT is older than the session"),
          .failure(Reason.tooNew, "the key binding JWT is dated in the future"),
          .failure(Reason.expired, "the key binding JWT has expired"),
          .failure(Reason.notYetValid, "the key binding JWT's validity period has not started"),
        ])
    case .bindingAudience:
      CheckDefinition(
        "sd-jwt.key-binding.audience", "the presentation is for this website's origin",
        "the presentation is for another audience", clause: "OpenID4VP, A.4 and B.3.6")
    case .bindingNonce:
      CheckDefinition(
        "sd-jwt.key-binding.nonce", "the presentation is for this request's nonce",
        "the presentation is for another nonce", clause: "OpenID4VP, 14.1.2")
    case .bindingDigest:
      CheckDefinition(
        "sd-jwt.key-binding.sd-hash", "the holder signed these disclosures",
        "the holder signed another set of disclosures", clause: "RFC 9901, 7.3")
    case .transactionData:
      CheckDefinition(
        "sd-jwt.key-binding.transaction-data", "the holder signed the requested transactions",
        clause: "OpenID4VP, 8.4 and B.3.3",
        [
          .failure("the holder did not sign the requested transactions"),
          .failure(
            Reason.missing, "the holder did not name the hash algorithm of the transactions, as the request demands"),
          .deviation(Reason.departs, "the holder signed transactions that were not requested"),
        ])
    }
  }
}
