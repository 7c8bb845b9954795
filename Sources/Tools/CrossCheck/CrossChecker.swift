import COSE
import Checks
import MobileDocument
import Primitives

/// Checks signatures and certificate chains again with the system's libcrypto.
///
/// ```
/// COSE, MobileDocument --claim--> VerificationWitness --> CrossCheckLedger --> CrossChecker --bytes--> libcrypto
/// ```
///
/// The cross-check never influences presentment's own decisions. A claim carries the received bytes, and libcrypto
/// parses, hashes and verifies them independently.
public enum CrossChecker {
  /// Compares a claim with libcrypto's decision.
  ///
  /// A disagreement about a signature means that exactly one of the two implementations verifies it. A disagreement about
  /// a chain means that presentment accepts it and libcrypto finds no path, or that presentment refuses it as untrusted or
  /// outdated and libcrypto finds a path. Refusing for different reasons is not a disagreement. A path that presentment
  /// refuses for its keys, purpose or profile is not comparable, because libcrypto does not check these. A path that
  /// libcrypto skips for a reason outside RFC 5280 is not comparable either.
  ///
  /// - Returns: `passed` if libcrypto agrees, `failed` if it disagrees, `notReached` if the claim is not comparable.
  public static func check(_ claim: VerificationClaim) -> CheckResult {
    switch claim {
    case .signature(let claim): check(claim)
    case .chain(let claim): check(claim)
    }
  }

  private static func check(_ claim: SignatureClaim) -> CheckResult {
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
    case .message(_, _, .hmac256, _): verdict = .undecided("a message authentication code is not a signature")
    case .certificate(let certificate, let issuer):
      verdict = Libcrypto.signature(ofCertificate: certificate, issuer: issuer)
    case .revocationList(let list, let issuer): verdict = Libcrypto.signature(ofRevocationList: list, issuer: issuer)
    case .certificateRequest(let request): verdict = Libcrypto.signature(ofCertificateRequest: request)
    }
    let own = claim.isVerified ? "verifies" : "does not verify"
    switch verdict {
    case .undecided(let reason): return ComparisonCheck.signature.notReached(reason)
    case .accepts where claim.isVerified, .refuses where !claim.isVerified: return ComparisonCheck.signature.passed
    case .accepts: return disagreement(claim, own: own, libcrypto: "verifies")
    case .refuses(let reason): return disagreement(claim, own: own, libcrypto: reason)
    }
  }

  private static func disagreement(_ claim: SignatureClaim, own: String, libcrypto: String) -> CheckResult {
    CheckFinding(ComparisonCheck.signature).result(
      "libcrypto disagrees about a signature that presentment \(claim.isVerified ? "accepts" : "refuses")",
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

  private static func check(_ claim: CertificateChainClaim) -> CheckResult {
    let theirs = Libcrypto.path(from: claim.received, to: claim.anchors, secondsSince1970: claim.secondsSince1970)
    let unknown = theirs.algorithms.filter { !knownAlgorithms.contains($0) }
    switch (claim.outcome, theirs.verdict) {
    case (_, .undecided(let reason)): return ComparisonCheck.chain.notReached(reason)
    case (.path, .accepts), (.untrusted, .refuses), (.outdated, .refuses): return ComparisonCheck.chain.passed
    case (.forbidden, _):
      return ComparisonCheck.chain.notReached("presentment refuses the chain by a rule that libcrypto does not check")
    case (.untrusted, .accepts) where !unknown.isEmpty:
      return ComparisonCheck.chain.notReached(
        "libcrypto supports \(unknown.joined(separator: ", ")), presentment does not")
    case (.path(let path), .refuses(let reason)):
      if let excuse = Libcrypto.reasonToPassOver(path) {
        return ComparisonCheck.chain.notReached("libcrypto finds no path: \(excuse)")
      }
      return disagreement(claim, libcrypto: reason)
    case (_, .accepts): return disagreement(claim, libcrypto: "a path to an anchor, valid at the time")
    }
  }

  private static func disagreement(_ claim: CertificateChainClaim, libcrypto: String) -> CheckResult {
    let (word, own) =
      switch claim.outcome {
      case .path(let path): ("accepts", "a path of \(path.count) to an anchor")
      case .untrusted: ("refuses", "no path to an anchor")
      case .outdated: ("refuses", "a certificate on the path is not valid at the time")
      case .forbidden: ("refuses", "the path is forbidden")
      }
    return CheckFinding(ComparisonCheck.chain).result(
      "libcrypto disagrees about a certificate chain that presentment \(word)",
      evidence: claim.received.enumerated().map { digest("certificate \($0.offset)", $0.element) }
        + claim.anchors.prefix(maximumAnchorsShown).map { digest("anchor", $0) }
        + [
          CheckResult.Evidence("time", found: DateTime(secondsSince1970: claim.secondsSince1970).description),
          CheckResult.Evidence("verdict", expected: own, found: "libcrypto: \(libcrypto)"),
        ])
  }

  /// The most anchors that the evidence names: a verifier may trust a hundred issuers.
  private static let maximumAnchorsShown = 4

  /// The key and signature algorithms that swift-certificates verifies, by libcrypto's names.
  private static let knownAlgorithms: Set<String> = [
    "prime256v1", "secp384r1", "secp521r1", "RSA", "ED25519", "ecdsa-with-SHA256", "ecdsa-with-SHA384",
    "ecdsa-with-SHA512", "RSA-SHA1", "RSA-SHA256", "RSA-SHA384", "RSA-SHA512",
  ]

  private static func digest(_ name: String, _ bytes: [UInt8]) -> CheckResult.Evidence {
    CheckResult.Evidence("\(name), SHA-256", found: Libcrypto.sha256(bytes).map(hexadecimal) ?? "not available")
  }
}
