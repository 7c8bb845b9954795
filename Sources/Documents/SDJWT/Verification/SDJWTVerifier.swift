import COSE
import Certificates
import Checks
import JOSE
import JSON
import Primitives
import StatusLists
import X509

/// The values that a key binding JWT must have.
public struct ExpectedKeyBinding: Sendable {
  /// `aud`: over the Digital Credentials API `origin:` and the origin.
  public var audience: String
  /// `nonce` of the request.
  public var nonce: String
  /// The start of the session; nil leaves out the comparison.
  public var earliest: DateTime?
  /// The entries of `transaction_data` for this credential, exactly as sent.
  public var transactionData: [String]
  /// The hash algorithms that the entries allow (OpenID4VP, B.3.3).
  public var transactionDataHashes: [SDJWTHash]
  /// True if an entry names hash algorithms, so that the holder must name the one of its digests (OpenID4VP, B.3.3).
  public var namesTransactionHash: Bool

  /// Creates the values.
  public init(
    audience: String, nonce: String, earliest: DateTime? = nil, transactionData: [String] = [],
    transactionDataHashes: [SDJWTHash] = [.sha256], namesTransactionHash: Bool = false
  ) {
    self.audience = audience
    self.nonce = nonce
    self.earliest = earliest
    self.transactionData = transactionData
    self.transactionDataHashes = transactionDataHashes
    self.namesTransactionHash = namesTransactionHash
  }
}

/// Verifies presented SD-JWT verifiable credentials: one page, in the order of the standards, every finding collected.
///
/// Whether key binding is required is the verifier's decision, never one by what was received (RFC 9901, 7.3).
public struct SDJWTVerifier: Sendable {
  /// Certificates of the issuers that are trusted.
  public let trustedIssuers: TrustedCertificates
  /// The findings that refuse.
  public let policy: VerificationPolicy
  /// The profile of a signer certificate without a purpose, which no text gives it; nil for that of ``trustedIssuers``.
  package var profileWithoutPurpose: CertificateProfile?

  /// Creates a verifier.
  public init(trustedIssuers: TrustedCertificates, policy: VerificationPolicy = .standard) {
    self.trustedIssuers = trustedIssuers
    self.policy = policy
  }

  /// Verifies a presentation.
  ///
  /// - Parameters:
  ///   - text: The compact serialization.
  ///   - types: The accepted values of `vct`; nil accepts any.
  ///   - binding: The values of the key binding.
  ///   - isBindingRequired: Whether the presentation must have key binding. A key binding JWT that was not required is
  ///     checked too.
  ///   - moment: The time for which everything must be valid.
  public func verify(
    _ text: String, types: [String]? = nil, binding: ExpectedKeyBinding, isBindingRequired: Bool = true,
    at moment: DateTime
  ) async -> SDJWTReport {
    var memory = CertificateMemory()
    return await verify(
      text, types: types, binding: binding, isBindingRequired: isBindingRequired, at: moment, remembering: &memory)
  }

  /// Verifies a presentation, without decoding again the certificates that the verifier has read last.
  public func verify(
    _ text: String, types: [String]? = nil, binding: ExpectedKeyBinding, isBindingRequired: Bool = true,
    at moment: DateTime, remembering memory: inout CertificateMemory
  ) async -> SDJWTReport {
    let issuer = await IssuerPart(text, verifier: self, types: types, at: moment, remembering: &memory)
    let isBound = isBindingRequired || issuer.received?.keyBindingJWT != nil
    var outcomes = issuer.outcomes
    if !isBound, issuer.key == nil, issuer.payload != nil {
      outcomes[.holderKey] = .notApplicable("no holder binding is required")
    }
    let issuerRun = CheckRun(SDJWTCheck.ofIssuer, policy: policy) { outcomes[$0] }
    let part = BindingPart(issuer, expected: binding, at: moment)
    let bindingRun = CheckRun(SDJWTCheck.ofBinding, policy: policy) { check in
      isBound ? part.outcomes[check] : .notApplicable("no holder binding is required")
    }
    let checks = issuerRun.results + bindingRun.results
    guard issuerRun.isAccepted, bindingRun.isAccepted, let claims = issuer.claims, let path = issuer.path,
      let type = issuer.credentialTypeName
    else { return SDJWTReport(checks: checks, verified: nil) }
    return SDJWTReport(
      checks: checks,
      verified: VerifiedSDJWT(
        type: type, claims: claims.root, issuer: path.anchor.commonName,
        issuerKeyIdentifiers: path.certificates.compactMap(\.authorityKeyIdentifier), validUntil: issuer.validUntil,
        isHolderBound: isBound, isOfTestProgramme: TestMark.isOn(path) || claims.root.hasTestMark,
        statusQuery: issuer.reference.flatMap {
          StatusQuery(documentType: type, status: DocumentStatus([$0]), path: path, form: .jwt)
        }))
  }
}

extension ClaimNode {
  /// True if the issuing country is that of a test programme, as in a mobile document.
  fileprivate var hasTestMark: Bool {
    guard case .string(let country)? = member("issuing_country")?.node.value else { return false }
    return country.isExactly(TestMark.country)
  }
}

/// A presented credential that passed every check. Only ``SDJWTVerifier`` makes one.
public struct VerifiedSDJWT: Sendable {
  /// `vct`.
  public let type: String
  /// The disclosed claims. Their values are the holder's secrets.
  package let claims: ClaimNode
  /// The issuer: common name of the trusted certificate that the signer certificate leads to.
  public let issuer: String?
  /// The authority key identifiers of the certificates on the issuer's path: others that were sent may come from anywhere.
  public let issuerKeyIdentifiers: [[UInt8]]
  /// `exp`; nil without it.
  public let validUntil: DateTime?
  /// True if the holder signed the presentation.
  public let isHolderBound: Bool
  /// True if a certificate of the issuer's path, or the disclosed country of the issuer, has the mark of a test programme.
  public let isOfTestProgramme: Bool
  /// The data to look up its status; nil if its issuer publishes none.
  package let statusQuery: StatusQuery?
}

/// Every check of a verification and, if none failed, the verified credential.
public struct SDJWTReport: Sendable {
  /// The checks in the order of the standards.
  public let checks: [CheckResult]
  /// The verified credential; nil when a check failed.
  public let verified: VerifiedSDJWT?

  /// The first check that failed, or that was not reached if none failed; nil if the credential is verified.
  public var failure: CheckResult? {
    checks.first { $0.status == .failed } ?? (verified == nil ? checks.first { $0.status == .notReached } : nil)
  }
}
