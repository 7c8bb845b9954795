import COSE
import Checks
import MobileDocument
import Primitives

/// What the system's libcrypto says of the signatures and certificate chains that were checked here by other means.
///
/// ```
/// COSE, MobileDocument --claim--> VerificationWitness --> SecondOpinionLedger --> SecondOpinion --bytes--> libcrypto
/// ```
///
/// Nothing of presentment's own decisions is made here: a claim carries received bytes, and libcrypto parses, hashes and
/// verifies them by itself.
public enum SecondOpinion {
  /// What libcrypto says of a claim: `passed` when it decides the same, `failed` when it decides otherwise, `notReached`
  /// when it cannot say.
  ///
  /// About a signature it decides otherwise when exactly one of the two verifies it. About a chain it does when one was
  /// accepted and libcrypto finds no path, and when one was refused as untrusted or outdated and libcrypto finds one. Two
  /// refusals are the same, whatever their reasons. A path that was refused for its keys, purpose or profile is no matter
  /// for libcrypto, which is not asked about these; nor is one that it passes over for a reason that RFC 5280 does not know.
  public static func judge(_ claim: VerificationClaim) -> CheckResult {
    switch claim {
    case .signature(let claim): judge(claim)
    case .chain(let claim): judge(claim)
    }
  }

  private static func judge(_ claim: SignatureClaim) -> CheckResult {
    let verdict: Libcrypto.Verdict
    switch claim.subject {
    case .message(let message, let signature, .es256, let key):
      verdict = Libcrypto.ecdsa(signature, over: message, hash: .sha256, key: key)
    case .message(let message, let signature, .es384, let key):
      verdict = Libcrypto.ecdsa(signature, over: message, hash: .sha384, key: key)
    case .message(let message, let signature, .es512, let key):
      verdict = Libcrypto.ecdsa(signature, over: message, hash: .sha512, key: key)
    case .message(let message, let signature, .edDSA, let key):
      verdict = Libcrypto.ed25519(signature, over: message, key: key)
    case .message(_, _, .hmac256, _):
      verdict = .undecided("a message authentication code is no signature")
    case .certificate(let certificate, let issuer):
      verdict = Libcrypto.signature(ofCertificate: certificate, issuer: issuer)
    case .revocationList(let list, let issuer):
      verdict = Libcrypto.signature(ofRevocationList: list, issuer: issuer)
    case .certificateRequest(let request):
      verdict = Libcrypto.signature(ofCertificateRequest: request)
    }
    let own = claim.isVerified ? "verifies" : "does not verify"
    switch verdict {
    case .undecided(let reason): return CheckResult(SecondOpinionCheck.signature, .notReached, message: reason)
    case .accepts where claim.isVerified, .refuses where !claim.isVerified:
      return CheckResult(SecondOpinionCheck.signature, .passed)
    case .accepts: return disagreement(claim, own: own, libcrypto: "verifies")
    case .refuses(let reason): return disagreement(claim, own: own, libcrypto: reason)
    }
  }

  private static func disagreement(_ claim: SignatureClaim, own: String, libcrypto: String) -> CheckResult {
    CheckResult(
      SecondOpinionCheck.signature, .failed,
      message:
        "libcrypto decides otherwise about a signature that was found \(claim.isVerified ? "good" : "bad") here",
      evidence: evidence(claim.subject)
        + [CheckResult.Evidence("verdict", expected: own, found: "libcrypto: \(libcrypto)")])
  }

  private static func evidence(_ subject: SignatureClaim.Subject) -> [CheckResult.Evidence] {
    switch subject {
    case .message(let message, let signature, let algorithm, let key):
      [
        digest("key", key), CheckResult.Evidence("algorithm", found: "\(algorithm)"), digest("message", message),
        digest("signature", signature),
      ]
    case .certificate(let certificate, let issuer): [digest("certificate", certificate), digest("issuer", issuer)]
    case .revocationList(let list, let issuer): [digest("revocation list", list), digest("issuer", issuer)]
    case .certificateRequest(let request): [digest("certificate request", request)]
    }
  }

  private static func judge(_ claim: CertificateChainClaim) -> CheckResult {
    let theirs = Libcrypto.path(from: claim.received, to: claim.anchors, secondsSince1970: claim.secondsSince1970)
    let unknown = theirs.algorithms.filter { !knownAlgorithms.contains($0) }
    switch (claim.outcome, theirs.verdict) {
    case (_, .undecided(let reason)):
      return CheckResult(SecondOpinionCheck.chain, .notReached, message: reason)
    case (.path, .accepts), (.untrusted, .refuses), (.outdated, .refuses):
      return CheckResult(SecondOpinionCheck.chain, .passed)
    case (.forbidden, _):
      return CheckResult(
        SecondOpinionCheck.chain, .notReached,
        message: "the chain was refused for a rule that libcrypto is not asked for")
    case (.untrusted, .accepts) where !unknown.isEmpty:
      return CheckResult(
        SecondOpinionCheck.chain, .notReached,
        message: "\(unknown.joined(separator: ", ")) is known to libcrypto and has no implementation here")
    case (.path(let path), .refuses(let reason)):
      if let excuse = Libcrypto.reasonToPassOver(path) {
        return CheckResult(SecondOpinionCheck.chain, .notReached, message: "libcrypto sees no path: \(excuse)")
      }
      return disagreement(claim, libcrypto: reason)
    case (_, .accepts): return disagreement(claim, libcrypto: "a path to an anchor, valid at the time")
    }
  }

  private static func disagreement(_ claim: CertificateChainClaim, libcrypto: String) -> CheckResult {
    let (word, own) =
      switch claim.outcome {
      case .path(let path): ("accepted", "a path of \(path.count) to an anchor")
      case .untrusted: ("refused", "no path to an anchor")
      case .outdated: ("refused", "a certificate on the path is not valid at the time")
      case .forbidden: ("refused", "the path is forbidden")
      }
    return CheckResult(
      SecondOpinionCheck.chain, .failed,
      message: "libcrypto decides otherwise about a certificate chain that was \(word) here",
      evidence: claim.received.enumerated().map { digest("certificate \($0.offset)", $0.element) }
        + claim.anchors.prefix(maximumAnchorsShown).map { digest("anchor", $0) }
        + [
          CheckResult.Evidence("time", found: DateTime(secondsSince1970: claim.secondsSince1970).description),
          CheckResult.Evidence("verdict", expected: own, found: "libcrypto: \(libcrypto)"),
        ])
  }

  /// Most anchors that evidence names: verifiers may trust a hundred issuers, and one has to be found among them anyhow.
  private static let maximumAnchorsShown = 4

  /// Keys and signatures of certificates that swift-certificates verifies, by libcrypto's names.
  private static let knownAlgorithms: Set<String> = [
    "prime256v1", "secp384r1", "secp521r1", "RSA", "ED25519", "ecdsa-with-SHA256", "ecdsa-with-SHA384",
    "ecdsa-with-SHA512", "RSA-SHA1", "RSA-SHA256", "RSA-SHA384", "RSA-SHA512",
  ]

  private static func digest(_ name: String, _ bytes: [UInt8]) -> CheckResult.Evidence {
    CheckResult.Evidence("\(name), SHA-256", found: Libcrypto.sha256(bytes).map(hexadecimal) ?? "not made")
  }
}
