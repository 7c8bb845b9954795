import Checks
import Primitives
import X509

/// The checks of a certificate's revocation by lists of revoked certificates (RFC 5280, 5).
public enum RevocationListCheck: CheckFamily {
  case list, revocation

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case missing, malformed, signature, stale
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .list:
      CheckDefinition(
        "certificate.revocation-list", "the issuer's list of revoked certificates is usable and up to date",
        clause: "RFC 5280, 6.3",
        [
          .notice(Reason.missing, "the issuer's list of revoked certificates is not available"),
          .failure(Reason.malformed, "the list of revoked certificates cannot be used"),
          .failure(Reason.signature, "the list of revoked certificates is not signed by the certificate's issuer"),
          .failure(Reason.stale, "the list of revoked certificates is out of date"),
        ])
    case .revocation:
      CheckDefinition(
        "certificate.revocation", "the certificate is not revoked", "the certificate is revoked",
        clause: "RFC 5280, 6.3")
    }
  }
}

extension ValidatedCertificatePath {
  /// Returns the revocation of each certificate on the path except the trusted one: its first failure, or that it is not
  /// revoked. The caller decides about a list that is missing or out of date.
  public func revocations(_ lists: [CertificateRevocationList], at moment: DateTime) -> [CheckResult] {
    zip(certificates, certificates.dropFirst()).map { certificate, issuer in
      let subject = certificate.subject.description
      func found(
        _ check: RevocationListCheck, _ reason: RevocationListCheck.Reason? = nil, expected: String? = nil,
        _ found: String? = nil
      ) -> CheckResult {
        CheckFinding(check, reason).result(
          subject: subject,
          evidence: found.map { [CheckResult.Evidence("list", expected: expected, found: $0)] } ?? [])
      }
      let named = lists.filter { $0.issuer == certificate.issuer }
      guard !named.isEmpty else { return found(.list, .missing) }
      guard let list = named.filter({ $0.isSigned(by: issuer) }).max(by: { $0.thisUpdate < $1.thisUpdate }) else {
        return found(.list, .signature, named[0].signatureAlgorithm)
      }
      if let unknown = list.extensions.first(where: \.critical) {
        return found(.list, .malformed, "a critical extension, \(unknown.oid)")
      }
      if let entry = list.entry(of: certificate) { return found(.revocation, nil, "revoked on \(entry.date)") }
      guard list.thisUpdate <= moment, let next = list.nextUpdate, moment <= next else {
        return found(
          .list, .stale, expected: moment.description,
          "\(list.thisUpdate) to \(list.nextUpdate?.description ?? "no time")")
      }
      let passed = RevocationListCheck.revocation
      return CheckResult(passed.id, subject: subject, .passed, message: passed.definition.title)
    }
  }
}
