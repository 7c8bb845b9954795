import Checks
import Primitives
import X509

/// What is said of the certificates on a path by lists of revoked ones.
public enum RevocationListCheck: String, CheckCode {
  case notRevoked = "certificate.revoked"
  case listFound = "certificate.crl-missing"
  case listUsable = "certificate.crl-malformed"
  case listSigned = "certificate.crl-signature"
  case listCurrent = "certificate.crl-stale"

  /// What it means when this fails, for a person to read.
  public var message: String {
    switch self {
    case .notRevoked: "the certificate is revoked"
    case .listFound: "no list of revoked certificates of its issuer is there"
    case .listUsable: "the list of revoked certificates cannot be used"
    case .listSigned: "the list of revoked certificates is not signed by the issuer of the certificate"
    case .listCurrent: "the list of revoked certificates is outdated"
    }
  }

  /// What it means when this holds, for a person to read.
  public var title: String {
    switch self {
    case .notRevoked: "the certificate is not revoked"
    case .listFound: "a list of revoked certificates of its issuer is there"
    case .listUsable: "the list of revoked certificates can be used"
    case .listSigned: "the list of revoked certificates is signed by the issuer of the certificate"
    case .listCurrent: "the list of revoked certificates is current"
    }
  }
}

extension ValidatedCertificatePath {
  /// What lists of revoked certificates say of each certificate on the path but the trusted one: its first failure, or
  /// that it is not revoked. Whether a list that is missing or outdated matters is for the caller to decide.
  public func revocations(_ lists: [CertificateRevocationList], at moment: DateTime) -> [CheckResult] {
    zip(certificates, certificates.dropFirst()).map { certificate, issuer in
      func result(
        _ check: RevocationListCheck, _ outcome: CheckResult.Status, expected: String? = nil, found: String? = nil
      ) -> CheckResult {
        CheckResult(
          check, subject: certificate.subject.description, outcome,
          message: outcome == .passed ? check.title : check.message,
          evidence: found.map { [CheckResult.Evidence("list", expected: expected, found: $0)] } ?? [])
      }
      let named = lists.filter { $0.issuer == certificate.issuer }
      guard !named.isEmpty else { return result(.listFound, .notReached) }
      guard let list = named.filter({ $0.isSigned(by: issuer) }).max(by: { $0.thisUpdate < $1.thisUpdate }) else {
        return result(.listSigned, .failed, found: named[0].signatureAlgorithm)
      }
      if let unknown = list.extensions.first(where: \.critical) {
        return result(.listUsable, .failed, found: "a critical extension, \(unknown.oid)")
      }
      if let entry = list.entry(of: certificate) {
        return result(.notRevoked, .failed, found: "revoked on \(entry.date)")
      }
      guard list.thisUpdate <= moment, let next = list.nextUpdate, moment <= next else {
        return result(
          .listCurrent, .failed, expected: moment.description,
          found: "\(list.thisUpdate) to \(list.nextUpdate?.description ?? "no time")")
      }
      return result(.notRevoked, .passed)
    }
  }
}
