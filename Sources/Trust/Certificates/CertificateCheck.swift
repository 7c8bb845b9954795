import Checks

/// The checks of a certificate by itself: its encoding, and the rules of its profile (ISO/IEC 18013-5, annex B).
///
/// A document signer that comes with a response has checks of its own, with the same reasons.
public enum CertificateCheck: CheckFamily {
  case encoding, profile, readerProfile

  /// The reasons are the broken rules.
  public typealias Reason = CertificateRule

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .encoding:
      CheckDefinition(
        "certificate.encoding", "the certificate is well-formed and within the size limit", clause: "RFC 5280, 4.1",
        Self.encodingReasons)
    case .profile:
      CheckDefinition(
        "certificate.profile", "the certificate has the profile of its role", clause: "ISO/IEC 18013-5, annex B",
        Self.profileReasons)
    case .readerProfile:
      CheckDefinition(
        "reader.certificate.profile", "the certificate has the profile of its role in reader authentication",
        clause: "ISO/IEC 18013-5, B.1.7", Self.readerReasons)
    }
  }

  private static let encodingRules: [CertificateRule] = [.readable, .size]
  private static let encodingReasons = encodingRules.map(\.declaredReason)
  private static let profileReasons = CertificateRule.allCases.filter { !encodingRules.contains($0) }
    .map(\.declaredReason)
  // Reader certificates need not be of their authority's country.
  private static let readerReasons = CertificateRule.allCases
    .filter { !encodingRules.contains($0) && $0 != .issuerCountry && $0 != .issuerState }.map(\.declaredReason)
}

extension CertificateRule {
  /// The name of the broken rule where the role of the certificate is unknown, such as `certificate.profile/key-usage`.
  package var name: String {
    switch self {
    case .readable, .size: CertificateCheck.encoding.name(self)
    default: CertificateCheck.profile.name(self)
    }
  }

  fileprivate var declaredReason: CheckDefinition.Reason {
    isEssential ? .failure(self, message) : .deviation(self, message)
  }
}

extension CertificateProfile {
  /// The check of the profile.
  public var check: CertificateCheck { isReaders ? .readerProfile : .profile }

  /// The result of one rule of the profile. Its reason names the rule, also if the rule holds.
  func result(
    of rule: CertificateRule, _ status: CheckResult.Status, _ message: String? = nil,
    evidence: [CheckResult.Evidence] = []
  ) -> CheckResult {
    CheckResult(
      check.id, reason: rule.rawValue, subject: rawValue, status,
      message: message ?? (status == .passed ? rule.title : rule.message), evidence: evidence)
  }
}
