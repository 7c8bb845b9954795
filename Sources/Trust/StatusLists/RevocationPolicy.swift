import Checks

/// A verifier's policy for the revocation status of documents.
public struct RevocationPolicy: Sendable, Equatable {
  /// A finding of a status check.
  public enum Finding: String, Sendable, CaseIterable {
    /// The document does not refer to a list.
    case absent
    /// The document is revoked.
    case revoked
    /// The document is suspended.
    case suspended
    /// The list cannot be fetched.
    case unreachable
    /// The list is outdated.
    case stale
    /// The list is not trustworthy or does not cover the document.
    case unusable
  }

  /// A Boolean value that indicates whether the status of documents is checked.
  public var checksStatus: Bool
  /// The findings that refuse the response. Others are accepted with a finding.
  public var refuses: Set<Finding>

  /// Creates a policy.
  public init(checksStatus: Bool = true, refuses: Set<Finding>) {
    self.checksStatus = checksStatus
    self.refuses = refuses
  }

  /// Accepts documents without a status, and those whose list cannot be fetched: the check is optional for a reader
  /// (ISO/IEC 18013-5 second edition draft, 12.8.1). Refuses revoked and suspended documents, and unusable lists.
  public static let standard = RevocationPolicy(refuses: [.revoked, .suspended, .unusable])
  /// Accepts only documents that are known to be valid.
  public static let strict = RevocationPolicy(refuses: Set(Finding.allCases))
  /// The same as ``strict`` for documents with a status. Accepts documents without one.
  public static let strictWherePublished = RevocationPolicy(refuses: strict.refuses.subtracting([.absent]))
  /// Does not fetch lists.
  public static let none = RevocationPolicy(checksStatus: false, refuses: [])
}

extension RevocationPolicy {
  /// The outcome under the policy: what it does not refuse is accepted with a finding.
  package func applied(to check: StatusCheck, _ outcome: CheckOutcome<StatusCheck>) -> CheckOutcome<StatusCheck> {
    guard !outcome.findings.isEmpty else { return outcome }
    return .findings(
      outcome.findings.map { finding in
        guard finding.severity(of: check) == .failure, !refuses.contains(check.finding(finding.reason)) else {
          return finding
        }
        let message = finding.message ?? check.definition.reason(finding.reason?.rawValue)?.message ?? check.id
        return .init(finding.reason, "\(message); accepted by the site's policy", finding.evidence, severity: .notice)
      })
  }
}
